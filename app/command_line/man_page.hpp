// SPDX-License-Identifier: Apache-2.0
// Manual pages, section 1, made from the command table: one page for the program and one for each command.
#pragma once

#include "app/command_line/command_table.hpp"

#include <string>
#include <string_view>

namespace countersign::app {

// "countersign-audit-list.1"
[[nodiscard]] std::string man_page_name(std::string_view path);

// The page of one command as man(7) source. It has no date, so the same program always gives the same bytes. `release`
// is what --version prints.
[[nodiscard]] std::string man_page(const TableEntry& entry, std::string_view release);

}  // namespace countersign::app
