// SPDX-License-Identifier: Apache-2.0
#include "audit/log_marker.hpp"

#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"

#include <charconv>
#include <utility>

namespace countersign::audit {
namespace {

constexpr std::string_view after_seal = "/after-seal-";

// The number at the end of the name of a log that follows a sealed one; 0 for a first log.
unsigned seals_in(std::string_view origin) {
    const auto at = origin.rfind(after_seal);
    if (at == std::string_view::npos) return 0;
    const auto digits = origin.substr(at + after_seal.size());
    unsigned number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failure == std::errc{} && end == digits.data() + digits.size() ? number : 0;
}

std::string_view first_origin(std::string_view origin) {
    return seals_in(origin) == 0 ? origin : origin.substr(0, origin.rfind(after_seal));
}

struct Keys {
    std::optional<LogKeys> noted;   // as noted when the log was last started or sealed
    std::optional<LogKeys> beside;  // as stored next to the log
};

Result<Keys> keys_of(FileSystem& files, const std::string& state) {
    auto noted = keys_in(files, state + "/" + begun_name);
    if (!noted) return noted.error();
    auto beside = keys_in(files, state + "/" + log_directory + "/" + vkey_name);
    if (!beside) return beside.error();
    return Keys{.noted = std::move(*noted), .beside = std::move(*beside)};
}

// Whether the log predates a seal or a key change that was noted here. If keys are missing, recovery reports it.
bool is_an_older_one(const Keys& keys) {
    if (!keys.noted || !keys.beside) return false;
    if (keys.noted->origin() == keys.beside->origin()) return !keys.beside->begins_with(*keys.noted);
    return seals_in(keys.beside->origin()) < seals_in(keys.noted->origin());
}

}  // namespace

Result<std::string> what_is_lost(FileSystem& files, const std::string& state) {
    const std::string nothing;
    const auto begun = files.exists(state + "/" + begun_name);
    if (!begun) return begun.error();
    if (!*begun) return nothing;
    const auto audit = state + "/" + log_directory;
    const auto there = files.exists(audit);
    if (!there) return there.error();
    // If the directory is not what we wrote, recovery gives the more precise error.
    const auto segments = *there ? count_segments(files, audit) : Result<std::uint64_t>{0U};
    if (!segments && segments.error().code == Errc::damaged) return nothing;
    if (!segments) return segments.error();
    if (*segments == 0) return std::string{"is gone, and one was begun here"};
    const auto checkpoint = files.exists(audit + "/" + checkpoint_name);
    if (!checkpoint) return checkpoint.error();
    if (!*checkpoint) return std::string{"has lost its checkpoint, which no crash takes: its end may be cut off"};
    const auto keys = keys_of(files, state);
    if (!keys) return keys.error();
    if (!is_an_older_one(*keys)) return nothing;
    return std::string{"is not the one that was last written here: an older copy was put in its place"};
}

Result<void> check_begun(FileSystem& files, const std::string& state) {
    const auto lost = what_is_lost(files, state);
    if (!lost) return lost.error();
    if (lost->empty()) return {};
    return Error{Errc::damaged,
                 "the audit log in " + state + "/" + log_directory + " " + *lost +
                     ". Restore it from a backup; or begin a new one that says so: `countersign audit seal "
                     "--reason \"what happened\"`."};
}

Result<void> note_begun(FileSystem& files, const std::string& state) {
    const auto noted = files.exists(state + "/" + begun_name);
    if (!noted) return noted.error();
    const auto vkey = read_whole(files, state + "/" + log_directory + "/" + vkey_name, limits::record_bytes_max);
    if (!vkey) return vkey.error();
    if (*noted) {
        const auto before = read_whole(files, state + "/" + begun_name, limits::record_bytes_max);
        if (before && *before == *vkey) return {};
        if (!before && before.error().code == Errc::unavailable) return before.error();
    }
    return replace(files, state, begun_name, *vkey);
}

Result<std::string> origin_of_log(FileSystem& files, const std::string& state, const std::string& configured) {
    const auto keys = keys_in(files, state + "/" + log_directory + "/" + vkey_name);
    if (!keys) return keys.error();
    const bool follows = *keys && first_origin((*keys)->origin()) == configured;
    return follows ? (*keys)->origin() : configured;
}

Result<std::optional<std::string>> last_origin(FileSystem& files, const std::string& state) {
    const auto keys = keys_of(files, state);
    if (!keys) return keys.error();
    const auto& last = keys->beside && !is_an_older_one(*keys) ? keys->beside : keys->noted;
    return last ? std::optional{last->origin()} : std::nullopt;
}

std::string origin_after(std::string_view sealed) {
    return std::string{first_origin(sealed)} + std::string{after_seal} + std::to_string(seals_in(sealed) + 1);
}

}  // namespace countersign::audit
