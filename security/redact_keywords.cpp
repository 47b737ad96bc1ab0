// SPDX-License-Identifier: Apache-2.0
#include "security/redact_keywords.hpp"

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
    ends_.reserve(groups_at_.size());
    for (const auto& at : groups_at_) ends_.push_back(at.empty() ? 0 : 1);
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

// Breadth first, so that the node a failure leads to is complete before it is read.
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

std::vector<bool> Keywords::occurring(std::string_view text) const {
    std::vector<bool> found(groups_, false);
    Node node = 0;
    for (const char byte : text) {
        node = next_[node * columns_ + column_[static_cast<std::uint8_t>(byte)]];
        if (ends_[node] == 0) continue;
        for (const auto group : groups_at_[node]) found[group] = true;
    }
    return found;
}

}  // namespace countersign::security
