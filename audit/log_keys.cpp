// SPDX-License-Identifier: Apache-2.0
#include "audit/log_keys.hpp"

#include "audit/layout.hpp"
#include "audit/lines.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit {

Result<LogKeys> LogKeys::parse(std::string_view text) {
    if (!text.ends_with('\n')) return Error{Errc::malformed, "a key that no line break ends"};
    std::optional<LogKeys> keys;
    while (const auto line = take_line(text)) {
        auto key = NoteKey::parse(*line);
        if (!key) return key.error();
        if (!keys) {
            keys.emplace(std::move(*key));
        } else if (const auto added = keys->add(std::move(*key)); !added) {
            return Error{Errc::malformed, added.error().detail};
        }
    }
    return std::move(*keys);
}

Result<void> LogKeys::add(NoteKey key) {
    if (key.name() != origin()) return Error{Errc::conflict, key.name() + " is not the log " + origin()};
    if (has(key)) return Error{Errc::conflict, "the key " + key.vkey() + " was the log's before"};
    if (keys_.size() == limits::log_keys_max) return Error{Errc::too_large, "too many keys for one log"};
    keys_.push_back(std::move(key));
    return {};
}

bool LogKeys::has(const NoteKey& key) const { return std::ranges::find(keys_, key) != keys_.end(); }

bool LogKeys::begins_with(const LogKeys& earlier) const {
    return earlier.keys_.size() <= keys_.size() &&
           std::equal(earlier.keys_.begin(), earlier.keys_.end(), keys_.begin());
}

std::string LogKeys::text() const {
    std::string text;
    for (const auto& key : keys_) text += key.vkey() + "\n";
    return text;
}

Result<Tree> open_checkpoint(std::string_view note, const LogKeys& keys) {
    const auto text = open_note(note, keys.all());
    if (!text) return text.error();
    return parse_checkpoint(*text, keys.origin());
}

Result<std::optional<LogKeys>> keys_in(FileSystem& files, const std::string& path) {
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return std::optional<LogKeys>{};
    const auto bytes = read_whole(files, path, limits::record_bytes_max);
    if (!bytes && bytes.error().code == Errc::unavailable) return bytes.error();
    auto keys = bytes ? LogKeys::parse(*bytes) : Result<LogKeys>{bytes.error()};
    return keys ? std::optional{std::move(*keys)} : std::optional<LogKeys>{};
}

Result<LogKeys> read_log_keys(FileSystem& files, const std::string& directory) {
    const auto path = directory + "/" + vkey_name;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return Error{Errc::damaged, "log.vkey is missing; give the log's key with --vkey"};
    const auto bytes = read_whole(files, path, limits::record_bytes_max);
    if (!bytes) return bytes.error();
    auto keys = LogKeys::parse(*bytes);
    if (!keys) return Error{Errc::damaged, "log.vkey does not hold a key: " + keys.error().detail};
    return keys;
}

Result<LogKeys> keys_with(FileSystem& files, const std::string& directory, const NoteKey& trusted) {
    auto beside = keys_in(files, directory + "/" + vkey_name);
    if (!beside) return beside.error();
    if (*beside && (*beside)->has(trusted)) return std::move(**beside);
    return LogKeys{trusted};
}

}  // namespace countersign::audit
