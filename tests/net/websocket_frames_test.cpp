// SPDX-License-Identifier: Apache-2.0
#include "net/websocket_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace countersign::net {
namespace {

using testing::ElementsAre;
using Items = std::vector<WebSocketItem>;

constexpr std::size_t message_bytes_max = 200'000;

// A server's frame, which isn't masked.
std::string frame(unsigned first, const std::string& payload) {
    std::string bytes{static_cast<char>(first)};
    if (payload.size() < 126) return bytes + static_cast<char>(payload.size()) + payload;
    const int count = payload.size() < 65'536 ? 2 : 8;
    bytes += static_cast<char>(count == 2 ? 126 : 127);
    for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(payload.size() >> (8 * i) & 0xFF);
    return bytes + payload;
}
std::string text(const std::string& payload) { return frame(0x81, payload); }

Items read(const std::string& bytes, std::size_t piece = 1'000'000, std::size_t max = message_bytes_max) {
    WebSocketReader reader{max};
    Items items;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        reader.push(std::string_view{bytes}.substr(at, piece));
        while (auto item = reader.pop()) items.push_back(std::move(*item));
    }
    return items;
}

// The close code of the only item; 0 if it isn't a violation or not the only item.
std::uint16_t violation(const std::string& bytes, std::size_t max = message_bytes_max) {
    const auto items = read(bytes, 1'000'000, max);
    const auto* broken = items.size() == 1 ? std::get_if<WebSocketViolation>(&items.front()) : nullptr;
    return broken == nullptr ? 0 : broken->code;
}

