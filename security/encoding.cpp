// SPDX-License-Identifier: Apache-2.0
#include "security/encoding.hpp"

#include <array>
#include <optional>

namespace countersign::security {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::optional<std::uint8_t> hex_value(char symbol) {
    if (symbol >= 'A' && symbol <= 'F') symbol = static_cast<char>(symbol - 'A' + 'a');
    const auto value = hex_digits.find(symbol);
    if (value == std::string_view::npos) return std::nullopt;
    return static_cast<std::uint8_t>(value);
}

// The value of each character; no_value for characters outside the alphabet.
constexpr std::uint8_t no_value = 0xFF;
using Table = std::array<std::uint8_t, 256>;
constexpr Table table_of(std::string_view alphabet) {
    Table table{};
    table.fill(no_value);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return table;
}
constexpr Table standard_table = table_of(standard);
constexpr Table url_safe_table = table_of(url_safe);

std::string encode(std::string_view alphabet, std::span<const std::uint8_t> bytes) {
    std::string text((bytes.size() * 4 + 2) / 3, '\0');
    auto next = text.begin();
    for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
        const auto three = std::uint32_t{bytes[0]} << 16U | std::uint32_t{bytes[1]} << 8U | bytes[2];
        for (const auto shift : {18U, 12U, 6U, 0U}) *next++ = alphabet[three >> shift & 63U];
    }
    std::uint32_t held = 0;  // bits read but not written yet
    unsigned bits = 0;
    for (const auto byte : bytes) {
        held = ((held << 8U) | byte) & 0xFFFFU;
        for (bits += 8; bits >= 6; bits -= 6) *next++ = alphabet[(held >> (bits - 6)) & 63U];
    }
    if (bits > 0) *next = alphabet[(held << (6 - bits)) & 63U];
    return text;
}

// Precondition: no padding.
Result<Bytes> decode(const Table& table, std::string_view text) {
    if (text.size() % 4 == 1) return Error{Errc::malformed, "base64 of an impossible length"};
    const auto foreign = [] { return Error{Errc::malformed, "a character that is not of the base64 alphabet"}; };
    const auto value_of = [&](char symbol) { return table[static_cast<unsigned char>(symbol)]; };
    Bytes bytes(text.size() * 3 / 4);
    auto next = bytes.begin();
    // Four characters make three bytes. This loop is unrolled because the log has such a text in each of millions of
    // lines.
    for (; text.size() >= 4; text.remove_prefix(4)) {
        const std::uint32_t a = value_of(text[0]);
        const std::uint32_t b = value_of(text[1]);
        const std::uint32_t c = value_of(text[2]);
        const std::uint32_t d = value_of(text[3]);
        if ((a | b | c | d) > 63) return foreign();
        *next++ = static_cast<std::uint8_t>(a << 2U | b >> 4U);
        *next++ = static_cast<std::uint8_t>(b << 4U | c >> 2U);
        *next++ = static_cast<std::uint8_t>(c << 6U | d);
    }
    std::uint32_t held = 0;
    unsigned bits = 0;
    for (const char symbol : text) {
        const auto value = value_of(symbol);
        if (value == no_value) return foreign();
        held = ((held << 6U) | value) & 0xFFFFU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        *next++ = static_cast<std::uint8_t>(held >> bits);
    }
    if ((held & ((1U << bits) - 1U)) != 0) return Error{Errc::malformed, "base64 with unused bits that are not zero"};
    return bytes;
}

}  // namespace

std::string hex(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const auto byte : bytes) {
        text += hex_digits[byte >> 4U];
        text += hex_digits[byte & 15U];
    }
    return text;
}

std::string hex(std::string_view bytes) { return hex(bytes_of(bytes)); }

Result<Bytes> hex_decode(std::string_view text) {
    if (text.size() % 2 != 0) return Error{Errc::malformed, "an odd number of hexadecimal digits"};
    Bytes bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const auto high = hex_value(text[i]);
        const auto low = hex_value(text[i + 1]);
        if (!high || !low) return Error{Errc::malformed, "a character that is no hexadecimal digit"};
        bytes.push_back(static_cast<std::uint8_t>((*high << 4U) | *low));
    }
    return bytes;
}

std::string base64(std::span<const std::uint8_t> bytes) {
    auto text = encode(standard, bytes);
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::string base64(std::string_view bytes) { return base64(bytes_of(bytes)); }

Result<Bytes> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return Error{Errc::malformed, "base64 without its padding"};
    // Removes at most two: any further '=' stays in the text and isn't in the alphabet.
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    return decode(standard_table, text);
}

std::string base64url(std::span<const std::uint8_t> bytes) { return encode(url_safe, bytes); }

std::string base64url(std::string_view bytes) { return base64url(bytes_of(bytes)); }

Result<Bytes> base64url_decode(std::string_view text) { return decode(url_safe_table, text); }

}  // namespace countersign::security
