// SPDX-License-Identifier: Apache-2.0
// A server's bytes give the same items however they are split. Messages are UTF-8 within the bound, and nothing follows
// an end.
#include "core/utf8.hpp"
#include "net/websocket_frames.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using namespace countersign;
using namespace countersign::net;

constexpr std::size_t message_bytes_max = 300;

std::vector<WebSocketItem> items_of(std::string_view stream, std::size_t piece) {
    WebSocketReader reader{message_bytes_max};
    std::vector<WebSocketItem> items;
    while (!stream.empty()) {
        reader.push(stream.substr(0, piece));
        stream.remove_prefix(std::min(piece, stream.size()));
        while (auto item = reader.pop()) items.push_back(std::move(*item));
    }
    return items;
}

bool is_end(const WebSocketItem& item) {
    return std::holds_alternative<WebSocketClose>(item) || std::holds_alternative<WebSocketViolation>(item);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view stream{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = items_of(stream, stream.size() + 1);
    if (items_of(stream, 1U + data[0] % 32U) != whole) std::abort();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (is_end(whole[i]) && i + 1 != whole.size()) std::abort();
        if (const auto* message = std::get_if<WebSocketMessage>(&whole[i])) {
            if (message->text.size() > message_bytes_max || !utf8::valid(message->text)) std::abort();
        }
        if (const auto* ping = std::get_if<WebSocketPing>(&whole[i]); ping != nullptr && ping->payload.size() > 125) {
            std::abort();
        }
    }
    return 0;
}
