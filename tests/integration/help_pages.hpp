// SPDX-License-Identifier: Apache-2.0
// All commands of the program as its help pages list them, for tests that compare something with the whole table.
#pragma once

#include <string>
#include <vector>

namespace countersign::testing_tools {

struct HelpPage {
    std::vector<std::string> words;  // "audit", "list"; none for the program itself
    std::string text;
    std::vector<std::string> subcommands;
    std::vector<std::string> options;  // every name, "-n" and "--newest"
    std::vector<std::string> choices;  // of all options: "allow", "deny"

    // "countersign audit list"
    [[nodiscard]] std::string path() const;
};

// Each command comes before those below it.
[[nodiscard]] std::vector<HelpPage> help_pages();

}  // namespace countersign::testing_tools
