// SPDX-License-Identifier: Apache-2.0
#include "security/form.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <optional>

namespace countersign::security {
namespace {

std::optional<unsigned> hex_value(char symbol) {
    if (symbol >= '0' && symbol <= '9') return static_cast<unsigned>(symbol - '0');
    if (symbol >= 'a' && symbol <= 'f') return static_cast<unsigned>(symbol - 'a' + 10);
    if (symbol >= 'A' && symbol <= 'F') return static_cast<unsigned>(symbol - 'A' + 10);
    return std::nullopt;
}

Result<std::string> decoded(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '+') {
            plain += ' ';
            continue;
        }
        if (text[at] != '%') {
            plain += text[at];
            continue;
        }
        const auto high = at + 1 < text.size() ? hex_value(text[at + 1]) : std::nullopt;
        const auto low = at + 2 < text.size() ? hex_value(text[at + 2]) : std::nullopt;
        if (!high || !low) return Error{Errc::malformed, "the form has a '%' without two hexadecimal digits"};
        plain += static_cast<char>(*high << 4U | *low);
        at += 2;
    }
    return plain;
}

Result<FormField> parse_field(std::string_view text) {
    const auto equals = text.find('=');
    auto name = decoded(text.substr(0, equals));
    if (!name) return name.error();
    if (name->empty()) return Error{Errc::malformed, "the form has a field without a name"};
    auto value = decoded(equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1));
    if (!value) return value.error();
    return FormField{std::move(*name), std::move(*value)};
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
    return std::ranges::equal(text, lower, [](char one, char other) {
        return (one >= 'A' && one <= 'Z' ? static_cast<char>(one + ('a' - 'A')) : one) == other;
    });
}

}  // namespace

Result<std::vector<FormField>> parse_form(std::string_view text) {
    std::vector<FormField> fields;
    while (!text.empty()) {
        if (fields.size() == limits::form_fields_max) return Error{Errc::too_large, "the form has too many fields"};
        const auto end = text.find('&');
        auto field = parse_field(text.substr(0, end));
        if (!field) return field.error();
        fields.push_back(std::move(*field));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
        if (text.empty()) return Error{Errc::malformed, "the form ends in '&'"};
    }
    return fields;
}

bool is_form(std::string_view content_type) {
    auto type = content_type.substr(0, content_type.find(';'));
    while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
    return equal_ignoring_case(type, "application/x-www-form-urlencoded");
}

}  // namespace countersign::security
