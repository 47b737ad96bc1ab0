// SPDX-License-Identifier: Apache-2.0
#include "core/json/number.hpp"

#include "core/json/write.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace countersign::json {
namespace {

// The midpoint between two doubles has at most 768 significant digits. For the digits after that it only matters
// whether any of them isn't zero.
constexpr std::size_t digits_that_round = 768;
// The range of the decimal point of a finite non-zero double: DBL_MAX is 0.17…e309, the smallest is 0.49…e-323.
constexpr std::int64_t point_max = 309;
constexpr std::int64_t point_min = -324;
// A lexeme can't have enough digits to compensate for a larger exponent.
constexpr std::int64_t exponent_max = 100'000'000'000'000'000;

// An exact decimal value: 0.digits × 10^point, without leading or trailing zeros in the digits. Zero has no digits.
struct Decimal {
    bool negative = false;
    std::string digits;
    std::int64_t point = 0;

    [[nodiscard]] bool same_size(const Decimal& other) const {
        return digits == other.digits && (digits.empty() || point == other.point);
    }
    [[nodiscard]] bool integer() const { return static_cast<std::int64_t>(digits.size()) <= point; }
};

bool is_digit(char symbol) { return symbol >= '0' && symbol <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && is_digit(text[at + count])) ++count;
    return count;
}

std::int64_t exponent_of(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::int64_t exponent = 0;
    for (const char digit : text) exponent = std::min(exponent * 10 + (digit - '0'), exponent_max);
    return negative ? -exponent : exponent;
}

Decimal decimal_of(std::string_view lexeme) {
    Decimal decimal;
    decimal.negative = lexeme.starts_with('-');
    if (decimal.negative) lexeme.remove_prefix(1);
    const auto exponent_at = std::min(lexeme.find_first_of("eE"), lexeme.size());
    const auto mantissa = lexeme.substr(0, exponent_at);
    const auto point_at = std::min(mantissa.find('.'), mantissa.size());
    decimal.digits = mantissa.substr(0, point_at);
    if (point_at < mantissa.size()) decimal.digits += mantissa.substr(point_at + 1);
    decimal.point = static_cast<std::int64_t>(point_at);
    if (exponent_at < lexeme.size()) decimal.point += exponent_of(lexeme.substr(exponent_at + 1));

    const auto leading = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
    decimal.digits.erase(0, leading);
    decimal.point -= static_cast<std::int64_t>(leading);
    decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
    return decimal;
}

// The nearest double, ignoring the sign; infinity if it is too large.
double nearest(const Decimal& decimal) {
    if (decimal.digits.empty() || decimal.point < point_min) return 0;
    if (decimal.point > point_max) return HUGE_VAL;
    std::string bounded = "0." + decimal.digits.substr(0, digits_that_round);
    if (decimal.digits.size() > digits_that_round) bounded += '1';
    bounded += 'e' + std::to_string(decimal.point);
    double number = 0;
    const auto read = std::from_chars(bounded.data(), bounded.data() + bounded.size(), number);
    if (read.ec == std::errc{}) return number;
    return decimal.point > 0 ? HUGE_VAL : 0;
}

// The shortest decimal that reads back as this double, and the nearest of several. Precondition: finite.
Decimal shortest(double number) {
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific);
    return decimal_of({text, static_cast<std::size_t>(written.ptr - text)});
}

// Number::toString of ECMA-262, where n is the position of the point and k is the number of digits.
std::string laid_out(const Decimal& decimal) {
    if (decimal.digits.empty()) return "0";
    const auto& digits = decimal.digits;
    const auto k = digits.size();
    std::string text = decimal.negative ? "-" : "";
    if (decimal.point > 0 && decimal.point <= 21) {
        const auto n = static_cast<std::size_t>(decimal.point);
        if (k <= n) return text + digits + std::string(n - k, '0');
        return text + digits.substr(0, n) + "." + digits.substr(n);
    }
    if (decimal.point > -6 && decimal.point <= 0) {
        return text + "0." + std::string(static_cast<std::size_t>(-decimal.point), '0') + digits;
    }
    text += digits.front();
    if (k > 1) text += "." + digits.substr(1);
    const auto exponent = decimal.point - 1;
    return text + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
}

}  // namespace

std::size_t number_length(std::string_view text) {
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const auto whole = digits_at(text, at);
    if (whole == 0) return 0;
    at += text[at] == '0' ? 1 : whole;
    if (at < text.size() && text[at] == '.') {
        const auto fraction = digits_at(text, at + 1);
        if (fraction == 0) return at;
        at += 1 + fraction;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const bool sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
        const auto digits_begin = at + (sign ? 2 : 1);
        const auto exponent = digits_at(text, digits_begin);
        if (exponent > 0) at = digits_begin + exponent;
    }
    return at;
}

bool is_plain_integer(std::string_view lexeme) {
    constexpr std::size_t digits_that_fit = 15;
    if (lexeme == "0") return true;
    if (lexeme.starts_with('-')) lexeme.remove_prefix(1);
    return !lexeme.empty() && lexeme.size() <= digits_that_fit && lexeme.front() != '0' &&
           std::ranges::all_of(lexeme, is_digit);
}

NumberForm form_of(std::string_view lexeme) {
    if (is_plain_integer(lexeme)) return {.canonical = std::string{lexeme}, .loss = std::nullopt};
    const auto exact = decimal_of(lexeme);
    const auto number = nearest(exact);
    if (!std::isfinite(number)) return {.canonical = {}, .loss = Loss::number_range};
    auto kept = shortest(number);
    kept.negative = exact.negative;
    NumberForm form{.canonical = laid_out(kept), .loss = std::nullopt};
    if (exact.same_size(kept)) return form;
    if (kept.digits.empty()) {
        form.loss = Loss::number_range;
    } else {
        form.loss = exact.integer() ? Loss::inexact_integer : Loss::inexact_fraction;
    }
    return form;
}

Result<std::string> canonical_number(std::string_view lexeme) {
    if (lexeme.empty() || number_length(lexeme) != lexeme.size()) return Error{Errc::malformed, "not a JSON number"};
    auto form = form_of(lexeme);
    if (form.canonical.empty()) return Error{Errc::unsupported, "the number is not finite as a double"};
    return std::move(form.canonical);
}

}  // namespace countersign::json
