// SPDX-License-Identifier: Apache-2.0
// Unusual JSON texts from a seed, so that a failure can be reproduced.
#pragma once

#include "core/utf8.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace countersign::json {

class RandomJson {
public:
    explicit RandomJson(std::uint64_t seed) : random_{seed} {}

    std::string document() { return white_space() + value(4) + white_space(); }

    std::string number() {
        switch (below(6)) {
        case 0:
            return std::to_string(static_cast<std::int64_t>(random_()) >> below(64));
        case 1:
            return printed("%.17g");
        case 2:
            return shortest();
        case 3:
            return decimal();
        case 4:
            return printed("%.16e");
        default:
            return (below(2) == 0 ? "" : "-") + std::to_string(below(1000)) + "e" + std::to_string(below(700));
        }
    }

private:
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    std::string value(unsigned depth) {
        switch (below(depth == 0 ? 5 : 8)) {
        case 0:
            return below(2) == 0 ? "true" : "false";
        case 1:
            return "null";
        case 2:
            return string();
        case 3:
            return number();
        case 4:
            return number();
        case 5:
            return array(depth);
        default:
            return object(depth);
        }
    }

    std::string array(unsigned depth) {
        std::string text = "[" + white_space();
        for (auto left = below(5); left > 0; --left) {
            text += value(depth - 1) + white_space() + (left > 1 ? "," : "") + white_space();
        }
        return text + "]";
    }

    std::string object(unsigned depth) {
        std::string text = "{" + white_space();
        for (auto left = below(7); left > 0; --left) {
            text += string() + white_space() + ":" + white_space() + value(depth - 1) + (left > 1 ? "," : "");
        }
        return text + "}";
    }

    std::string string() {
        std::string text = "\"";
        for (auto left = below(6); left > 0; --left) text += character();
        return text + "\"";
    }

    std::string character() {
        static constexpr const char* nasty[] = {"\\\"", "\\\\", "\\/",     "\\b",          "\\f",       "\\n", "\\r",
                                                "\\t",  "\x7f", "\\u2028", "\xe2\x80\xa8", "__proto__", "0",   "1",
                                                "10",   "a",    "A",       "toJSON",       "'"};
        switch (below(7)) {
        case 0:
            return nasty[below(std::size(nasty))];
        case 1:
            return escaped(static_cast<char32_t>(below(0x20)));
        case 2:
            return raw(0x20 + static_cast<char32_t>(below(0x5F)));
        case 3:
            return either(0x80 + static_cast<char32_t>(below(0xD800 - 0x80)));
        case 4:
            return either(0xE000 + static_cast<char32_t>(below(0x2000)));
        default:
            return either(0x10000 + static_cast<char32_t>(below(0x100000)));
        }
    }

    std::string either(char32_t point) { return below(2) == 0 ? raw(point) : escaped(point); }

    std::string raw(char32_t point) {
        if (point == '"' || point == '\\') return escaped(point);
        std::string text;
        utf8::append(text, point);
        return text;
    }

    std::string escaped(char32_t point) {
        if (point < 0x10000) return unit(point);
        return unit(0xD800 + ((point - 0x10000) >> 10U)) + unit(0xDC00 + ((point - 0x10000) & 0x3FFU));
    }

    std::string unit(char32_t unit) {
        char text[8];
        std::snprintf(text, sizeof text, below(2) == 0 ? "\\u%04x" : "\\u%04X", static_cast<unsigned>(unit));
        return text;
    }

    double finite() {
        for (;;) {
            const auto number = std::bit_cast<double>(random_());
            if (std::isfinite(number)) return number;
        }
    }

    std::string printed(const char* format) {
        char text[40];
        std::snprintf(text, sizeof text, format, finite());
        return text;
    }

    std::string shortest() {
        char text[40];
        return {text, std::to_chars(text, text + sizeof text, finite()).ptr};
    }

    std::string decimal() {
        std::string text = below(2) == 0 ? "-" : "";
        text += std::to_string(below(std::uint64_t{1} << below(64))) + "." + std::to_string(below(1000));
        for (auto left = below(40); left > 0; --left) text += static_cast<char>('0' + below(10));
        return text + (below(2) == 0 ? "" : "E-" + std::to_string(below(340)));
    }

    std::string white_space() {
        static constexpr const char* spaces[] = {"", "", "", " ", "\t", "\r", "  "};
        return spaces[below(std::size(spaces))];
    }

    std::mt19937_64 random_;
};

}  // namespace countersign::json
