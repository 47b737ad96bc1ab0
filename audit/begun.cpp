// SPDX-License-Identifier: Apache-2.0
#include "audit/begun.hpp"

#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"

#include <charconv>

namespace countersign::audit {
namespace {

constexpr std::string_view after_seal = "/after-seal-";

// The number behind the name of a log that follows a sealed one; 0 for a first log.
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

}  // namespace

Result<void> check_begun(FileSystem& files, const std::string& state) {
    const auto begun = files.exists(state + "/" + begun_name);
    if (!begun) return begun.error();
    const auto audit = state + "/" + log_directory;
    const auto there = *begun ? files.exists(audit) : Result<bool>{true};
    if (!there) return there.error();
    const auto segments = *begun && *there ? count_segments(files, audit) : Result<std::uint64_t>{*begun ? 0U : 1U};
    // A directory that is not what we wrote is judged by recovery, which says more.
    if (!segments || *segments > 0) return {};
    return Error{Errc::damaged,
                 "the audit log in " + audit +
                     " is gone, and one was begun here. Restore it from a backup; or begin a new one that "
                     "says so: `countersign audit seal --reason \"what happened\"`."};
}

Result<void> note_begun(FileSystem& files, const std::string& state) {
    const auto noted = files.exists(state + "/" + begun_name);
    if (!noted) return noted.error();
    const auto vkey = read_whole(files, state + "/" + log_directory + "/" + vkey_name, limits::record_bytes_max);
    if (!vkey) return vkey.error();
    if (*noted) {
        const auto before = read_whole(files, state + "/" + begun_name, limits::record_bytes_max);
        if (before && *before == *vkey) return {};
    }
    return replace(files, state, begun_name, *vkey);
}

Result<std::string> origin_of_log(FileSystem& files, const std::string& state, const std::string& configured) {
    const auto keys = keys_in(files, state + "/" + log_directory + "/" + vkey_name);
    if (!keys) return keys.error();
    const bool follows = *keys && first_origin((*keys)->origin()) == configured;
    return follows ? (*keys)->origin() : configured;
}

std::string origin_after(std::string_view sealed) {
    return std::string{first_origin(sealed)} + std::string{after_seal} + std::to_string(seals_in(sealed) + 1);
}

}  // namespace countersign::audit
