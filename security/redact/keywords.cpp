// SPDX-License-Identifier: Apache-2.0
#include "security/redact/keywords.hpp"

#include <algorithm>
#include <deque>

namespace countersign::security {
namespace {

std::uint8_t lower(char byte) {
    const auto value = static_cast<std::uint8_t>(byte);
    return value >= 'A' && value <= 'Z' ? static_cast<std::uint8_t>(value + 32) : value;
}

}  // namespace

Keywords::Keywords(const std::vector<Word>& words, std::size_t groups) : groups_{groups} {
    for (const auto& word : words) {
        for (const char byte : word.text) {
            auto& column = column_[lower(byte)];
            if (column == 0) column = static_cast<std::uint8_t>(columns_++);
        }
    }
    for (std::size_t byte = 'A'; byte <= 'Z'; ++byte) column_[byte] = column_[byte + 32];
    next_.resize(columns_);
    groups_at_.resize(1);
    for (const auto& word : words) add(word);
    link();
    steps_.reserve(next_.size());
    for (const auto node : next_) {
        steps_.push_back(static_cast<Node>(node * columns_ * 2) + (groups_at_[node].empty() ? 0U : 1U));
    }
}

void Keywords::add(const Word& word) {
    Node node = 0;
    for (const char byte : word.text) {
        const auto edge = node * columns_ + column_[lower(byte)];
        if (next_[edge] == 0) {
            next_[edge] = static_cast<Node>(groups_at_.size());
            groups_at_.emplace_back();
            next_.resize(next_.size() + columns_);
        }
        node = next_[edge];
    }
    groups_at_[node].push_back(word.group);
}

// Breadth first, so that a node's failure target is complete before it is read.
void Keywords::link() {
    std::vector<Node> failure(groups_at_.size(), 0);
    std::deque<Node> queue;
    for (std::size_t column = 0; column < columns_; ++column) {
        if (next_[column] != 0) queue.push_back(next_[column]);
    }
    while (!queue.empty()) {
        const auto node = queue.front();
        queue.pop_front();
        const auto& inherited = groups_at_[failure[node]];
        groups_at_[node].insert(groups_at_[node].end(), inherited.begin(), inherited.end());
        for (std::size_t column = 0; column < columns_; ++column) {
            auto& target = next_[node * columns_ + column];
            const auto fallback = next_[failure[node] * columns_ + column];
            if (target == 0) {
                target = fallback;
                continue;
            }
            failure[target] = fallback;
            queue.push_back(target);
        }
    }
}

std::vector<std::vector<Keywords::Lines>> Keywords::lines_with(std::string_view text) const {
    std::vector<std::vector<Lines>> found(groups_);
    Lines line{0, 0};
    Node step = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        step = steps_[step / 2 + column_[static_cast<std::uint8_t>(text[at])]];
        if (step % 2 == 0) continue;
        if (at >= line.end) {
            line.begin = text.substr(0, at).rfind('\n') + 1;
            line.end = std::min(text.find('\n', at), text.size() - 1) + 1;
        }
        for (const auto group : groups_at_[step / 2 / columns_]) {
            auto& lines = found[group];
            if (lines.empty() || lines.back().end < line.begin) {
                lines.push_back(line);
            } else {
                lines.back().end = line.end;
            }
        }
    }
    return found;
}

}  // namespace countersign::security
