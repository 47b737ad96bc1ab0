// SPDX-License-Identifier: Apache-2.0
#include "security/freshness.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace countersign::security {
namespace {

constexpr std::size_t unix_seconds_digits_max = 10;  // until the year 2286, and far from an overflow

std::string seconds_text(std::chrono::milliseconds span) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(span).count()) + " s";
}

}  // namespace

Result<WallTime> parse_unix_seconds(std::string_view text) {
    if (text.empty()) return Error{Errc::malformed, "no timestamp header"};
    if (text.size() > unix_seconds_digits_max) return Error{Errc::malformed, "the timestamp has too many digits"};
    if (!std::ranges::all_of(text, [](char symbol) { return symbol >= '0' && symbol <= '9'; })) {
        return Error{Errc::malformed, "the timestamp is not a plain number of seconds"};
    }
    if (text.front() == '0' && text.size() > 1) return Error{Errc::malformed, "the timestamp has a leading zero"};
    std::int64_t seconds = 0;
    for (const char digit : text) seconds = seconds * 10 + (digit - '0');
    return WallTime{std::chrono::seconds{seconds}};
}

Result<void> check_fresh(WallTime signed_at, const FreshnessWindow& window) {
    const std::string bound = ", at most " + seconds_text(limits::signature_age_max);
    if (window.now - signed_at > limits::signature_age_max) {
        return Error{Errc::stale, "the timestamp is " + seconds_text(window.now - signed_at) + " old" + bound};
    }
    if (signed_at - window.now > limits::signature_age_max) {
        return Error{Errc::stale, "the timestamp is " + seconds_text(signed_at - window.now) + " ahead" + bound +
                                      ": is this machine's clock right?"};
    }
    if (signed_at < window.started) {
        return Error{Errc::stale,
                     "signed " + seconds_text(window.started - signed_at) + " before this process started"};
    }
    return {};
}

}  // namespace countersign::security
