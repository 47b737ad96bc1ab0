// SPDX-License-Identifier: Apache-2.0
#include "security/punycode.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <cstdint>

namespace countersign::security {

namespace {

// The parameters of RFC 3492 section 5.
constexpr std::uint32_t base = 36;
constexpr std::uint32_t t_min = 1;
constexpr std::uint32_t t_max = 26;
constexpr std::uint32_t skew = 38;
constexpr std::uint32_t damp = 700;
constexpr std::uint32_t first_bias = 72;
constexpr char32_t first_code = 0x80;
constexpr char32_t last_code = 0x10FFFF;

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) {
    if (k <= bias) return t_min;
    return std::min(k - bias, t_max);
}

std::uint32_t adapted(std::uint32_t delta, std::uint32_t points, bool first) {
    delta = first ? delta / damp : delta / 2;
    delta += delta / points;
    std::uint32_t k = 0;
    for (; delta > (base - t_min) * t_max / 2; k += base) delta /= base - t_min;
    return k + (base - t_min + 1) * delta / (delta + skew);
}

std::optional<std::uint32_t> digit_of(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a');
    if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 26);
    return std::nullopt;
}

char digit(std::uint32_t value) { return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26)); }

bool is_scalar(std::uint64_t code) { return code <= last_code && (code < 0xD800 || code > 0xDFFF); }

// Takes one number off the front, in the variable base that the bias determines.
std::optional<std::uint64_t> take_number(std::string_view& rest, std::uint32_t bias) {
    std::uint64_t number = 0;
    std::uint64_t weight = 1;
    for (std::uint32_t k = base;; k += base) {
        const auto value = rest.empty() ? std::nullopt : digit_of(rest.front());
        if (!value) return std::nullopt;
        rest.remove_prefix(1);
        number += *value * weight;
        // Larger than any code point at any position of a label, and it can only grow.
        if (number > std::uint64_t{last_code} * (limits::host_label_chars_max + 1)) return std::nullopt;
        const auto limit = threshold(k, bias);
        if (*value < limit) return number;
        weight *= base - limit;
    }
}

void append_number(std::string& out, std::uint64_t number, std::uint32_t bias) {
    for (std::uint32_t k = base;; k += base) {
        const auto limit = threshold(k, bias);
        if (number < limit) break;
        out += digit(static_cast<std::uint32_t>(limit + (number - limit) % (base - limit)));
        number = (number - limit) / (base - limit);
    }
    out += digit(static_cast<std::uint32_t>(number));
}

}  // namespace

std::optional<std::u32string> punycode_decoded(std::string_view label) {
    if (label.empty() || label.size() > limits::host_label_chars_max) return std::nullopt;
    std::u32string out;
    auto rest = label;
    if (const auto last = label.rfind('-'); last != std::string_view::npos) {
        out.assign(label.begin(), label.begin() + static_cast<std::ptrdiff_t>(last));
        rest.remove_prefix(last + 1);
    }
    if (rest.empty() || std::ranges::any_of(out, [](char32_t c) { return c >= first_code; })) return std::nullopt;
    std::uint64_t code = first_code;
    std::uint64_t at = 0;
    bool first = true;
    for (auto bias = first_bias; !rest.empty(); first = false) {
        const auto delta = take_number(rest, bias);
        if (!delta || out.size() == limits::host_label_chars_max) return std::nullopt;
        const auto points = static_cast<std::uint32_t>(out.size() + 1);
        bias = adapted(static_cast<std::uint32_t>(*delta), points, first);
        at += *delta;
        code += at / points;
        at %= points;
        if (!is_scalar(code)) return std::nullopt;
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(at++), static_cast<char32_t>(code));
    }
    return out;
}

std::optional<std::string> punycode_encoded(std::u32string_view label) {
    if (label.size() > limits::host_label_chars_max) return std::nullopt;
    std::string out;
    for (const auto c : label) {
        if (c < first_code) out += static_cast<char>(c);
    }
    std::size_t done = out.size();
    const auto basic = done;
    if (basic > 0) out += '-';
    auto bias = first_bias;
    std::uint64_t delta = 0;
    for (char32_t code = first_code; done < label.size(); ++code) {
        char32_t next = last_code + 1;
        for (const auto c : label) {
            if (c >= code) next = std::min(next, c);
        }
        if (!is_scalar(next)) return std::nullopt;
        delta += std::uint64_t{next - code} * (done + 1);
        code = next;
        for (const auto c : label) {
            if (c < code) ++delta;
            if (c != code) continue;
            append_number(out, delta, bias);
            bias = adapted(static_cast<std::uint32_t>(delta), static_cast<std::uint32_t>(done + 1), done == basic);
            delta = 0;
            ++done;
        }
        ++delta;
    }
    // "xn--" will be added in front.
    if (out.size() + 4 > limits::host_label_chars_max) return std::nullopt;
    return out;
}

}  // namespace countersign::security
