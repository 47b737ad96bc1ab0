// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace countersign::utf8 {
namespace {

// The properties of a lead byte: the number of bytes, which of its bits are data, and the smallest value that needs
// that many bytes. A smaller value is an overlong form, a second spelling of a character that could bypass filters.
struct Shape {
    unsigned char mask;
    unsigned char lead;
    unsigned char length;
    char32_t least;
};
constexpr std::array<Shape, 4> shapes{{
    {.mask = 0x80, .lead = 0x00, .length = 1, .least = 0},
    {.mask = 0xE0, .lead = 0xC0, .length = 2, .least = 0x80},
    {.mask = 0xF0, .lead = 0xE0, .length = 3, .least = 0x800},
    {.mask = 0xF8, .lead = 0xF0, .length = 4, .least = 0x10000},
}};

constexpr bool is_surrogate(char32_t value) { return value >= 0xD800 && value <= 0xDFFF; }

std::optional<CodePoint> decode_as(const Shape& shape, std::string_view text) {
    if (text.size() < shape.length) return std::nullopt;
    char32_t value = static_cast<unsigned char>(text.front()) & ~shape.mask & 0xFFU;
    for (const char symbol : text.substr(1, shape.length - 1U)) {
        const auto byte = static_cast<unsigned char>(symbol);
        if ((byte & 0xC0U) != 0x80U) return std::nullopt;
        value = (value << 6U) | (byte & 0x3FU);
    }
    if (value < shape.least || value > 0x10FFFF || is_surrogate(value)) return std::nullopt;
    return CodePoint{.value = value, .length = shape.length};
}

}  // namespace

std::optional<CodePoint> decode(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const auto lead = static_cast<unsigned char>(text.front());
    for (const auto& shape : shapes) {
        if ((lead & shape.mask) == shape.lead) return decode_as(shape, text);
    }
    return std::nullopt;
}

std::size_t ascii_length(std::string_view text) {
    std::size_t at = 0;
    for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if ((eight & 0x8080808080808080U) != 0) break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
    return at;
}

void append(std::string& text, char32_t code_point) {
    const auto value = code_point > 0x10FFFF || is_surrogate(code_point) ? replacement : code_point;
    const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80U | ((value >> shift) & 0x3FU)); };
    if (value < 0x80) {
        text += static_cast<char>(value);
    } else if (value < 0x800) {
        text += static_cast<char>(0xC0U | (value >> 6U));
        tail(0);
    } else if (value < 0x10000) {
        text += static_cast<char>(0xE0U | (value >> 12U));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0U | (value >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

bool valid(std::string_view text) {
    for (text.remove_prefix(ascii_length(text)); !text.empty(); text.remove_prefix(ascii_length(text))) {
        const auto point = decode(text);
        if (!point) return false;
        text.remove_prefix(point->length);
    }
    return true;
}

std::string repaired(std::string_view text) {
    std::string whole;
    whole.reserve(text.size());
    while (!text.empty()) {
        const auto ascii = ascii_length(text);
        whole.append(text, 0, ascii);
        text.remove_prefix(ascii);
        if (text.empty()) break;
        const auto point = decode(text);
        append(whole, point ? point->value : replacement);
        text.remove_prefix(point ? point->length : 1);
    }
    return whole;
}

std::string_view head(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    auto end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
}

}  // namespace countersign::utf8
