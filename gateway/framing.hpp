// SPDX-License-Identifier: Apache-2.0
// Where a request's head ends, and whether everybody who reads these bytes would read the same request.
//
// Beast 1.81 accepts `Content-Length: 3, 3`, `03`, doubled lengths, `xchunked`, folded lines, two Hosts and two secret
// headers, and normalises what it read. So the raw bytes are checked here first, on every route, and Beast gets only
// what passed. A proxy in front that reads an odd message differently is how one client's request becomes another's.
#pragma once

#include "gateway/bounds.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::gateway {

// Why a request is answered with an error and its connection ends. The words are ours: nothing of the request is in
// them.
struct Refusal {
    unsigned status = 400;
    std::string_view why;
};

struct Head {
    std::string method;
    std::string target;  // begins with '/'; as it came, nothing decoded
    bool keep_alive = false;
    std::optional<std::uint64_t> length;
    bool chunked = false;
    std::size_t headers = 0;
    std::string forwarded_for;  // X-Forwarded-For and Forwarded: all their lines, joined by commas
    std::string forwarded;
};

// Looks for the end of the head in a buffer that grows; each byte is looked at once.
class HeadScan {
public:
    struct More {};
    struct End {
        std::size_t bytes;  // of the head, with its empty line
    };
    // The buffer begins with the first byte of the request, and only grows between two calls.
    std::variant<More, End, Refusal> look(std::string_view buffer, const Bounds& bounds);

private:
    std::size_t seen_ = 0;
    bool first_line_ended_ = false;
};

// Precondition: the bytes are a whole head as HeadScan found it.
[[nodiscard]] std::variant<Head, Refusal> read_head(std::string_view bytes, const Bounds& bounds);

}  // namespace countersign::gateway
