// SPDX-License-Identifier: Apache-2.0
// Where a chunked body ends. Stricter than the parser behind it: no chunk extension, no trailer, no bare line feed, and
// no size with more digits than any body of ours could need.
#pragma once

#include "gateway/framing.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace countersign::gateway {

class ChunkScan {
public:
    explicit ChunkScan(std::size_t body_bytes_max) : left_{body_bytes_max} {}

    // Takes what belongs to the body from the front of `bytes`; what follows it stays.
    std::optional<Refusal> take(std::string_view& bytes);
    [[nodiscard]] bool done() const { return place_ == Place::done; }

private:
    enum class Place { size, size_feed, data, data_return, data_feed, last_return, last_feed, done };
    std::optional<Refusal> next(char symbol);
    std::optional<Refusal> size_digit(char symbol);

    Place place_ = Place::size;
    std::size_t left_;  // bytes that the body may still have
    std::size_t chunk_ = 0;
    std::size_t digits_ = 0;
};

}  // namespace countersign::gateway
