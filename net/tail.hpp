// SPDX-License-Identifier: Apache-2.0
// Tail: keeps the end of a stream, bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::net {

class Tail {
public:
    explicit Tail(std::size_t bytes_max) : bytes_max_{bytes_max} {}
    void push(std::string_view bytes);
    // The last bytes pushed, at most bytes_max, from the beginning of a line: the rest of a cut line may be the end of
    // a secret, which no redactor would recognise.
    [[nodiscard]] std::string text() const;

private:
    std::size_t bytes_max_;
    std::string kept_;
    bool within_a_line_ = false;  // the kept bytes begin there
};

}  // namespace countersign::net
