// SPDX-License-Identifier: Apache-2.0
#include "audit/witness_client.hpp"

#include "audit/leaves.hpp"
#include "audit/lines.hpp"
#include "audit/proof.hpp"
#include "audit/proof_text.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace countersign::audit {
namespace {

using Kind = WitnessAnswer::Kind;

WitnessAnswer failure(std::string why) { return {.kind = Kind::failure, .why = std::move(why)}; }
WitnessAnswer alarm(std::string why, std::uint64_t size = 0) {
    return {.kind = Kind::alarm, .size = size, .why = std::move(why)};
}

// An empty line would change where the text of the note ends.
bool only_signature_lines(std::string_view body) {
    if (body.empty()) return false;
    while (const auto line = take_line(body)) {
        if (!line->starts_with(signature_mark)) return false;
    }
    return body.empty();  // the last line must be complete too
}

// The line that this witness key made; the witness may sign with other keys under the same name.
std::string line_of(std::string_view body, const WitnessQuestion& question) {
    const auto text = question.checkpoint.substr(0, question.checkpoint.find("\n\n") + 1);
    const auto begin = std::string{signature_mark} + question.witness.name() + " ";
    std::string found;
    while (const auto line = take_line(body)) {
        if (line->starts_with(begin) && question.witness.verify(text, line->substr(begin.size()))) found = *line;
    }
    return found;
}

WitnessAnswer read_cosignature(const WitnessQuestion& question, std::string_view body) {
    if (!only_signature_lines(body)) return failure("its answer is no cosignature");
    // Keeps only the line that was verified.
    auto line = line_of(body, question);
    if (line.empty()) return failure("its answer is not signed by the key that vkey names");
    auto note = std::string{question.checkpoint} + line + "\n";
    const auto seconds = cosigned_at(note, question.witness);
    if (!seconds || !*seconds) return failure("its answer is no cosignature");
    const auto now = std::chrono::floor<std::chrono::seconds>(question.now.time_since_epoch()).count();
    const auto then = static_cast<std::int64_t>(std::min<std::uint64_t>(**seconds, INT64_MAX));
    if (std::abs(then - now) > limits::witness_clock_off_max.count()) {
        return failure("its cosignature names a time that is not now: one of the two clocks is wrong");
    }
    return {.kind = Kind::cosigned, .note = std::move(note), .cosignature = std::move(line), .size = question.size};
}

WitnessAnswer read_conflict(const WitnessQuestion& question, std::string_view body) {
    const auto size = parse_size(first_line(body));
    if (!size) return failure("it saw another size of this log, and does not say which");
    // It has this size but refuses the checkpoint: in tlog-witness v1.0.0 this means a different root. Later versions
    // answer 422.
    if (*size == question.size && question.old_size == question.size) {
        return alarm("it saw another log of " + std::to_string(*size) +
                     " records under this name: records were changed");
    }
    if (*size <= question.size) return {.kind = Kind::behind, .size = *size};
    return alarm("it saw " + std::to_string(*size) + " records of this log, which has " +
                     std::to_string(question.size) + " now: the log was rolled back, or another one has its name",
                 *size);
}

}  // namespace

std::string add_checkpoint_body(std::uint64_t old_size, std::span<const Hash> proof, std::string_view checkpoint) {
    return "old " + std::to_string(old_size) + "\n" + hash_lines(proof) + std::string{checkpoint};
}

Result<std::vector<Hash>> prove_growth(FileSystem& files, const std::string& directory, std::uint64_t older,
                                       const Tree& newer, const std::function<bool()>& stopped) {
    if (older == 0 || older == newer.size) return std::vector<Hash>{};
    ProofMaker maker{consistency_subtrees(older, newer.size)};
    CompactRange range;
    const auto read = each_leaf(files, directory, newer.size, [&](std::string_view json) -> Result<void> {
        if (stopped()) return Error{Errc::unavailable, "the hub stops"};
        const auto leaf = leaf_hash(json);
        maker.take(leaf);
        range.append(leaf);
        return {};
    });
    if (!read) return read.error();
    if (range.root() != newer.root) return Error{Errc::damaged, "the log's files do not hold what was signed"};
    return maker.proof();
}

WitnessAnswer read_answer(const WitnessQuestion& question, int status, std::string_view body) {
    switch (status) {
    case 200:
        return read_cosignature(question, body);
    case 409:
        return read_conflict(question, body);
    case 422:
        return alarm("it does not accept that this log grew out of what it saw: records were changed or removed");
    case 403:
        return alarm(
            "it does not take the key that signs this log: either it does not know a new key, and needs log.vkey "
            "(`witness --log`), or the log was rolled back to before a change of its key");
    case 404:
        return failure(
            "it does not look after this log, or url is wrong; give it log.vkey, as `witness --log` takes it");
    default:
        return failure("it answered with status " + std::to_string(status));
    }
}

}  // namespace countersign::audit
