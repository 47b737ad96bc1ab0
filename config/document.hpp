// SPDX-License-Identifier: Apache-2.0
// A TOML document as plain values that know their position.
//
// The TOML library is heavy and stays in document.cpp; all other code reads this tree.
#pragma once

#include "config/problem.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::config {

struct TomlEntry;

struct Node {
    using List = std::vector<Node>;
    using Table = std::vector<TomlEntry>;  // in file order, keys unique
    struct Time {};                        // a date or time, which no setting accepts

    Position at;
    std::variant<Table, List, std::string, std::int64_t, double, bool, Time> value;

    [[nodiscard]] const Table* table() const { return std::get_if<Table>(&value); }
    [[nodiscard]] const List* list() const { return std::get_if<List>(&value); }
    [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
    [[nodiscard]] const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
    [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value); }
};

struct TomlEntry {
    std::string key;
    Position at;
    Node value;
};

// "a string", "an integer" …: names the kind of a value in a problem.
[[nodiscard]] std::string_view kind_name(const Node& node);

// The root table. Only reports problems if the text is not TOML, is larger than config_bytes_max or nests too deep.
[[nodiscard]] Node read_document(std::string_view text, Problems& problems);

}  // namespace countersign::config
