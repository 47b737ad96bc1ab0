// SPDX-License-Identifier: Apache-2.0
#include "audit/witness.hpp"

#include "audit/layout.hpp"
#include "audit/lines.hpp"
#include "audit/proof_text.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit {
namespace {

std::string file_of(const LogKeys& keys) { return file_name_of(keys.origin()) + ".checkpoint"; }

Witness::Answer refusal(unsigned status, std::string why) {
    return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(why) + "\n"};
}

struct AddCheckpoint {
    std::uint64_t old_size = 0;
    std::vector<Hash> proof;
    std::string_view checkpoint;
};

Result<AddCheckpoint> parse(std::string_view body) {
    constexpr std::string_view old = "old ";
    const auto line = take_line(body);
    if (!line || !line->starts_with(old)) return Error{Errc::malformed, "no old size"};
    const auto size = parse_size(line->substr(old.size()));
    if (!size) return size.error();
    auto proof = take_hash_lines(body);
    if (!proof) return proof.error();
    return AddCheckpoint{.old_size = *size, .proof = std::move(*proof), .checkpoint = body};
}

// Whether the newer tree begins with the older one. Every log begins empty, so the first checkpoint needs no proof and
// may not bring one.
bool extends(const Tree& older, const Tree& newer, std::span<const Hash> proof) {
    if (newer.size == 0 && newer.root != CompactRange{}.root()) return false;
    if (older.size == 0) return proof.empty();
    return consistent(older, newer, proof);
}

// Index of the newest key that signed the checkpoint. Precondition: at least one did.
std::size_t latest_signer(std::string_view checkpoint, const LogKeys& keys) {
    auto number = keys.all().size() - 1;
    while (number > 0 && !open_note(checkpoint, keys.all()[number])) --number;
    return number;
}

}  // namespace

Result<Witness> Witness::open(FileSystem& files, std::string directory, NoteSigner signer, std::vector<NoteKey> logs,
                              InPlace in_place) {
    if (logs.empty()) return Error{Errc::bad_config, "a witness needs the key of a log"};
    Witness witness{files, std::move(directory), std::move(signer), std::move(in_place)};
    for (auto& key : logs) {
        if (auto* log = witness.log_named(key.name())) {
            if (const auto added = log->keys.add(std::move(key)); !added) {
                return Error{Errc::bad_config, added.error().detail};
            }
        } else {
            witness.logs_.push_back({.keys = std::move(key)});
        }
    }
    if (witness.logs_.size() > limits::witness_logs_max) {
        return Error{Errc::bad_config, "too many logs for one witness"};
    }
    for (auto& log : witness.logs_) {
        if (const auto recalled = witness.recall(log); !recalled) return recalled.error();
    }
    return witness;
}

Result<void> Witness::recall(Log& log) const {
    log.latest = {.size = 0, .root = CompactRange{}.root()};
    const auto path = directory_ + "/" + file_of(log.keys);
    const auto there = files_->exists(path);
    if (!there) return there.error();
    if (!*there) return {};
    const auto bytes = read_whole(*files_, path, limits::witness_request_bytes_max);
    if (!bytes) return bytes.error();
    const auto tree = open_checkpoint(*bytes, log.keys);
    if (!tree) {
        return Error{Errc::damaged, path + " is not the checkpoint that was stored: " + tree.error().detail +
                                        ". After a change of the log's key, give the old one too, before the new one."};
    }
    log.latest = *tree;
    log.signed_by = latest_signer(*bytes, log.keys);
    return {};
}

// Checked before, so that we write nothing into another user's directory, and after, because the directory may have
// been moved meanwhile.
Result<void> Witness::keep(const Log& log, std::string_view note) const {
    if (in_place_) {
        if (auto there = in_place_(); !there) return there;
    }
    if (auto kept = replace(*files_, directory_, file_of(log.keys), note); !kept) return kept;
    return in_place_ ? in_place_() : Result<void>{};
}

Witness::Log* Witness::log_named(std::string_view origin) {
    const auto found = std::ranges::find_if(logs_, [&](const Log& log) { return log.keys.origin() == origin; });
    return found == logs_.end() ? nullptr : &*found;
}

Witness::Answer Witness::add_checkpoint(std::string_view body, std::uint64_t seconds) {
    const auto request = parse(body);
    if (!request) return refusal(400, request.error().detail);
    // Found by the origin in the checkpoint, which is trusted only after its signature is verified.
    auto* log = log_named(first_line(request->checkpoint));
    if (log == nullptr) return refusal(404, "a log that this witness does not look after");
    const auto tree = open_checkpoint(request->checkpoint, log->keys);
    if (!tree && tree.error().code == Errc::bad_signature) return refusal(403, tree.error().detail);
    if (!tree) return refusal(400, tree.error().detail);
    const auto signed_by = latest_signer(request->checkpoint, log->keys);
    if (signed_by < log->signed_by) return refusal(403, "signed by a key that the log does not use any more");
    if (request->old_size > tree->size) return refusal(400, "the old size is larger than the new one");
    if (request->old_size != log->latest.size) {
        return {.status = 409, .content_type = "text/x.tlog.size", .body = std::to_string(log->latest.size) + "\n"};
    }
    if (!extends(log->latest, *tree, request->proof)) return refusal(422, "no proof that the log grew");

    const auto note = signed_only_by(request->checkpoint, log->keys.all());
    if (!note) return refusal(400, note.error().detail);
    if (const auto kept = keep(*log, *note); !kept) {
        return refusal(500, "the checkpoint could not be stored");
    }
    log->latest = *tree;
    log->signed_by = signed_by;
    return {.status = 200,
            .content_type = "text/plain; charset=utf-8",
            .body = signature_line(signer_.key().name(),
                                   signer_.cosign(checkpoint_text(log->keys.origin(), *tree), seconds))};
}

}  // namespace countersign::audit
