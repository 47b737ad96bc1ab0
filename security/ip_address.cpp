// SPDX-License-Identifier: Apache-2.0
#include "security/ip_address.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include <arpa/inet.h>

namespace countersign::security {

namespace {

constexpr std::size_t ipv4_parts_max = 4;
constexpr std::size_t number_chars_max = 32;  // including leading zeros
constexpr std::size_t pieces = 8;

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view without_final_dot(std::string_view host) {
    if (host.ends_with('.')) host.remove_suffix(1);
    return host;
}

// Decimal, octal after "0", hexadecimal after "0x"; "0x" alone is 0.
std::optional<std::uint64_t> number_in(std::string_view part) {
    if (part.empty() || part.size() > number_chars_max) return std::nullopt;
    int base = 10;
    if (part.starts_with("0x") || part.starts_with("0X")) {
        base = 16;
        part.remove_prefix(2);
    } else if (part.size() > 1 && part.front() == '0') {
        base = 8;
        part.remove_prefix(1);
    }
    if (part.empty()) return 0;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
    if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
    return value;
}

std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view host) {
    std::vector<std::uint64_t> numbers;
    for (bool more = true; more;) {
        const auto part = host.substr(0, host.find('.'));
        more = part.size() < host.size();
        host.remove_prefix(more ? part.size() + 1 : part.size());
        const auto number = number_in(part);
        if (!number || numbers.size() == ipv4_parts_max) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::string hexadecimal(unsigned value) {
    std::array<char, 4> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    return {digits.data(), end};
}

struct Run {
    std::size_t begin = pieces;
    std::size_t length = 1;  // a single zero isn't compressed
};

// The first of the longest runs of zeros.
Run longest_zeros(const std::array<unsigned, pieces>& all) {
    Run best;
    for (std::size_t begin = 0; begin < pieces; ++begin) {
        std::size_t length = 0;
        while (begin + length < pieces && all[begin + length] == 0) ++length;
        if (length > best.length) best = {.begin = begin, .length = length};
    }
    return best;
}

}  // namespace

bool ends_in_number(std::string_view host) {
    host = without_final_dot(host);
    const auto last = host.substr(host.rfind('.') + 1);
    if (all_digits(last)) return true;
    const bool hexadecimal = last.starts_with("0x") || last.starts_with("0X");
    return hexadecimal && last.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

std::optional<std::string> ipv4_canonical(std::string_view host) {
    const auto numbers = numbers_in(without_final_dot(host));
    if (!numbers) return std::nullopt;
    // The last number fills all remaining bytes.
    const auto bytes_left = 5 - numbers->size();
    if (numbers->back() >= (std::uint64_t{1} << (8 * bytes_left))) return std::nullopt;
    auto address = numbers->back();
    for (std::size_t at = 0; at + 1 < numbers->size(); ++at) {
        if ((*numbers)[at] > 255) return std::nullopt;
        address += (*numbers)[at] << (8 * (3 - at));
    }
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) {
        text.append(text.empty() ? "" : ".").append(std::to_string((address >> shift) & 255U));
    }
    return text;
}

std::optional<std::string> ipv6_canonical(std::string_view text) {
    in6_addr address{};
    const std::string given{text};
    if (given.size() >= INET6_ADDRSTRLEN || given.find('\0') != std::string::npos) return std::nullopt;
    if (::inet_pton(AF_INET6, given.c_str(), &address) != 1) return std::nullopt;
    std::array<unsigned, pieces> all{};
    for (std::size_t at = 0; at < pieces; ++at) {
        all[at] = static_cast<unsigned>(address.s6_addr[2 * at]) << 8U | address.s6_addr[2 * at + 1];
    }
    const auto zeros = longest_zeros(all);
    std::string out;
    for (std::size_t at = 0; at < pieces; ++at) {
        if (at == zeros.begin) {
            out += "::";
            at += zeros.length - 1;
            continue;
        }
        if (!out.empty() && !out.ends_with(':')) out += ':';
        out += hexadecimal(all[at]);
    }
    return out;
}

}  // namespace countersign::security
