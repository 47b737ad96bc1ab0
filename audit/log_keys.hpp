// SPDX-License-Identifier: Apache-2.0
// LogKeys: the public keys of a log, as stored next to it. An attacker who can write the log can write this file too.
// So the keys only tell logs apart, and a verifier that trusts them proves only that the log is consistent with itself.
//
// A log begins with its first key. A `key` record, signed by the key before, introduces each later one.
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

// At least one key, oldest first, without duplicates. All have the log's name.
class LogKeys {
public:
    LogKeys(NoteKey first) : keys_{std::move(first)} {}  // NOLINT(google-explicit-constructor): most logs have one key
    // One verifier key per line, as text() writes them. Errc::malformed.
    [[nodiscard]] static Result<LogKeys> parse(std::string_view text);
    // Errc::conflict if the key has another name or is there already, Errc::too_large past log_keys_max.
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

// The tree of a checkpoint that one of the keys signed. Other errors are those of open_note and parse_checkpoint.
[[nodiscard]] Result<Tree> open_checkpoint(std::string_view note, const LogKeys& keys);

// The keys in this file. Empty if there is no such file or it does not contain valid keys.
[[nodiscard]] Result<std::optional<LogKeys>> keys_in(FileSystem& files, const std::string& path);
// The keys of the log in this directory. Errc::damaged if the file is missing or invalid.
[[nodiscard]] Result<LogKeys> read_log_keys(FileSystem& files, const std::string& directory);
// The log's keys from the view of a caller who trusts this one: the stored keys if it is among them, else this key
// alone.
[[nodiscard]] Result<LogKeys> keys_with(FileSystem& files, const std::string& directory, const NoteKey& trusted);

}  // namespace countersign::audit
