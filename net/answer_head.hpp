// SPDX-License-Identifier: Apache-2.0
// The head of an answer, line by line, within its bounds. No I/O.
//
// Interim answers (1xx), trailers and folded lines count towards the bounds and are not kept.
#pragma once

#include "core/http_message.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::net {

class AnswerHead {
public:
    // One line as it came. False: one past a bound, now and for every later line.
    [[nodiscard]] bool take(std::string_view line);
    // Its empty line has come. libcurl itself takes a connection that breaks within the head for the end of an answer.
    [[nodiscard]] bool whole() const { return !open_; }
    [[nodiscard]] std::vector<HttpHeader>& headers() { return headers_; }

private:
    std::vector<HttpHeader> headers_;
    std::size_t bytes_ = 0;
    std::size_t lines_ = 0;
    bool open_ = true;  // until the empty line after a status line
};

}  // namespace countersign::net
