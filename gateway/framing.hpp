// SPDX-License-Identifier: Apache-2.0
// Finds the end of a request's head, and checks that every reader of these bytes would see the same request.
//
// Beast 1.81 accepts `Content-Length: 3, 3`, `03`, repeated lengths, `xchunked`, folded lines, two Hosts and two secret
// headers, and normalises what it read. So the raw bytes are checked here first, on every route, and Beast only gets
// what passed. If a proxy in front reads an odd message differently, one client's request could become another's.
#pragma once

#include "gateway/bounds.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::gateway {

// Why a request is answered with an error and its connection closed. Our own words, without text from the request.
struct Refusal {
    unsigned status = 400;
    std::string_view why;
};

struct Head {
    std::string method;
    std::string target;  // begins with '/'; as received, not decoded
    bool keep_alive = false;
    std::optional<std::uint64_t> length;
    bool chunked = false;
    std::size_t headers = 0;
    std::string forwarded_for;  // each header: all its lines, joined by commas
    std::string forwarded;
};

// Finds the end of the head in a growing buffer; examines each byte once.
class HeadScan {
public:
    struct More {};
    struct End {
        std::size_t bytes;  // length of the head, including its empty line
    };
    // The buffer must begin with the request's first byte and may only grow between calls.
    std::variant<More, End, Refusal> look(std::string_view buffer, const Bounds& bounds);

private:
    std::size_t seen_ = 0;
    bool first_line_ended_ = false;
};

// Precondition: the bytes are a complete head found by HeadScan.
[[nodiscard]] std::variant<Head, Refusal> read_head(std::string_view bytes, const Bounds& bounds);

}  // namespace countersign::gateway
