// SPDX-License-Identifier: Apache-2.0
#include "config/document.hpp"

#include "config/toml_guard.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

// The parser returns errors as values instead of throwing, and its recursion is bounded.
//
// toml++ 3.3 asserts conditions that a typing error can break, e.g. `x = [1,}`. A debug build would abort, and a
// release build tells the compiler to assume them. So its assertions are neither checked nor assumed; the parser then
// finds the error itself, which config_fuzz tests under the sanitizers.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace countersign::config {

static_assert(limits::config_depth_max == TOML_MAX_NESTED_VALUES);

namespace {

Position position_of(const toml::source_region& source) {
    return {.line = static_cast<int>(source.begin.line), .column = static_cast<int>(source.begin.column)};
}

Node converted(const toml::node& from);

Node::Table converted_table(const toml::table& from) {
    Node::Table table;
    table.reserve(from.size());
    for (auto&& [key, value] : from) {
        table.push_back({.key = std::string{key.str()}, .at = position_of(key.source()), .value = converted(value)});
    }
    std::ranges::sort(table, {},
                      [](const TomlEntry& e) { return std::tie(e.at, e.key); });  // toml++ sorts them by name
    return table;
}

Node converted(const toml::node& from) {
    Node node{.at = position_of(from.source()), .value = Node::Time{}};
    if (const auto* table = from.as_table()) {
        node.value = converted_table(*table);
    } else if (const auto* list = from.as_array()) {
        Node::List items;
        items.reserve(list->size());
        for (const auto& item : *list) items.push_back(converted(item));
        node.value = std::move(items);
    } else if (const auto* text = from.as_string()) {
        node.value = text->get();
    } else if (const auto* integer = from.as_integer()) {
        node.value = std::int64_t{integer->get()};
    } else if (const auto* number = from.as_floating_point()) {
        node.value = number->get();
    } else if (const auto* truth = from.as_boolean()) {
        node.value = truth->get();
    }
    return node;
}

// A suggestion for lines like `kind = terminal`, with the value in quotes; empty if the line is not like that.
std::string quoted_instead(std::string_view text, int line) {
    for (int number = 1; number < line; ++number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    text = text.substr(0, text.find('\n'));
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const auto key = text.substr(0, text.find_first_not_of(letters));
    const auto start = text.find_first_not_of(" \t", key.size());
    if (key.empty() || start == std::string_view::npos || text[start] != '=') return {};
    const auto begins = text.find_first_not_of(" \t", start + 1);
    if (begins == std::string_view::npos || letters.find(text[begins]) > 51) return {};
    const auto word = text.substr(begins, text.find_first_not_of(letters, begins) - begins);
    return "write words in quotes: " + std::string{key} + " = \"" + std::string{word} + "\"";
}

}  // namespace

std::string_view kind_name(const Node& node) {
    static constexpr std::string_view names[] = {"a table",  "a list",    "a string", "an integer",
                                                 "a number", "a boolean", "a time"};
    return names[node.value.index()];
}

Node read_document(std::string_view text, Problems& problems) {
    Node root{.at = {.line = 1, .column = 1}, .value = Node::Table{}};
    if (text.size() > limits::config_bytes_max) {
        problems.add({}, {}, "larger than " + std::to_string(limits::config_bytes_max) + " bytes");
        return root;
    }
    if (!may_be_parsed(text, problems)) return root;
    const auto parsed = toml::parse(text);
    if (!parsed) {
        const auto at = position_of(parsed.error().source());
        problems.add(at, {}, std::string{parsed.error().description()}, quoted_instead(text, at.line));
        return root;
    }
    root.value = converted_table(parsed.table());
    return root;
}

}  // namespace countersign::config
