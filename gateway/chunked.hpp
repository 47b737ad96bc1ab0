// SPDX-License-Identifier: Apache-2.0
// ChunkScan: finds the end of a chunked body. Stricter than the parser after it: no chunk extensions, no trailers, no
// bare line feeds, and no size with more digits than our largest body needs.
#pragma once

#include "gateway/framing.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace countersign::gateway {

class ChunkScan {
public:
    explicit ChunkScan(std::size_t body_bytes_max) : left_{body_bytes_max} {}

    // Removes the bytes of this body from the front of `bytes`; later bytes stay.
    std::optional<Refusal> take(std::string_view& bytes);
    [[nodiscard]] bool done() const { return place_ == Place::done; }

private:
    enum class Place { size, size_feed, data, data_return, data_feed, last_return, last_feed, done };
    std::optional<Refusal> next(char symbol);
    std::optional<Refusal> size_digit(char symbol);

    Place place_ = Place::size;
    std::size_t left_;  // remaining bytes of the body
    std::size_t chunk_ = 0;
    std::size_t digits_ = 0;
};

}  // namespace countersign::gateway
