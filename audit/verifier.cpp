// SPDX-License-Identifier: Apache-2.0
#include "audit/verifier.hpp"

#include "audit/last_seen.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/log_scan.hpp"
#include "audit/long_text.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <iterator>

namespace countersign::audit {
namespace {

// Whether the record has a long text, which was checked.
Result<bool> check_text(FileSystem& files, const std::string& directory, const RecordHead& record) {
    if (record.text_file.empty()) return false;
    const auto text = read_long_text(files, directory, record.seq, record.text_file);
    if (!text) return text.error();
    return true;
}

Verification broken(Verification found, const Error& why) {
    found.verdict = Verification::Verdict::broken;
    found.proof = Verification::Proof::nothing;
    found.why = why.detail;
    return found;
}

// Copies the scan's result into a Verification.
Verification judged(Verification found, const Walked& walked) {
    found.records = walked.tree.size;
    found.root = security::base64(walked.tree.root);
    found.signatures = walked.signatures;
    found.unchecked = walked.unchecked;
    found.missing = walked.missing;
    found.checkpoint = walked.checkpoint_size;
    found.key_changes = walked.keys.all().size() - 1;
    if ((walked.broken && !walked.disagrees) || walked.tail) found.first_bad_seq = walked.tree.size;
    if (walked.broken) return broken(std::move(found), *walked.broken);
    if (walked.tree.size == 0) return broken(std::move(found), {Errc::damaged, "there is no signed record"});
    if (!walked.tail) {
        found.verdict = Verification::Verdict::intact;
        return found;
    }
    found.verdict = Verification::Verdict::unfinished;
    found.why = walked.tail->why;
    found.tail_bytes = walked.tail->bytes;
    return found;
}

// The checkpoints that witnesses may have cosigned: those kept elsewhere, and the log's own.
Result<std::vector<Anchor>> checkpoints(FileSystem& files, const std::string& directory, const LogKeys& keys,
                                        const std::vector<Anchor>& anchors) {
    std::vector<Anchor> found;
    std::ranges::copy_if(anchors, std::back_inserter(found), [](const Anchor& anchor) { return !anchor.note.empty(); });
    const auto path = directory + "/" + checkpoint_name;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return found;
    const auto bytes = read_whole(files, path, limits::record_bytes_max);
    if (!bytes) return bytes.error();
    auto own = parse_checkpoint_anchor(*bytes, keys);
    if (!own) return own.error();
    found.push_back(std::move(*own));
    return found;
}

Result<Cosigned> latest_cosigned(const NoteKey& witness, const std::vector<Anchor>& checkpoints) {
    std::optional<Cosigned> latest;
    for (const auto& checkpoint : checkpoints) {
        const auto seconds = cosigned_at(checkpoint.note, witness);
        if (!seconds) {
            return Error{Errc::bad_signature, "the cosignature of " + witness.name() + " on the checkpoint of size " +
                                                  std::to_string(checkpoint.size) + " is wrong"};
        }
        if (!*seconds || (latest && latest->size > checkpoint.size)) continue;
        latest = {.witness = witness.name(), .size = checkpoint.size, .seconds = **seconds};
    }
    if (latest) return *latest;
    return Error{Errc::bad_signature, "no checkpoint is cosigned by " + witness.name()};
}

// Adds what anchors and witnesses say about a log that is valid by itself.
Result<Verification> with_outsiders(Verification found, FileSystem& files, const std::string& directory,
                                    const LogKeys& keys, const Verifying& verifying) {
    found.anchors = verifying.anchors.size();
    if (!verifying.anchors.empty()) found.anchored = verifying.anchors.back().size;
    if (verifying.witnesses.empty()) return found;
    const auto notes = checkpoints(files, directory, keys, verifying.anchors);
    if (!notes) return notes.error();
    for (const auto& witness : verifying.witnesses) {
        const auto alarm = std::ranges::find(found.alarms, witness.name(), &Alarm::witness);
        if (alarm != found.alarms.end()) {
            const Error refused{Errc::damaged, "witness " + alarm->witness + " refused this log, as record " +
                                                   std::to_string(alarm->seq) + " says: " + alarm->why};
            return broken(std::move(found), refused);
        }
        auto cosigned = latest_cosigned(witness, *notes);
        if (!cosigned) return broken(std::move(found), cosigned.error());
        found.cosigned.push_back(std::move(*cosigned));
    }
    return found;
}

// A witness that cosigns again has accepted the log, which clears its earlier refusal.
void hear(std::vector<Alarm>& alarms, const Record& record) {
    const auto witness = record.text("witness");
    if (witness.empty()) return;
    std::erase_if(alarms, [&](const Alarm& alarm) { return alarm.witness == witness; });
    if (record.text("refused").empty() || alarms.size() == limits::log_witnesses_max) return;
    alarms.push_back({.witness = std::string{witness}, .seq = record.seq, .why = std::string{record.text("refused")}});
}

}  // namespace

std::string_view name(Verification::Verdict verdict) {
    switch (verdict) {
    case Verification::Verdict::intact:
        return "intact";
    case Verification::Verdict::unfinished:
        return "unfinished";
    case Verification::Verdict::broken:
        return "broken";
    }
    return "broken";
}

std::string_view name(Verification::Proof proof) {
    switch (proof) {
    case Verification::Proof::nothing:
        return "nothing";
    case Verification::Proof::self_consistent:
        return "self-consistent";
    case Verification::Proof::signed_by_given_key:
        return "signed by the key you gave";
    }
    return "nothing";
}

namespace {

// Checks every signature if the caller asks for it, if the log is short, or if another log may have been put here.
Chain::Check check_for(FileSystem& files, const std::string& directory, const Verifying& verifying) {
    const auto segments = count_segments(files, directory);
    const auto beside = read_log_keys(files, directory);
    const bool strange = verifying.key && beside && !beside->has(*verifying.key);
    const bool every =
        verifying.every_signature || strange || (segments && *segments <= limits::verify_every_segments_max);
    return every ? Chain::Check::each : Chain::Check::last;
}

// `beside`: anchors that the log must agree with. They prove nothing, because they are stored next to the log.
Result<Verification> verify_with(FileSystem& files, const std::string& directory, const Verifying& verifying,
                                 std::vector<Anchor> beside) {
    Verification found;
    const auto keys = verifying.key ? Result<LogKeys>{*verifying.key} : read_log_keys(files, directory);
    if (!keys && keys.error().code == Errc::unavailable) return keys.error();
    if (!keys) return broken(std::move(found), keys.error());
    // Without a key from the caller, the log is followed from the first key next to it.
    const auto& trusted = keys->first();
    found.origin = keys->origin();
    found.proof = verifying.key ? Verification::Proof::signed_by_given_key : Verification::Proof::self_consistent;

    std::optional<std::pair<std::uint64_t, Error>> bad_text;
    const auto look_at = [&](const RecordHead& record) {
        if (bad_text) return;
        const auto checked = check_text(files, directory, record);
        if (!checked) bad_text.emplace(record.seq, checked.error());
        if (checked && *checked) ++found.texts;
    };
    const auto heard = [&](const Record& record) { hear(found.alarms, record); };
    const auto check = check_for(files, directory, verifying);
    auto& anchors = beside;
    anchors.insert(anchors.end(), verifying.anchors.begin(), verifying.anchors.end());
    std::ranges::sort(anchors, {}, &Anchor::size);
    auto walked = walk(files, directory, trusted,
                       {.check = check,
                        .head = look_at,
                        .anchor = heard,
                        .anchors = anchors,
                        .check_in_last = check,
                        .progress = verifying.progress});
    if (!walked) return walked.error();
    // A defect was found at a signature that covers many records. Checking all of them tells where it begins.
    if (check == Chain::Check::last && walked->broken) {
        walked = walk(files, directory, trusted, {.anchors = anchors, .progress = verifying.progress});
        if (!walked) return walked.error();
    }
    found = judged(std::move(found), *walked);
    found.older_key = verifying.key && *verifying.key != walked->keys.current();
    const bool holds = found.verdict != Verification::Verdict::broken;
    if (!bad_text && holds) return with_outsiders(std::move(found), files, directory, walked->keys, verifying);
    if (!bad_text) return found;
    if (bad_text->second.code == Errc::unavailable) return bad_text->second;
    found.first_bad_seq = bad_text->first;
    return broken(std::move(found), bad_text->second);
}

}  // namespace

// For a caller who trusts a witness, a note that it cosigned next to the log is an anchor like those kept elsewhere.
Result<Verification> verify(FileSystem& files, const std::string& directory, const Verifying& verifying) {
    const auto keys = verifying.key ? keys_with(files, directory, *verifying.key) : read_log_keys(files, directory);
    if (!keys) return verify_with(files, directory, verifying, {});
    auto beside = anchors_beside(files, directory, *keys);
    if (!beside) return beside.error();
    if (verifying.witnesses.empty()) return verify_with(files, directory, verifying, std::move(*beside));
    const auto cosigned = cosigned_anchors(files, directory, *keys, verifying.witnesses);
    if (!cosigned && cosigned.error().code == Errc::unavailable) return cosigned.error();
    if (!cosigned) return broken({}, cosigned.error());
    auto with = verifying;
    with.anchors.insert(with.anchors.end(), cosigned->begin(), cosigned->end());
    std::ranges::sort(with.anchors, {}, &Anchor::size);
    return verify_with(files, directory, with, std::move(*beside));
}

}  // namespace countersign::audit
