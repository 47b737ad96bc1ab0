// SPDX-License-Identifier: Apache-2.0
#include "audit/recovery.hpp"

#include "audit/last_seen.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/segment.hpp"
#include "security/encoding.hpp"

namespace countersign::audit {
namespace {

const std::string put_back = "put back the keys that were noted, one a line, oldest first";

// The keys are stored next to the log, so that no hub continues it with another key and then finds every record
// invalid.
Result<void> check_key(const Recovering& recovering) {
    const auto& [files, directory, signer, now, trusted] = recovering;
    const auto path = directory + "/" + vkey_name;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return {};
    const auto found = keys_in(files, path);
    if (!found) return found.error();
    if (!*found) return Error{Errc::damaged, path + " does not hold the log's keys: " + put_back};
    if ((*found)->has(trusted.value_or(signer.key()))) return {};
    const auto& theirs = (*found)->origin();
    const bool named = theirs == signer.key().name();
    return Error{Errc::bad_config, "the audit log in " + directory + " belongs to another key or origin: " +
                                       (*found)->current().vkey() + "; ours is " + signer.key().vkey() + ". " +
                                       (named ? "Give the hub the key that the log was made with"
                                              : "Write [log] origin = \"" + theirs + "\"") +
                                       ", or use another --state."};
}

// Stores the key of a new log. If the file was lost, restores the keys that the log itself names.
Result<void> keep_keys(const Recovering& recovering, const Walked& walked) {
    const auto there = recovering.files.exists(recovering.directory + "/" + vkey_name);
    if (!there) return there.error();
    if (*there) return {};
    return replace(recovering.files, recovering.directory, vkey_name, walked.keys.text());
}

// The log must end under our key: verifiers would reject anything another key signs from here on.
Error handed_over(const Recovering& recovering, const Walked& walked) {
    return {.code = Errc::bad_config,
            .detail =
                "the audit log in " + recovering.directory + " was handed over to the key " +
                walked.keys.current().vkey() + "; ours is " + recovering.signer.key().vkey() +
                ". If `countersign audit key --rotate` was interrupted, run it again with the old key in its place; "
                "if it was not, give the hub the new key; if a key is lost, `countersign audit seal`."};
}

// Without its first keys, a log that changed keys cannot be verified from the beginning and looks like another log.
Error why_refused(const Recovering& recovering, const Walked& walked) {
    if (walked.only_named) return handed_over(recovering, walked);
    const auto keys = recovering.files.exists(recovering.directory + "/" + vkey_name);
    if (keys && !*keys && walked.tree.size == 0) {
        return {.code = Errc::damaged, .detail = recovering.directory + "/" + vkey_name + " is missing: " + put_back};
    }
    return refusal(recovering.directory, *walked.broken);
}

// The recovery record and its signature, as the line after the valid prefix.
Result<std::string> recovery_line(const Recovering& recovering, Walked& walked) {
    auto stamp = recovering.now;
    stamp.seq = stamp.synced = walked.tree.size;
    stamp.prev_root = walked.tree.root;
    const auto& tail = *walked.tail;
    LogEntry entry{.kind = "recovery",
                   .fields = {{"removedBytes", tail.bytes},
                              {"removedLines", tail.lines},
                              {"removedSha256", tail.sha256},
                              {"why", tail.why}},
                   .long_text = {}};
    auto json = encode_record(entry, stamp);
    if (!json) return json.error();
    walked.range.append(leaf_hash(*json));
    walked.tree = {.size = walked.range.size(), .root = walked.range.root()};
    const auto& signer = recovering.signer;
    return *json + "\t" + signer.sign(checkpoint_text(signer.key().name(), walked.tree)) + "\n";
}

// Removes the segments after the one in which the log will end. Last one first, and each synced before the next: a gap
// in the numbers would look like a stolen file. Before the cut, because a record after the recovery record would have a
// used number, and no later recovery could explain it.
Result<void> remove_later_segments(const Recovering& recovering, const Walked& walked) {
    const auto& [files, directory, signer, now, trusted] = recovering;
    for (auto number = walked.segments; number-- > walked.segment + 1;) {
        if (auto removed = files.remove(directory + "/" + segment_name(number)); !removed) return removed;
        if (auto synced = files.sync_directory(directory); !synced) return synced;
    }
    return {};
}

// Rewrites the valid part of the last segment with the recovery record after it, and replaces the file in one step: the
// cut and its record appear together or not at all. Also without a cut, because after a failed sync the bytes we just
// read may exist in memory only, and the log must continue from bytes on disk.
Result<void> rewrite_last_segment(const Recovering& recovering, Walked& walked) {
    const auto& [files, directory, signer, now, trusted] = recovering;
    auto bytes = read_segment(files, directory, walked.segment);
    if (!bytes) return bytes.error();
    bytes->resize(walked.offset);
    if (walked.tail) {
        const auto line = recovery_line(recovering, walked);
        if (!line) return line.error();
        bytes->append(*line);
    }
    if (auto replaced = replace(files, directory, segment_name(walked.segment), *bytes); !replaced) return replaced;
    walked.offset = bytes->size();
    return {};
}

// Removes the segment that the previous process had prepared.
Result<void> remove_spare(const Recovering& recovering) {
    const auto path = recovering.directory + "/" + spare_name;
    const auto there = recovering.files.exists(path);
    if (!there) return there.error();
    return *there ? recovering.files.remove(path) : Result<void>{};
}

// The previous process may have begun a segment before it trimmed the zeros of the one before.
Result<void> cut_segment_before(const Recovering& recovering, const Walked& walked) {
    if (walked.segment == 0) return {};
    const auto& [files, directory, signer, now, trusted] = recovering;
    const auto bytes = read_segment(files, directory, walked.segment - 1);
    if (!bytes) return bytes.error();
    const auto size = without_zero_tail(*bytes).size();
    if (size == bytes->size()) return {};
    const auto file = files.open(directory + "/" + segment_name(walked.segment - 1), FileSystem::Mode::write);
    if (!file) return file.error();
    if (auto cut = (*file)->truncate(size); !cut) return cut;
    return (*file)->sync();
}

Result<void> cut_back(const Recovering& recovering, Walked& walked) {
    // A tail that begins a new segment is cut at the segment's start. The earlier segments are complete.
    if (walked.tail && walked.tail->segment > walked.segment) {
        walked.segment = walked.tail->segment;
        walked.offset = 0;
    }
    if (auto removed = remove_later_segments(recovering, walked); !removed) return removed;
    if (auto removed = remove_spare(recovering); !removed) return removed;
    if (auto cut = cut_segment_before(recovering, walked); !cut) return cut;
    return rewrite_last_segment(recovering, walked);
}

}  // namespace

Error refusal(const std::string& directory, const Error& found) {
    return {.code = Errc::damaged,
            .detail = "the audit log in " + directory + " is not what was written: " + found.detail +
                      ". It will not be continued. Keep a copy of the directory, run `countersign audit verify` on it, "
                      "and restore it from a backup; or put it aside and begin a new one: `countersign audit seal "
                      "--reason \"what happened\"`."};
}

Result<Recovered> recover(const Recovering& recovering) {
    const auto& [files, directory, signer, now, trusted] = recovering;
    if (const auto made = files.make_directory(directory); !made) return made.error();
    if (const auto checked = check_key(recovering); !checked) return checked.error();
    Recovered recovered;
    const auto take = [&](const Record& record) { recovered.replay.take(record); };
    const auto first = trusted.value_or(signer.key());
    const auto keys = keys_with(files, directory, first);
    if (!keys) return keys.error();
    const auto anchors = anchors_beside(files, directory, *keys);
    if (!anchors) return anchors.error();
    auto walked = walk(files, directory, first, {.check = Chain::Check::last, .record = take, .anchors = *anchors});
    if (!walked) return walked.error();
    if (walked->broken) return why_refused(recovering, *walked);
    if (walked->keys.current() != signer.key()) return handed_over(recovering, *walked);
    if (const auto kept = keep_keys(recovering, *walked); !kept) return kept.error();

    // The checkpoint file is written after the last sync returned, so it proves that the stop record is on disk.
    const bool clean = walked->last_kind == "stop" && walked->checkpoint_size == walked->tree.size && !walked->tail;
    if (walked->segments > 0 && !clean) {
        if (const auto cut = cut_back(recovering, *walked); !cut) return cut.error();
    }
    recovered.end.range = walked->range;
    recovered.end.segment = walked->segment;
    recovered.end.offset = walked->offset;
    if (walked->segments > 0 && !clean && walked->offset > 0) {
        ++recovered.end.segment;
        recovered.end.offset = 0;
    }
    recovered.checkpoint_missing = walked->tree.size > 0 && !walked->checkpoint_size;
    recovered.removed = std::move(walked->tail);
    return recovered;
}

}  // namespace countersign::audit
