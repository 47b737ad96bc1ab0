// SPDX-License-Identifier: Apache-2.0
#include "gateway/chunked.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::gateway {
namespace {

constexpr Refusal broken{400, "the chunked body is broken"};

std::optional<std::size_t> hex_digit(char symbol) {
    if (symbol >= '0' && symbol <= '9') return symbol - '0';
    if (symbol >= 'a' && symbol <= 'f') return symbol - 'a' + 10;
    if (symbol >= 'A' && symbol <= 'F') return symbol - 'A' + 10;
    return std::nullopt;
}

}  // namespace

std::optional<Refusal> ChunkScan::take(std::string_view& bytes) {
    while (!bytes.empty() && !done()) {
        if (place_ == Place::data) {
            const auto piece = std::min(chunk_, bytes.size());
            chunk_ -= piece;
            bytes.remove_prefix(piece);
            if (chunk_ == 0) place_ = Place::data_return;
            continue;
        }
        if (const auto refusal = next(bytes.front())) return refusal;
        bytes.remove_prefix(1);
    }
    return {};
}

std::optional<Refusal> ChunkScan::next(char symbol) {
    if (place_ == Place::size && symbol != '\r') return size_digit(symbol);
    const bool feed = place_ == Place::size_feed || place_ == Place::data_feed || place_ == Place::last_feed;
    if (symbol != (feed ? '\n' : '\r') || (place_ == Place::size && digits_ == 0)) return broken;
    switch (place_) {
    case Place::size:
        place_ = Place::size_feed;
        break;
    case Place::size_feed:
        if (chunk_ > left_) return Refusal{413, "the body is too large"};
        left_ -= chunk_;
        digits_ = 0;
        place_ = chunk_ == 0 ? Place::last_return : Place::data;
        break;
    case Place::data_return:
        place_ = Place::data_feed;
        break;
    case Place::data_feed:
        place_ = Place::size;
        break;
    case Place::last_return:
        place_ = Place::last_feed;
        break;
    case Place::last_feed:
        place_ = Place::done;
        break;
    case Place::data:
    case Place::done:
        return broken;
    }
    return {};
}

std::optional<Refusal> ChunkScan::size_digit(char symbol) {
    const auto value = hex_digit(symbol);
    if (!value) return Refusal{400, "a chunk's size is not a plain number"};
    if (++digits_ > limits::gateway_chunk_digits_max) return Refusal{400, "a chunk's size has too many digits"};
    chunk_ = chunk_ * 16 + *value;
    return {};
}

}  // namespace countersign::gateway
