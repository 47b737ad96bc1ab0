// SPDX-License-Identifier: Apache-2.0
#include "audit/rotate.hpp"

#include "audit/batch_writer.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/log_scan.hpp"
#include "audit/recovery.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::audit {
namespace {

class Rotation {
public:
    explicit Rotation(Rotating& rotating) : rotating_{rotating} {}

    Result<void> run() {
        if (rotating_.from.key() == rotating_.to.key()) {
            return Error{Errc::conflict, "this is the log's key already: " + rotating_.to.key().vkey()};
        }
        const auto segments = count_segments(files_, directory_);
        if (!segments) return segments.error();
        if (*segments == 0) return Error{Errc::unavailable, "there is no log in " + directory_};
        const auto keys = keys_after();
        if (!keys) return keys.error();
        if (auto handed_over = already_ ? take_over(*keys) : hand_over(*keys); !handed_over) return handed_over;
        return sign_by_both();
    }

private:
    // The log's keys after the rotation. Also notes whether an earlier attempt already wrote the `key` record.
    Result<LogKeys> keys_after() {
        const auto walked = walk(files_, directory_, rotating_.from.key(), {.check = Chain::Check::last});
        if (!walked) return walked.error();
        if (walked->broken) return refusal(directory_, *walked->broken);
        auto keys = walked->keys;
        if (keys.current() != rotating_.from.key() && keys.current() != rotating_.to.key()) {
            return Error{Errc::bad_config, "the log's key is " + keys.current().vkey() + "; the one given is not"};
        }
        already_ = keys.current() == rotating_.to.key();
        if (already_) return keys;
        if (auto added = keys.add(rotating_.to.key()); !added) return added.error();
        return keys;
    }

    Result<void> hand_over(const LogKeys& keys) {
        const auto old_vkey = rotating_.from.key().vkey();
        auto recovered = recovered_with(rotating_.from);
        if (!recovered) return recovered.error();
        BatchWriter writer{options(std::move(rotating_.from)), std::move(recovered->end)};
        if (auto closed = write(writer, recovered->replay.close({}, rotating_.now.ts)); !closed) return closed;
        LogEntry entry{.kind = std::string{key_kind},
                       .fields = {{"oldVkey", old_vkey}, {"newVkey", rotating_.to.key().vkey()}, {"by", rotating_.by}},
                       .long_text = {}};
        if (!rotating_.reason.empty()) entry.fields.add("reason", rotating_.reason);
        if (auto written = write(writer, {std::move(entry)}); !written) return written;
        rotating_.from = writer.sign_with(std::move(rotating_.to));
        return finish(writer, keys);
    }

    Result<void> take_over(const LogKeys& keys) {
        auto recovered = recovered_with(rotating_.to);
        if (!recovered) return recovered.error();
        BatchWriter writer{options(std::move(rotating_.to)), std::move(recovered->end)};
        return finish(writer, keys);
    }

    [[nodiscard]] Result<Recovered> recovered_with(const NoteSigner& signer) const {
        return recover({.files = files_,
                        .directory = directory_,
                        .signer = signer,
                        .now = rotating_.now,
                        .trusted = rotating_.from.key()});
    }
    [[nodiscard]] BatchWriter::Options options(NoteSigner signer) const {
        return {.files = files_,
                .directory = directory_,
                .signer = std::move(signer),
                .boot_id = rotating_.now.boot_id,
                .segment_bytes = rotating_.segment_bytes};
    }

    // Writes the entries in batches of their own.
    Result<void> write(BatchWriter& writer, std::vector<LogEntry> entries) const {
        std::deque<Item> items;
        for (auto& entry : entries) {
            items.push_back({.entry = std::move(entry), .ts = rotating_.now.ts, .mono = rotating_.now.mono});
        }
        return writer.write_every(std::move(items));
    }

    // Writes the new key's first signature, which proves that the operator has the key. The key is stored next to the
    // log before anything that only it signed.
    Result<void> finish(BatchWriter& writer, const LogKeys& keys) const {
        if (auto named = replace(files_, directory_, vkey_name, keys.text()); !named) return named;
        if (auto stopped = write(writer, {{.kind = "stop", .fields = {}, .long_text = {}}}); !stopped) return stopped;
        return writer.finish();
    }

    // A verifier that knows only the old key must be able to check the checkpoint that announces the new one.
    Result<void> sign_by_both() const {
        auto checkpoint = read_whole(files_, directory_ + "/" + checkpoint_name, limits::record_bytes_max);
        if (!checkpoint) return checkpoint.error();
        const auto& from = rotating_.from;
        const auto text = checkpoint->substr(0, checkpoint->find("\n\n") + 1);
        *checkpoint += signature_line(from.key().name(), from.sign(text));
        return replace(files_, directory_, checkpoint_name, *checkpoint);
    }

    Rotating& rotating_;
    FileSystem& files_ = rotating_.files;
    const std::string& directory_ = rotating_.directory;
    bool already_ = false;
};

}  // namespace

Result<void> rotate(Rotating rotating) { return Rotation{rotating}.run(); }

}  // namespace countersign::audit
