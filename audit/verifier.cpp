// SPDX-License-Identifier: Apache-2.0
#include "audit/verifier.hpp"

#include "audit/layout.hpp"
#include "audit/log_key.hpp"
#include "audit/walk.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

namespace countersign::audit {
namespace {

constexpr std::uint64_t progress_records = 4096;

// A record whose text was too long for it names the file by the text's hash.
Result<bool> check_text(FileSystem& files, const std::string& directory, const Record& record) {
    const auto hash = record.text("textFile");
    if (hash.empty()) return false;
    const Error wrong{Errc::damaged, "the text of record " + std::to_string(record.seq) + " is missing or changed"};
    if (const auto digest = security::hex_decode(hash); !digest || digest->size() != sizeof(Hash)) return wrong;
    const auto path = directory + "/" + text_directory + "/" + std::string{hash};
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return wrong;
    const auto text = read_whole(files, path, limits::record_text_bytes_max);
    if (!text && text.error().code == Errc::unavailable) return text.error();
    if (!text || security::hex(security::sha256(*text)) != hash) return wrong;
    return true;
}

Verification broken(Verification found, const Error& why) {
    found.verdict = Verification::Verdict::broken;
    found.proof = Verification::Proof::nothing;
    found.why = why.detail;
    return found;
}

// What the walk says, in the verifier's words.
Verification judged(Verification found, const Walked& walked) {
    found.records = walked.tree.size;
    found.root = security::base64(walked.tree.root);
    found.signatures = walked.signatures;
    found.checkpoint = walked.checkpoint_size;
    if (walked.broken || walked.tail) found.first_bad_seq = walked.tree.size;
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

Result<Verification> verify(FileSystem& files, const std::string& directory, const Verifying& verifying) {
    Verification found;
    const auto key = verifying.key ? Result<NoteKey>{*verifying.key} : read_log_key(files, directory);
    if (!key && key.error().code == Errc::unavailable) return key.error();
    if (!key) return broken(std::move(found), key.error());
    found.origin = key->name();
    found.proof = verifying.key ? Verification::Proof::signed_by_given_key : Verification::Proof::self_consistent;

    std::optional<std::pair<std::uint64_t, Error>> bad_text;
    const auto look_at = [&](const Record& record) {
        if ((record.seq + 1) % progress_records == 0) verifying.progress(record.seq + 1);
        if (bad_text) return;
        const auto checked = check_text(files, directory, record);
        if (!checked) bad_text.emplace(record.seq, checked.error());
        if (checked && *checked) ++found.texts;
    };
    const auto walked = walk(files, directory, *key, {.check = Chain::Check::each, .record = look_at});
    if (!walked) return walked.error();
    found = judged(std::move(found), *walked);
    if (!bad_text) return found;
    if (bad_text->second.code == Errc::unavailable) return bad_text->second;
    found.first_bad_seq = bad_text->first;
    return broken(std::move(found), bad_text->second);
}

}  // namespace countersign::audit
