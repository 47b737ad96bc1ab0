// SPDX-License-Identifier: Apache-2.0
#include "net/websocket_frames.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace countersign::net {
namespace {

constexpr unsigned continuation = 0;
constexpr unsigned binary = 2;
constexpr unsigned close = 8;
constexpr unsigned ping = 9;
constexpr unsigned pong = 10;

bool is_control(unsigned opcode) { return opcode >= close; }

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
}

// RFC 6455, 7.4: the codes that a peer may send.
bool may_be_sent(std::uint64_t code) {
    const bool defined = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
    return defined || (code >= 3000 && code <= 4999);
}

}  // namespace

void WebSocketReader::push(std::string_view bytes) {
    if (ended_) return;
    unread_ += bytes;
    std::string_view rest{unread_};
    while (!ended_ && (head_ || take_head(rest))) {
        take_payload(rest);
        if (head_) break;  // the rest has not arrived
    }
    if (ended_) rest = {};
    unread_.erase(0, unread_.size() - rest.size());
}

std::optional<WebSocketItem> WebSocketReader::pop() {
    if (items_.empty()) return std::nullopt;
    auto item = std::move(items_.front());
    items_.pop_front();
    return item;
}

void WebSocketReader::end_with(WebSocketItem item) {
    ended_ = true;
    message_ = {};
    items_.push_back(std::move(item));
}

std::string_view WebSocketReader::fault_of_first_bytes(unsigned first, unsigned second) const {
    const unsigned opcode = first & 0x0F;
    if ((first & 0x70) != 0) return "a frame with a reserved bit";
    if ((second & 0x80) != 0) return "a masked frame from the server";
    if (is_control(opcode)) {
        if (opcode > pong) return "a control frame of unknown kind";
        if ((first & 0x80) == 0) return "a fragmented control frame";
        if ((second & 0x7F) > limits::websocket_control_bytes_max) return "a control frame that is too long";
        return {};
    }
    if (opcode > binary) return "a data frame of unknown kind";
    if (opcode == continuation && !fragmented_) return "a continuation without a beginning";
    if (opcode != continuation && fragmented_) return "a new message within a fragmented one";
    return {};
}

// False if the head is incomplete, or the connection has ended.
bool WebSocketReader::take_head(std::string_view& rest) {
    if (rest.size() < 2) return false;
    const unsigned first = static_cast<std::uint8_t>(rest[0]);
    const unsigned second = static_cast<std::uint8_t>(rest[1]);
    // Checked before the payload arrives, so that nothing of an invalid frame is stored.
    if (const auto fault = fault_of_first_bytes(first, second); !fault.empty()) {
        violate(close_code::protocol_error, fault);
        return false;
    }
    Head head{.opcode = first & 0x0F, .last = (first & 0x80) != 0, .length = second & 0x7F};
    const std::size_t more = head.length == 126 ? 2 : head.length == 127 ? 8 : 0;
    if (rest.size() < 2 + more) return false;
    if (more != 0) {
        head.length = big_endian(rest.substr(2, more));
        if (head.length < (more == 2 ? 126U : 65'536U)) {
            violate(close_code::protocol_error, "a length in more bytes than it needs");
            return false;
        }
    }
    if (head.opcode == binary) {
        violate(close_code::unsupported_data, "a binary message");
        return false;
    }
    if (!is_control(head.opcode) && head.length > message_bytes_max_ - message_.size()) {
        violate(close_code::too_big, "a message of more than " + std::to_string(message_bytes_max_) + " bytes");
        return false;
    }
    rest.remove_prefix(2 + more);
    head_ = head;
    return true;
}

void WebSocketReader::take_payload(std::string_view& rest) {
    auto& payload = is_control(head_->opcode) ? control_ : message_;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(head_->length, rest.size()));
    payload += rest.substr(0, count);
    rest.remove_prefix(count);
    head_->length -= count;
    if (head_->length == 0) end_frame();
}

void WebSocketReader::end_frame() {
    const auto head = *std::exchange(head_, std::nullopt);
    if (!is_control(head.opcode)) {
        fragmented_ = !head.last;
        if (head.last) end_message();
    } else if (head.opcode == close) {
        end_close();
    } else {
        auto payload = std::exchange(control_, {});
        items_.push_back(head.opcode == ping ? WebSocketItem{WebSocketPing{std::move(payload)}} : WebSocketPong{});
    }
}

void WebSocketReader::end_message() {
    auto whole = std::exchange(message_, {});
    if (!utf8::valid(whole)) return violate(close_code::invalid_text, "a text message that is not UTF-8");
    items_.emplace_back(WebSocketMessage{std::move(whole)});
}

void WebSocketReader::end_close() {
    const auto payload = std::exchange(control_, {});
    if (payload.empty()) return end_with(WebSocketClose{});
    const auto code = payload.size() < 2 ? 0 : big_endian(std::string_view{payload}.substr(0, 2));
    if (!may_be_sent(code)) return violate(close_code::protocol_error, "a close frame with an invalid code");
    auto reason = payload.substr(2);
    if (!utf8::valid(reason)) return violate(close_code::invalid_text, "a close frame with a reason that is not UTF-8");
    end_with(WebSocketClose{static_cast<std::uint16_t>(code), std::move(reason)});
}

std::string websocket_frame(WebSocketOpcode opcode, std::string_view payload, std::uint32_t mask) {
    std::string frame;
    frame.reserve(payload.size() + 14);
    const auto put = [&](std::uint64_t value, int bytes) {
        for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(value >> (8 * i) & 0xFF);
    };
    put(0x80U | static_cast<unsigned>(opcode), 1);
    if (payload.size() < 126) {
        put(0x80U | payload.size(), 1);
    } else if (payload.size() < 65'536) {
        put(0x80U | 126U, 1);
        put(payload.size(), 2);
    } else {
        put(0x80U | 127U, 1);
        put(payload.size(), 8);
    }
    put(mask, 4);
    for (std::size_t i = 0; i < payload.size(); ++i) {
        frame += static_cast<char>(static_cast<std::uint8_t>(payload[i]) ^ (mask >> (8 * (3 - i % 4)) & 0xFF));
    }
    return frame;
}

std::string close_payload(std::uint16_t code, std::string_view reason) {
    std::string payload{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
    payload += utf8::head(reason, limits::websocket_control_bytes_max - payload.size());
    return payload;
}

}  // namespace countersign::net
