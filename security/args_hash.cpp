// SPDX-License-Identifier: Apache-2.0
#include "security/args_hash.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/utf8.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <limits>

namespace countersign::security {
namespace {

constexpr std::string_view canonical_tag = "approval-args/v1";
constexpr std::string_view raw_tag = "approval-args-raw/v1";
constexpr std::string_view native_tag = "native-key/v1";

bool countable(std::string_view part) { return part.size() <= std::numeric_limits<std::uint32_t>::max(); }

std::string framed_hash(std::string_view tag, std::initializer_list<std::string_view> parts) {
    Sha256 hash;
    hash.update(tag).update(std::string_view{"\0", 1});
    for (const auto part : parts) {
        // All callers bound their bytes far below this. If a length wrapped, the borders would be ambiguous.
        if (!countable(part)) std::abort();
        const auto size = static_cast<std::uint32_t>(part.size());
        const std::uint8_t length[]{static_cast<std::uint8_t>(size >> 24U), static_cast<std::uint8_t>(size >> 16U),
                                    static_cast<std::uint8_t>(size >> 8U), static_cast<std::uint8_t>(size)};
        hash.update(length).update(part);
    }
    return hex(hash.finish());
}

ArgsHash canonical_hash(std::string_view tool, const json::Value& arguments) {
    return {.hex = framed_hash(canonical_tag, {tool, json::canonical(arguments)}), .canonical = true};
}

ArgsHash raw_hash(std::string_view tool, std::string_view bytes) {
    return {.hex = framed_hash(raw_tag, {tool, bytes}), .canonical = false};
}

bool all_utf8(const std::vector<std::string>& argv, const std::optional<std::string>& cwd,
              const std::map<std::string, std::string>& env) {
    return std::ranges::all_of(argv, utf8::valid) && utf8::valid(cwd.value_or("")) &&
           std::ranges::all_of(env, [](const auto& set) { return utf8::valid(set.first) && utf8::valid(set.second); });
}

}  // namespace

Result<ArgsHash> args_hash(std::string_view tool, std::string_view raw_json) {
    if (!countable(tool) || !countable(raw_json)) return Error{Errc::too_large, "arguments of 4 GiB or more"};
    const auto document = json::read(raw_json);
    if (!document && document.error().code != Errc::too_large) return document.error();
    if (!document || !document->exact()) return raw_hash(tool, raw_json);
    return canonical_hash(tool, document->value);
}

Result<ArgsHash> args_hash_shell(const std::vector<std::string>& argv, const std::optional<std::string>& cwd,
                                 const std::map<std::string, std::string>& env) {
    // The writer would replace invalid UTF-8 with U+FFFD, so two different commands would have the same hash.
    if (!all_utf8(argv, cwd, env)) return Error{Errc::malformed, "a shell command that is not UTF-8"};
    json::Object call;
    call.add("argv", json::Array(argv.begin(), argv.end()));
    if (cwd) call.add("cwd", *cwd);
    if (!env.empty()) {
        json::Object overrides;
        for (const auto& [name, value] : env) overrides.add(name, value);
        call.add("env", std::move(overrides));
    }
    return canonical_hash("shell", call);
}

std::string display_hash(std::string_view text) { return hex(sha256(text)); }

std::string native_key(std::string_view runtime, std::string_view session, std::string_view native_id) {
    return framed_hash(native_tag, {runtime, session, native_id});
}

}  // namespace countersign::security
