// SPDX-License-Identifier: Apache-2.0
// The end of a stream, bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::net {

class Tail {
public:
    explicit Tail(std::size_t bytes_max) : bytes_max_{bytes_max} {}
    void push(std::string_view bytes);
    // What was pushed last, at most bytes_max, from the start of a line on: the end of a line that was cut may be the
    // end of a secret, and no redactor would know it by that.
    [[nodiscard]] std::string text() const;

private:
    std::size_t bytes_max_;
    std::string kept_;
    bool within_a_line_ = false;  // what is kept begins there
};

}  // namespace countersign::net
