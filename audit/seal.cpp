// SPDX-License-Identifier: Apache-2.0
#include "audit/seal.hpp"

#include "audit/batch_writer.hpp"
#include "audit/begun.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/walk.hpp"
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
        if (!*there && *prepared) return put_in_place({});  // interrupted between its two renames
        if (const auto looked = look_at_old_log(*there); !looked) return looked.error();
        if (const auto made = prepare(*prepared); !made) return made.error();
        return *there ? put_aside() : put_in_place({});
    }

private:
    Result<void> look_at_old_log(bool there) {
        auto& files = sealing_.files;
        auto keys = keys_in(files, log_ + "/" + vkey_name);
        if (keys && !*keys) keys = keys_in(files, sealing_.state + "/" + begun_name);
        if (!keys) return keys.error();
        if (!*keys) return Error{Errc::unavailable, "no log was begun in " + sealing_.state};
        origin_ = (*keys)->origin();
        fields_ = {{"oldOrigin", origin_}, {"oldVkey", (*keys)->current().vkey()}};
        if (!there) {
            fields_.add("why", "the log was gone");
            return {};
        }
        const auto walked =
            walk(files, log_, (*keys)->first(), {.check = Chain::Check::each, .record = [](const Record&) {}});
        if (!walked) return walked.error();
        const auto beside = keys_in(files, log_ + "/" + vkey_name);
        if (!walked->broken && walked->segments > 0 && beside && !*beside) {
            return Error{Errc::unsupported, "the records in " + log_ + " hold, and only " + vkey_name +
                                                " is missing or no key: put back the keys that were noted, one a line, "
                                                "oldest first"};
        }
        if (!walked->broken && walked->segments > 0) {
            return Error{Errc::unsupported,
                         "there is nothing wrong with the log in " + log_ + ": it is continued as it is"};
        }
        // How far it holds. What is behind that lies in the old files, for whoever looks into it.
        fields_.add("oldSize", walked->tree.size);
        fields_.add("oldRoot", security::base64(walked->tree.root));
        fields_.add("why", walked->broken ? walked->broken->detail : "the log was empty");
        return {};
    }

    // The new log with its first record, whole and on disk before anything is moved.
    Result<void> prepare(bool left_over) {
        auto& files = sealing_.files;
        if (left_over) {
            const auto names = files.list(next_);
            if (!names) return names.error();
            for (const auto& name : *names) {
                if (auto removed = files.remove(next_ + "/" + name); !removed) return removed;
            }
        }
        if (auto made = files.make_directory(next_); !made) return made;
        const auto directory = free_directory();
        if (!directory) return directory.error();
        aside_ = *directory;
        auto signer = NoteSigner::make(origin_after(origin_), std::move(sealing_.key));
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
        const auto results = writer.write(items);
        if (!results) return results.error();
        for (const auto& result : *results) {
            if (!result) return result.error();
        }
        return writer.finish();
    }

    Result<std::string> free_directory() {
        for (unsigned number = 1;; ++number) {
            auto path = sealing_.state + "/audit-sealed-" + std::to_string(number);
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
        // Whoever takes the new log away as well must not get its name for the next one.
        if (const auto noted = note_begun(sealing_.files, sealing_.state); !noted) return noted.error();
        const auto keys = read_log_keys(sealing_.files, log_);
        if (!keys) return keys.error();
        return Sealed{.directory = std::move(aside), .vkey = keys->current().vkey()};
    }

    Sealing& sealing_;
    std::string log_ = sealing_.state + "/" + log_directory;
    std::string next_ = log_ + ".new";
    std::string aside_;
    std::string origin_;
    json::Object fields_;  // of the seal record
};

}  // namespace

Result<Sealed> seal(Sealing sealing) { return Seal{sealing}.run(); }

}  // namespace countersign::audit
