// SPDX-License-Identifier: Apache-2.0
// A stream gives the same events however it is split, and none is longer than the bound.
#include "core/utf8.hpp"
#include "net/sse_parser.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using countersign::net::SseEvent;
using countersign::net::SseParser;

constexpr std::size_t line_bytes_max = 32;
constexpr std::size_t event_bytes_max = 48;

struct Read {
    std::vector<SseEvent> events;
    std::string last_id;
    bool failed = false;
    friend bool operator==(const Read&, const Read&) = default;
};

Read read(std::string_view stream, std::size_t piece) {
    SseParser parser{"", line_bytes_max, event_bytes_max};
    Read result;
    while (!stream.empty()) {
        result.failed = !parser.push(stream.substr(0, piece));
        stream.remove_prefix(std::min(piece, stream.size()));
        while (auto event = parser.pop()) result.events.push_back(std::move(*event));
    }
    result.last_id = parser.last_id();
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view stream{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = read(stream, stream.size() + 1);
    if (read(stream, 1U + data[0] % 16U) != whole) std::abort();
    for (const auto& event : whole.events) {
        // A byte that isn't UTF-8 becomes three.
        if (event.data.size() > 3 * event_bytes_max || event.type.empty()) std::abort();
        if (event.id.find('\0') != std::string::npos) std::abort();
        for (const auto* text : {&event.type, &event.data, &event.id}) {
            if (!countersign::utf8::valid(*text) || text->find('\r') != std::string::npos) std::abort();
        }
    }
    return 0;
}
