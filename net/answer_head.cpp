// SPDX-License-Identifier: Apache-2.0
#include "net/answer_head.hpp"

#include <algorithm>

namespace countersign::net {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lower(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

}  // namespace

bool AnswerHead::take(std::string_view line) {
    bytes_ += line.size();
    if (bytes_ > limits::http_answer_head_bytes_max) return false;
    if (line.starts_with("HTTP/")) {
        headers_.clear();
        open_ = true;
        return true;
    }
    if (trimmed(line).empty()) {
        open_ = false;
        return true;
    }
    if (++lines_ > limits::http_answer_headers_max) return false;
    const auto colon = line.find(':');
    const bool folded = line.front() == ' ' || line.front() == '\t';
    if (open_ && !folded && colon != line.npos) {
        headers_.push_back({lower(line.substr(0, colon)), std::string{trimmed(line.substr(colon + 1))}});
    }
    return true;
}

}  // namespace countersign::net