TEST(WebSocketFrames, MessagesComeOutHoweverTheBytesAreSplit) {
    const auto bytes = text("") + text("hé") + frame(0x01, "one ") + frame(0x89, "?") + frame(0x00, "two ") +
                       frame(0x8A, "") + frame(0x80, "three") + text(std::string(126, 'a')) +
                       text(std::string(70'000, 'b')) + frame(0x88, "\x0F\xA4gone");
    const Items expected{WebSocketMessage{""},
                         WebSocketMessage{"hé"},
                         WebSocketPing{"?"},
                         WebSocketPong{},
                         WebSocketMessage{"one two three"},
                         WebSocketMessage{std::string(126, 'a')},
                         WebSocketMessage{std::string(70'000, 'b')},
                         WebSocketClose{4004, "gone"}};
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 4096U, 1'000'000U})
        EXPECT_EQ(read(bytes, piece), expected) << piece;
}

TEST(WebSocketFrames, ACharacterMayBeSplitBetweenFragments) {
    EXPECT_THAT(read(frame(0x01, "\xC3") + frame(0x80, "\xA9")), ElementsAre(WebSocketItem{WebSocketMessage{"é"}}));
}

TEST(WebSocketFrames, ProtocolViolationsEndWithTheirCode) {
    EXPECT_EQ(violation(frame(0xC1, "x")), close_code::protocol_error) << "reserved bit";
    EXPECT_EQ(violation(std::string{"\x81\x81mmmmx", 7}), close_code::protocol_error) << "masked";
    EXPECT_EQ(violation(frame(0x83, "x")), close_code::protocol_error) << "unknown data";
    EXPECT_EQ(violation(frame(0x8B, "x")), close_code::protocol_error) << "unknown control";
    EXPECT_EQ(violation(frame(0x09, "x")), close_code::protocol_error) << "fragmented ping";
    EXPECT_EQ(violation(frame(0x80, "x")), close_code::protocol_error) << "continuation of nothing";
    EXPECT_EQ(violation(frame(0x01, "x") + text("y")), close_code::protocol_error) << "message within a message";
    EXPECT_EQ(violation(std::string{"\x81\x7E\x00\x7D", 4}), close_code::protocol_error) << "16 bits for 125";
    EXPECT_EQ(violation(std::string{"\x81\x7F\0\0\0\0\0\0\xFF\xFF", 10}), close_code::protocol_error) << "64 for 65535";
    EXPECT_EQ(violation(std::string{"\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10}), close_code::too_big);
    EXPECT_EQ(violation(frame(0x82, "x")), close_code::unsupported_data) << "binary";
    EXPECT_EQ(violation(text("\xC3(")), close_code::invalid_text);
    EXPECT_EQ(violation(text("\xED\xA0\x80")), close_code::invalid_text) << "a surrogate";
    EXPECT_EQ(violation(frame(0x88, "\x03")), close_code::protocol_error) << "half a code";
    EXPECT_EQ(violation(frame(0x88, "\x03\xE8\xFF")), close_code::invalid_text) << "reason";
}

TEST(WebSocketFrames, OnlyCodesThatMayBeSentAreAccepted) {
    const auto closed = [](unsigned code) {
        return violation(frame(0x88, {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)})) == 0;
    };
    for (const unsigned code : {1000U, 1001U, 1003U, 1007U, 1011U, 1014U, 3000U, 4000U, 4014U, 4999U}) {
        EXPECT_TRUE(closed(code)) << code;
    }
    for (const unsigned code : {0U, 999U, 1004U, 1005U, 1006U, 1015U, 2999U, 5000U, 65'535U}) {
        EXPECT_FALSE(closed(code)) << code;
    }
    EXPECT_THAT(read(frame(0x88, "")), ElementsAre(WebSocketItem{WebSocketClose{close_code::no_status, ""}}));
}

TEST(WebSocketFrames, I13_OnePastTheMessageBoundEndsWith1009BeforeItsBytesArrive) {
    EXPECT_THAT(read(text("12345678"), 100, 8), ElementsAre(WebSocketItem{WebSocketMessage{"12345678"}}));
    EXPECT_EQ(violation(std::string{"\x81\x09", 2}, 8), close_code::too_big) << "by its head alone";
    EXPECT_THAT(read(frame(0x01, "1234") + frame(0x80, "5678"), 100, 8), testing::SizeIs(1));
    EXPECT_EQ(violation(frame(0x01, "1234") + std::string{"\x80\x05", 2}, 8), close_code::too_big) << "all fragments";
}

TEST(WebSocketFrames, I13_AControlFrameOnePastItsBoundIsRefused) {
    EXPECT_THAT(read(frame(0x89, std::string(125, 'p'))),
                ElementsAre(WebSocketItem{WebSocketPing{std::string(125, 'p')}}));
    EXPECT_EQ(violation(frame(0x89, std::string(126, 'p'))), close_code::protocol_error);
}

TEST(WebSocketFrames, NothingFollowsACloseOrAViolation) {
    EXPECT_THAT(read(frame(0x88, "") + text("late"), 3), testing::SizeIs(1));
    EXPECT_THAT(read(frame(0x82, "x") + text("late"), 3), testing::SizeIs(1));
}

// The examples of RFC 6455, 5.7.
TEST(WebSocketFrames, OurFramesAreMaskedAsInTheStandard) {
    EXPECT_EQ(websocket_frame(WebSocketOpcode::text, "Hello", 0x37FA213D),
              "\x81\x85\x37\xFA\x21\x3D\x7F\x9F\x4D\x51\x58");
    EXPECT_EQ(websocket_frame(WebSocketOpcode::pong, "Hello", 0x37FA213D),
              "\x8A\x85\x37\xFA\x21\x3D\x7F\x9F\x4D\x51\x58");
    const auto middle = websocket_frame(WebSocketOpcode::text, std::string(126, 'x'), 0);
    EXPECT_EQ(middle.substr(0, 4), (std::string{"\x81\xFE\x00\x7E", 4}));
    EXPECT_EQ(middle.size(), 126U + 8U);
    const auto large = websocket_frame(WebSocketOpcode::text, std::string(65'536, 'x'), 0);
    EXPECT_EQ(large.substr(0, 10), (std::string{"\x81\xFF\0\0\0\0\0\x01\0\0", 10}));
    EXPECT_EQ(large.size(), 65'536U + 14U);
}

TEST(WebSocketFrames, ALongReasonIsCutAtACharacterBoundary) {
    EXPECT_EQ(close_payload(4000, "bye"), "\x0F\xA0"
                                          "bye");
    std::string accents;
    for (int i = 0; i < 62; ++i) accents += "é";  // 124 bytes; 123 fit
    EXPECT_EQ(close_payload(1000, accents), "\x03\xE8" + accents.substr(0, 122));
}

}  // namespace
}  // namespace countersign::net
