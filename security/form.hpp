// SPDX-License-Identifier: Apache-2.0
// Strict parser for application/x-www-form-urlencoded: rejects input that two parsers could read differently.
#pragma once

#include "core/result.hpp"

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

struct FormField {
    std::string name;
    std::string value;
    friend auto operator<=>(const FormField&, const FormField&) = default;
};

// The decoded fields in order: '+' is a space, '%' must be followed by two hexadecimal digits, the first '=' ends the
// name. Errc::malformed for an invalid escape, an empty field or an empty name; Errc::too_large over form_fields_max.
[[nodiscard]] Result<std::vector<FormField>> parse_form(std::string_view text);

// True if a Content-Type header means a form, with any parameters.
[[nodiscard]] bool is_form(std::string_view content_type);

}  // namespace countersign::security
