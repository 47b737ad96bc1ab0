// SPDX-License-Identifier: Apache-2.0
// Principals as an operator writes them: the immutable id that a platform signs for, never a name that can pass to
// somebody else (I4).
#pragma once

#include "app/config/document.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace countersign::app {

struct PrincipalKind {
    std::string_view name;  // the key in [people.<name>], and the part before the colon
    std::string_view what;  // "a Telegram user id"
    std::optional<std::string> (*read)(const Node& node);
    std::string_view instead;  // what to write and where to find it
};
[[nodiscard]] std::span<const PrincipalKind> principal_kinds();

// Why `read` answered nothing, and what to write.
[[nodiscard]] std::string why_no_principal(const PrincipalKind& kind, const Node& node);
[[nodiscard]] std::string instead_of(const PrincipalKind& kind, const Node& node);

[[nodiscard]] bool is_digits(std::string_view text, std::size_t least, std::size_t most);
[[nodiscard]] bool is_phone_number(std::string_view text);  // E.164: +447700900123

}  // namespace countersign::app
