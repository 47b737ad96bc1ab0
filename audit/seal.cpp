// SPDX-License-Identifier: Apache-2.0
#include "audit/seal.hpp"

#include "audit/batch_writer.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/log_marker.hpp"
#include "audit/log_scan.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <utility>

namespace countersign::audit {
namespace {

class Seal {
public:
    explicit Seal(Sealing& sealing) : sealing_{sealing} {}

    Result<Sealed> run() {
        const auto there = sealing_.files.exists(log_);
        if (!there) return there.error();
        const auto prepared = sealing_.files.exists(next_);
        if (!prepared) return prepared.error();
        if (!*there && *prepared) {
            const auto whole = is_prepared();
            if (!whole) return whole.error();
            if (*whole) return put_in_place({});  // interrupted between the two renames
        }
        if (const auto looked = look_at_old_log(*there); !looked) return looked.error();
        if (const auto made = prepare(*prepared); !made) return made.error();
        return *there ? put_aside() : put_in_place({});
    }

private:
    Result<void> look_at_old_log(bool there) {
        auto& files = sealing_.files;
        const auto last = last_origin(files, sealing_.state);
        if (!last) return last.error();
        if (!*last) return Error{Errc::unavailable, "no log was begun in " + sealing_.state};
        origin_ = origin_after(**last);
        const auto beside = keys_in(files, log_ + "/" + vkey_name);
        if (!beside) return beside.error();
        auto keys = *beside ? beside : keys_in(files, sealing_.state + "/" + begun_name);
        if (!keys) return keys.error();
        const auto lost = what_is_lost(files, sealing_.state);
        if (!lost) return lost.error();
        fields_ = {{"oldOrigin", (*keys)->origin()}};
        if (!there) {
            fields_.add("oldVkey", (*keys)->current().vkey());
            fields_.add("why", "the log " + *lost);
            return {};
        }
        const auto walked =
            walk(files, log_, (*keys)->first(), {.check = Chain::Check::each, .record = [](const Record&) {}});
        if (!walked) return walked.error();
        if (!walked->broken && walked->segments > 0 && !*beside) {
            return Error{Errc::unsupported, "the records in " + log_ + " hold, and only " + vkey_name +
                                                " is missing or no key: put back the keys that were noted, one a line, "
                                                "oldest first"};
        }
        const bool ours = walked->keys.current() == own_key((*keys)->origin()) && !walked->only_named;
        const auto why = walked->broken   ? walked->broken->detail
                         : !lost->empty() ? "the log " + *lost
                         : !ours          ? "the hub does not have the log's key"
                                          : std::string{};
        if (why.empty()) {
            return Error{Errc::unsupported,
                         "there is nothing wrong with the log in " + log_ + ": it is continued as it is"};
        }
        // Records only a key that the log itself names: anyone could have written the file next to it.
        fields_.add("oldVkey", walked->keys.current().vkey());
        // How far the log is valid. The rest stays in the old files for an investigation.
        fields_.add("oldSize", walked->tree.size);
        fields_.add("oldRoot", security::base64(walked->tree.root));
        fields_.add("why", why);
        return {};
    }

    // Creates the new log with its first record, complete and on disk, before anything is moved.
    Result<void> prepare(bool left_over) {
        auto& files = sealing_.files;
        // Moved aside whatever it contains: we never delete what we did not write.
        if (left_over) {
            const auto aside = free_name("audit-discarded-");
            if (!aside) return aside.error();
            if (auto moved = files.rename(next_, *aside); !moved) return moved;
        }
        if (auto made = files.make_directory(next_); !made) return made;
        const auto directory = free_name("audit-sealed-");
        if (!directory) return directory.error();
        aside_ = *directory;
        auto signer = NoteSigner::make(origin_, std::move(sealing_.key));
        if (!signer) return signer.error();
        if (auto kept = replace(files, next_, vkey_name, LogKeys{signer->key()}.text()); !kept) return kept;
        fields_.add("oldDirectory", aside_.substr(aside_.rfind('/') + 1));
        fields_.add("reason", sealing_.reason);
        fields_.add("by", sealing_.by);
        return write(std::move(*signer));
    }

    Result<void> write(NoteSigner signer) {
        BatchWriter writer{{.files = sealing_.files,
                            .directory = next_,
                            .signer = std::move(signer),
                            .boot_id = sealing_.now.boot_id,
                            .segment_bytes = limits::record_bytes_max},
                           {}};
        std::deque<Item> items;
        for (auto [kind, fields] : {std::pair{"seal", std::move(fields_)}, std::pair{"stop", json::Object{}}}) {
            items.push_back({.entry = {.kind = kind, .fields = std::move(fields), .long_text = {}},
                             .ts = sealing_.now.ts,
                             .mono = sealing_.now.mono});
        }
        if (auto written = writer.write_every(std::move(items)); !written) return written;
        return writer.finish();
    }

    // The hub's key under this name.
    [[nodiscard]] NoteKey own_key(const std::string& origin) const {
        return *NoteKey::make(origin, sealing_.key.public_key());  // the name is valid: it already belongs to a key
    }

    // Whether an interrupted seal left the complete new log: our key signed it, and it begins with the seal record.
    Result<bool> is_prepared() const {
        auto& files = sealing_.files;
        const auto keys = keys_in(files, next_ + "/" + vkey_name);
        if (!keys) return keys.error();
        if (!*keys || (*keys)->all() != std::vector{own_key((*keys)->origin())}) return false;
        std::string first;
        const auto walked = walk(files, next_, (*keys)->first(), {.record = [&](const Record& record) {
                                     if (record.seq == 0) first = record.kind;
                                 }});
        if (!walked) return walked.error();
        return !walked->broken && !walked->tail && first == "seal" && walked->checkpoint_size == walked->tree.size;
    }

    Result<std::string> free_name(const std::string& prefix) const {
        for (unsigned number = 1;; ++number) {
            auto path = sealing_.state + "/" + prefix + std::to_string(number);
            const auto taken = sealing_.files.exists(path);
            if (!taken) return taken.error();
            if (!*taken) return path;
        }
    }

    Result<Sealed> put_aside() {
        if (const auto moved = sealing_.files.rename(log_, aside_); !moved) return moved.error();
        if (const auto synced = sealing_.files.sync_directory(sealing_.state); !synced) return synced.error();
        return put_in_place(aside_);
    }

    Result<Sealed> put_in_place(std::string aside) {
        if (const auto moved = sealing_.files.rename(next_, log_); !moved) return moved.error();
        if (const auto synced = sealing_.files.sync_directory(sealing_.state); !synced) return synced.error();
        // If an attacker deletes the new log as well, the next one must not get its name.
        if (const auto noted = note_begun(sealing_.files, sealing_.state); !noted) return noted.error();
        const auto keys = read_log_keys(sealing_.files, log_);
        if (!keys) return keys.error();
        return Sealed{.directory = std::move(aside), .vkey = keys->current().vkey()};
    }

    Sealing& sealing_;
    std::string log_ = sealing_.state + "/" + log_directory;
    std::string next_ = log_ + ".new";
    std::string aside_;
    std::string origin_;   // of the new log
    json::Object fields_;  // of the seal record
};

}  // namespace

Result<Sealed> seal(Sealing sealing) { return Seal{sealing}.run(); }

}  // namespace countersign::audit
