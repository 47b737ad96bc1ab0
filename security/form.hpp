// SPDX-License-Identifier: Apache-2.0
// application/x-www-form-urlencoded, read strictly: what two readers could take in two ways is refused.
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

// The fields in their order, decoded: '+' is a space, '%' is followed by two hexadecimal digits, the first '=' ends the
// name. Errc::malformed for a bad escape, an empty field or an empty name; Errc::too_large over form_fields_max.
[[nodiscard]] Result<std::vector<FormField>> parse_form(std::string_view text);

// Whether a Content-Type header says that the body is a form, whatever its parameters.
[[nodiscard]] bool is_form(std::string_view content_type);

}  // namespace countersign::security
