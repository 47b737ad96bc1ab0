// SPDX-License-Identifier: Apache-2.0
// Finds the word that the operator probably meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::config {

// The candidate with the fewest changes (insert, delete, replace, swap two neighbours); the first one of equals. Empty
// if it needs more than three changes, or more than a third of the word.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      const std::vector<std::string_view>& candidates);

// "did you mean `required`?", or `otherwise` if no candidate is close.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                                       std::string otherwise);

// a, b, c
[[nodiscard]] std::string joined(const std::vector<std::string_view>& words);

}  // namespace countersign::config
