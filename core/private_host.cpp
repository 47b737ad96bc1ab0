// SPDX-License-Identifier: Apache-2.0
#include "core/private_host.hpp"

#include "core/glob.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace countersign {

namespace {

using Octets = std::array<unsigned, 4>;

std::optional<unsigned> octet(std::string_view part) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool whole = error == std::errc{} && end == part.data() + part.size();
    if (!whole || value > 255 || (part.size() > 1 && part.front() == '0')) return std::nullopt;
    return value;
}

// Four decimal numbers without leading zeros: the only spelling that every program reads the same way.
std::optional<Octets> octets_of(std::string_view host) {
    Octets octets{};
    for (std::size_t at = 0; at < octets.size(); ++at) {
        const auto part = host.substr(0, host.find('.'));
        const bool last = at + 1 == octets.size();
        if (last != (part.size() == host.size())) return std::nullopt;
        const auto value = octet(part);
        if (!value) return std::nullopt;
        octets[at] = *value;
        host.remove_prefix(last ? part.size() : part.size() + 1);
    }
    return octets;
}

bool is_private(const Octets& address) {
    const auto [a, b, c, d] = address;
    const bool private_use = a == 10 || (a == 172 && b >= 16 && b <= 31) || (a == 192 && b == 168);
    // Carriers and clouds; one cloud has its metadata service there.
    const bool shared = a == 100 && b >= 64 && b <= 127;
    const bool link_local = a == 169 && b == 254;
    return a == 0 || a == 127 || private_use || shared || link_local || a >= 224;
}

bool is_number(std::string_view label) {
    if (label.empty() || label.front() < '0' || label.front() > '9') return false;
    const bool hexadecimal = label.starts_with("0x") || label.starts_with("0X");
    const auto digits = hexadecimal ? label.substr(2) : label;
    const auto* const known = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    return digits.find_first_not_of(known) == digits.npos;
}

}  // namespace

bool is_private_host(std::string_view host) {
    constexpr auto patterns = std::to_array<std::string_view>(
        {"*.localhost", "*.internal", "*.local", "*.lan", "*.localdomain", "*.home.arpa", "*.intranet"});
    while (host.ends_with('.')) host.remove_suffix(1);
    // An IPv6 address is rarely a public service, and a name without a dot never is.
    if (host.starts_with('[') || host.find('.') == host.npos) return true;
    if (const auto octets = octets_of(host)) return is_private(*octets);
    if (is_number(host.substr(host.rfind('.') + 1))) return true;
    return std::ranges::any_of(patterns, [host](std::string_view pattern) { return glob_fits(pattern, host); });
}

}  // namespace countersign
