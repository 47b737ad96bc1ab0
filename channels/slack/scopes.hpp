// SPDX-License-Identifier: Apache-2.0
// The scopes that the app's manifest asks for, and what each is needed for. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::slack {

struct Scope {
    std::string_view name;
    std::string_view purpose;  // follows "to"
};
// Those of deploy/slack-manifest.yaml, in its order.
[[nodiscard]] std::span<const Scope> app_scopes();

// The ones that are not in a list with commas.
[[nodiscard]] std::vector<std::string_view> missing_scopes(std::string_view granted);
// Names each with its purpose, then says what to do.
[[nodiscard]] std::string explain_missing_scopes(const std::vector<std::string_view>& missing);

}  // namespace countersign::channels::slack
