// SPDX-License-Identifier: Apache-2.0
// AnswerHead: collects the head of a response, line by line, within its bounds. No I/O.
//
// Interim responses (1xx), trailers and folded lines count towards the bounds but are not kept.
#pragma once

#include "core/http_message.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::net {

class AnswerHead {
public:
    // Takes one line as received. False for a line past a bound, and for every later line.
    [[nodiscard]] bool take(std::string_view line);
    // Whether the empty line after the head has arrived. libcurl treats a connection that breaks within the head as a
    // normal end.
    [[nodiscard]] bool whole() const { return !open_; }
    [[nodiscard]] std::vector<HttpHeader>& headers() { return headers_; }

private:
    std::vector<HttpHeader> headers_;
    std::size_t bytes_ = 0;
    std::size_t lines_ = 0;
    bool open_ = true;  // until the empty line after a status line
};

}  // namespace countersign::net
