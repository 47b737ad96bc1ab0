// SPDX-License-Identifier: Apache-2.0
// Fields: reads one table of a configuration, key by key.
//
// Each call marks its key as known, returns the value or nothing, and reports what is wrong with it. `finish` reports
// all other keys as unknown: a mistyped key must never mean "not set".
#pragma once

#include "config/document.hpp"
#include "config/problem.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::config {

// One string of a list with its position, so that a later lookup can still report where it is.
struct Word {
    std::string text;
    Position at;
    std::string key;  // routes[0].deciders[1]
};

class Fields {
public:
    // Borrows everything but the path. A node that is not a table is reported and then treated as an empty one.
    Fields(const Node& node, std::string path, Problems& problems);

    // Null if the key is missing. `example` is a value as an operator would write it: "alice", in quotes.
    [[nodiscard]] const Node* node(std::string_view key);
    [[nodiscard]] std::optional<std::string> text(std::string_view key, std::string_view example);
    [[nodiscard]] std::optional<bool> boolean(std::string_view key);
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
    [[nodiscard]] std::optional<std::chrono::milliseconds> duration(std::string_view key,
                                                                    std::chrono::milliseconds least);
    [[nodiscard]] std::vector<Word> words(std::string_view key, std::string_view example);

    // One of a few words, mapped by the function that knows them.
    template <class Value>
    [[nodiscard]] std::optional<Value> one_of(std::string_view key, std::optional<Value> (*named)(std::string_view),
                                              const std::vector<std::string_view>& allowed) {
        const auto given = word_among(key, allowed);
        return given ? named(*given) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> word_among(std::string_view key,
                                                        const std::vector<std::string_view>& allowed);

    // Reports a problem at the key's value, or at the table if the key is missing.
    void reject(std::string_view key, std::string what, std::string instead = {});
    // Reports every key that was not read, unless `explained` reported it in better words.
    void finish(const std::function<bool(const TomlEntry&)>& explained = {});

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] Position at() const { return at_; }
    [[nodiscard]] const Node::Table& entries() const { return *table_; }
    [[nodiscard]] std::string key_of(std::string_view key) const { return key_path(path_, key); }
    [[nodiscard]] Problems& problems() { return problems_; }

private:
    const Node::Table* table_;
    Position at_;
    std::string path_;
    Problems& problems_;
    std::vector<std::string> known_;
};

// 500ms, 20s, 5m, 2h, 7d. Empty for anything else, and for durations that our clocks cannot represent.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
[[nodiscard]] std::string print_duration(std::chrono::milliseconds duration);

// 2026-12-01T12:00:00Z: in UTC, with seconds, as an operator writes it.
[[nodiscard]] std::optional<WallTime> parse_moment(std::string_view text);

// [a-z0-9_-]{1,64}
[[nodiscard]] bool is_name(std::string_view text);

// The string of a node. Empty, with a problem, if it is not a string, is empty or exceeds config_text_bytes_max.
[[nodiscard]] std::optional<std::string> text_of(const Node& node, const std::string& key, std::string_view example,
                                                 Problems& problems);

// The tables of [[key]] with their paths, at most `most`.
struct Row {
    const Node* node;
    std::string path;
};
[[nodiscard]] std::vector<Row> rows(Fields& root, std::string_view key, std::size_t most);

}  // namespace countersign::config
