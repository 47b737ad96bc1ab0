// SPDX-License-Identifier: Apache-2.0
// The public keys of a log, as they lie beside it. Whoever could write the log could write them too: they tell logs
// apart, and a verifier that trusts them proves only that the log agrees with itself.
//
// A log begins under its first key. Each further one was named by a `key` record that the one before it signed.
#pragma once

#include "audit/file_system.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// At least one, oldest first. All have the name of the log, and none is there twice.
class LogKeys {
public:
    LogKeys(NoteKey first) : keys_{std::move(first)} {}  // NOLINT(google-explicit-constructor): most logs have one key
    // One verifier key a line, as text() has it. Errc::malformed.
    [[nodiscard]] static Result<LogKeys> parse(std::string_view text);
    // Errc::conflict for a key of another name or one that is there, Errc::too_large past log_keys_max.
    [[nodiscard]] Result<void> add(NoteKey key);

    [[nodiscard]] const std::string& origin() const { return keys_.front().name(); }
    [[nodiscard]] const NoteKey& first() const { return keys_.front(); }
    [[nodiscard]] const NoteKey& current() const { return keys_.back(); }
    [[nodiscard]] const std::vector<NoteKey>& all() const { return keys_; }
    [[nodiscard]] bool has(const NoteKey& key) const;
    [[nodiscard]] bool begins_with(const LogKeys& earlier) const;
    [[nodiscard]] std::string text() const;

private:
    std::vector<NoteKey> keys_;
};

// The tree of a checkpoint that one of them signed; any other note is refused as open_note and parse_checkpoint do.
[[nodiscard]] Result<Tree> open_checkpoint(std::string_view note, const LogKeys& keys);

// Those in this file; none if there is no such file, or nothing in it that is keys.
[[nodiscard]] Result<std::optional<LogKeys>> keys_in(FileSystem& files, const std::string& path);
// Those of the log in this directory. Errc::damaged if they are missing or no keys.
[[nodiscard]] Result<LogKeys> read_log_keys(FileSystem& files, const std::string& directory);
// What somebody who trusts this key takes for the log's: the keys beside it if it is one of them, else itself alone.
[[nodiscard]] Result<LogKeys> keys_with(FileSystem& files, const std::string& directory, const NoteKey& trusted);

}  // namespace countersign::audit
