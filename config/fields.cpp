// SPDX-License-Identifier: Apache-2.0
#include "config/fields.hpp"

#include "config/nearest.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace countersign::config {

namespace {

const Node::Table no_entries;

std::string a_not_b(const Node& node, std::string_view wanted) {
    return "this is " + std::string{kind_name(node)} + ", not " + std::string{wanted};
}

std::string last_part(std::string_view key) {
    const auto dot = key.rfind('.');
    return std::string{dot == std::string_view::npos ? key : key.substr(dot + 1)};
}

std::string write(std::string_view key, std::string_view example) {
    return "write " + std::string{key} + " = " + std::string{example};
}

}  // namespace

Fields::Fields(const Node& node, std::string path, Problems& problems)
    : table_{node.table()}, at_{node.at}, path_{std::move(path)}, problems_{problems} {
    if (table_ != nullptr) return;
    table_ = &no_entries;
    problems_.add(at_, path_, a_not_b(node, "a table"), "write { … }, or a [header] of its own");
}

const Node* Fields::node(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
    const auto found = std::ranges::find(*table_, key, &TomlEntry::key);
    return found == table_->end() ? nullptr : &found->value;
}

std::optional<std::string> text_of(const Node& node, const std::string& key, std::string_view example,
                                   Problems& problems) {
    const auto instead = key.ends_with(']') ? "write " + std::string{example} : write(last_part(key), example);
    const auto* text = node.text();
    if (text == nullptr) {
        problems.add(node.at, key, a_not_b(node, "a string"), instead);
    } else if (text->empty()) {
        problems.add(node.at, key, "this is empty", instead + ", or leave it out");
    } else if (text->size() > limits::config_text_bytes_max) {
        problems.add(node.at, key, "longer than " + std::to_string(limits::config_text_bytes_max) + " bytes");
    } else if (text->find('\0') != std::string::npos) {
        problems.add(node.at, key, "holds a zero byte", instead);
    } else {
        return *text;
    }
    return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view key, std::string_view example) {
    const auto* found = node(key);
    return found == nullptr ? std::nullopt : text_of(*found, key_of(key), example, problems_);
}

std::optional<bool> Fields::boolean(std::string_view key) {
    const auto* found = node(key);
    if (found == nullptr) return std::nullopt;
    if (const auto* truth = found->boolean()) return *truth;
    reject(key, a_not_b(*found, "a boolean"), write(key, "true") + " or false, without quotes");
    return std::nullopt;
}

std::optional<std::int64_t> Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) {
    const auto* found = node(key);
    if (found == nullptr) return std::nullopt;
    const auto* integer = found->integer();
    const auto range = std::to_string(least) + " to " + std::to_string(most);
    if (integer == nullptr) {
        reject(key, a_not_b(*found, "an integer"), "write a number from " + range + ", without quotes");
        return std::nullopt;
    }
    if (*integer >= least && *integer <= most) return *integer;
    reject(key, std::to_string(*integer) + " is out of range", "write a number from " + range);
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> Fields::duration(std::string_view key, std::chrono::milliseconds least) {
    const auto given = text(key, "\"5m\"");
    if (!given) return std::nullopt;
    const auto parsed = parse_duration(*given);
    const auto most = std::chrono::milliseconds{limits::request_timeout_max};
    if (!parsed) {
        reject(key, "this is no duration", write(key, "\"5m\"") + "; units are ms, s, m, h and d");
    } else if (*parsed < least || *parsed > most) {
        reject(key, "out of range", "write a duration from " + print_duration(least) + " to " + print_duration(most));
    } else {
        return parsed;
    }
    return std::nullopt;
}

std::vector<Word> Fields::words(std::string_view key, std::string_view example) {
    std::vector<Word> words;
    const auto* found = node(key);
    if (found == nullptr) return words;
    const auto* list = found->list();
    if (list == nullptr) {
        reject(key, a_not_b(*found, "a list"), write(key, "[" + std::string{example} + "]"));
        return words;
    }
    for (std::size_t i = 0; i < list->size() && !problems_.full(); ++i) {
        const auto& item = (*list)[i];
        const auto item_key = index_path(key_of(key), i);
        if (auto text = text_of(item, item_key, example, problems_)) {
            words.push_back({.text = std::move(*text), .at = item.at, .key = item_key});
        }
    }
    return words;
}

std::optional<std::string> Fields::word_among(std::string_view key, const std::vector<std::string_view>& allowed) {
    auto given = text(key, "\"" + std::string{allowed.front()} + "\"");
    if (!given || std::ranges::find(allowed, *given) != allowed.end()) return given;
    reject(key, "no such word here", did_you_mean(*given, allowed, "write one of: " + joined(allowed)));
    return std::nullopt;
}

void Fields::reject(std::string_view key, std::string what, std::string instead) {
    if (table_ == &no_entries) return;  // this was already reported as not a table
    const auto* found = node(key);
    problems_.add(found == nullptr ? at_ : found->at, key_of(key), std::move(what), std::move(instead));
}

void Fields::finish(const std::function<bool(const TomlEntry&)>& explained) {
    const std::vector<std::string_view> known{known_.begin(), known_.end()};
    for (const auto& entry : *table_) {
        if (problems_.full()) return;
        if (std::ranges::find(known_, entry.key) != known_.end()) continue;
        if (explained && explained(entry)) continue;
        problems_.add(entry.at, key_of(entry.key), "unknown key",
                      did_you_mean(entry.key, known, "known here: " + joined(known)));
    }
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
    struct Unit {
        std::string_view name;
        std::int64_t milliseconds;
    };
    static constexpr Unit units[] = {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
    std::uint32_t number = 0;
    const auto* begin = text.data();
    const auto* end = begin + text.size();
    const auto [rest, error] = std::from_chars(begin, end, number);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view name{rest, static_cast<std::size_t>(end - rest)};
    const auto* unit = std::ranges::find(units, name, &Unit::name);
    if (unit == std::end(units)) return std::nullopt;
    // Cannot overflow: 32 bits of days are far below 63 bits.
    return std::chrono::milliseconds{number * unit->milliseconds};
}

std::string print_duration(std::chrono::milliseconds duration) {
    const auto count = duration.count();
    if (count % 86'400'000 == 0 && count > 0) return std::to_string(count / 86'400'000) + "d";
    if (count % 3'600'000 == 0 && count > 0) return std::to_string(count / 3'600'000) + "h";
    if (count % 60'000 == 0 && count > 0) return std::to_string(count / 60'000) + "m";
    if (count % 1'000 == 0) return std::to_string(count / 1'000) + "s";
    return std::to_string(count) + "ms";
}

std::optional<WallTime> parse_moment(std::string_view text) {
    if (text.size() != 20 || text.back() != 'Z') return std::nullopt;
    return wall_time_of(std::string{text.substr(0, 19)} + ".000Z");
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= limits::config_name_bytes_max && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

std::vector<Row> rows(Fields& root, std::string_view key, std::size_t most) {
    std::vector<Row> found;
    const auto* node = root.node(key);
    if (node == nullptr) return found;
    const auto* list = node->list();
    if (list == nullptr) {
        root.reject(key, a_not_b(*node, "a list of tables"), "write [[" + root.key_of(key) + "]], with two brackets");
        return found;
    }
    if (list->size() > most) root.reject(key, "more than " + std::to_string(most) + " of them");
    for (std::size_t i = 0; i < list->size() && i < most; ++i) {
        found.push_back({.node = &(*list)[i], .path = index_path(root.key_of(key), i)});
    }
    return found;
}

}  // namespace countersign::config
