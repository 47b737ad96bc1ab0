// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "gateway/request_reader.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using Stage = RequestReader::Stage;

// Reads as a connection does: every body is accepted up to the limit for webhooks.
Stage read(RequestReader& reader, std::string_view bytes) {
    auto stage = reader.push(bytes);
    if (stage == Stage::judging) stage = reader.accept(limits::webhook_body_bytes_max);
    return stage;
}

// The status with which the bytes are refused, or 0 if they are a valid request.
unsigned refused_with(std::string_view bytes, const Bounds& bounds = {}) {
    RequestReader reader{bounds};
    return read(reader, bytes) == Stage::refused ? reader.refusal().status : 0;
}

RequestReader::Message message_of(std::string_view bytes) {
    const Bounds bounds;
    RequestReader reader{bounds};
    EXPECT_EQ(read(reader, bytes), Stage::complete) << reader.refusal().why;
    return reader.stage() == Stage::complete ? reader.take() : RequestReader::Message{};
}

TEST(Framing, AmbiguousRequestsAreRefused) {
    for (const auto& hostile : hostile_requests()) {
        EXPECT_EQ(refused_with(hostile.bytes), hostile.status) << hostile.what;
    }
}

TEST(Framing, ARefusalDoesNotDependOnHowTheBytesAreSplit) {
    const Bounds bounds;
    for (const auto& hostile : hostile_requests()) {
        RequestReader reader{bounds};
        for (const char byte : hostile.bytes) {
            if (read(reader, {&byte, 1}) == Stage::refused) break;
        }
        EXPECT_EQ(reader.refusal().status, hostile.status) << hostile.what;
    }
}

TEST(Framing, AReasonContainsNothingOfTheRequest) {
    for (const auto& hostile : hostile_requests()) {
        const Bounds bounds;
        RequestReader reader{bounds};
        read(reader, hostile.bytes);
        EXPECT_THAT(reader.refusal().why, testing::MatchesRegex("[A-Za-z0-9 ,./']+")) << hostile.what;
    }
}

TEST(Framing, APlainRequestIsReadUnchanged) {
    const auto message = message_of(post("X-Telegram-Bot-Api-Secret-Token:  s e  \r\nContent-Length: 3\r\n"));
    EXPECT_EQ(message.body, "abc");
    EXPECT_THAT(message.headers,
                testing::ElementsAre(HttpHeader{"Host", "a"}, HttpHeader{"X-Telegram-Bot-Api-Secret-Token", "s e"},
                                     HttpHeader{"Content-Length", "3"}));
}

TEST(Framing, UnusualButValidRequestsAreServed) {
    for (const auto& bytes : {
             post("Content-Length: 0\r\n", ""),
             post("", ""),
             post("Accept: a\r\nAccept: b\r\nX-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: 5.6.7.8\r\n", ""),
             post("X-Empty:\r\nX-Utf8: \xC3\xA4\r\n", ""),
             std::string{"GET /livez HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"},
             std::string{"GET /livez HTTP/1.0\r\n\r\n"},
             std::string{"GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"},
             std::string{"GET /livez?a=%2e HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"},
         }) {
        EXPECT_EQ(refused_with(bytes), 0U) << bytes;
    }
}

TEST(Framing, OnlyHttp11KeepsAConnectionOpen) {
    const Bounds bounds;
    const auto keeps = [&](std::string_view bytes) {
        RequestReader reader{bounds};
        EXPECT_EQ(reader.push(bytes), Stage::judging);
        return reader.head().keep_alive;
    };
    EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, TE\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(Framing, I13_AHeadIsBounded) {
    std::string head = "GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ";
    head += std::string(limits::gateway_head_bytes_max - head.size() - 4, 'x') + "\r\n\r\n";
    ASSERT_EQ(head.size(), limits::gateway_head_bytes_max);
    EXPECT_EQ(refused_with(head), 0U);
    head.insert(head.size() - 4, 1, 'x');
    EXPECT_EQ(refused_with(head), 431U);
    EXPECT_EQ(refused_with(head.substr(0, limits::gateway_head_bytes_max - 1)), 0U) << "not yet";
    EXPECT_EQ(refused_with(head.substr(0, limits::gateway_head_bytes_max)), 431U) << "not once it ended";
}

TEST(Framing, I13_TheNumberOfHeadersIsBounded) {
    std::string head = "GET /livez HTTP/1.1\r\nHost: a\r\n";
    for (std::size_t i = 1; i < limits::gateway_headers_max; ++i) head += "X-" + std::to_string(i) + ": a\r\n";
    EXPECT_EQ(refused_with(head + "\r\n"), 0U);
    EXPECT_EQ(refused_with(head + "X-More: a\r\n\r\n"), 431U);
}

TEST(Framing, I13_ATargetIsBounded) {
    const auto request = [](std::size_t bytes) { return get('/' + std::string(bytes - 1, 'a')); };
    EXPECT_EQ(refused_with(request(limits::gateway_target_bytes_max)), 0U);
    EXPECT_EQ(refused_with(request(limits::gateway_target_bytes_max + 1)), 414U);
    EXPECT_EQ(refused_with(std::string(limits::gateway_head_bytes_max, 'a')), 414U) << "a line without an end";
}

TEST(Framing, I13_ABodyIsBounded) {
    const auto sized = [](std::size_t bytes) {
        return post("Content-Length: " + std::to_string(bytes) + "\r\n", std::string(bytes, 'x'));
    };
    EXPECT_EQ(message_of(sized(limits::webhook_body_bytes_max)).body.size(), limits::webhook_body_bytes_max);
    EXPECT_EQ(refused_with(sized(limits::webhook_body_bytes_max + 1)), 413U);
}

TEST(Framing, ChunksAreJoined) {
    const std::string head = "Transfer-Encoding: chunked\r\n";
    EXPECT_EQ(message_of(post(head, "3\r\nabc\r\n00a\r\n0123456789\r\n0\r\n\r\n")).body, "abc0123456789");
    EXPECT_EQ(message_of(post(head, "0\r\n\r\n")).body, "");
    EXPECT_EQ(message_of(post(head, "00000003\r\nabc\r\n000\r\n\r\n")).body, "abc");
}

TEST(Framing, I13_AChunkedBodyHasTheSameBound) {
    const auto chunked = [](const std::string& more) {
        static_assert(limits::webhook_body_bytes_max == 0x100000);
        return post("Transfer-Encoding: chunked\r\n",
                    "fffff\r\n" + std::string(0xfffff, 'x') + "\r\n" + more + "0\r\n\r\n");
    };
    EXPECT_EQ(message_of(chunked("1\r\nx\r\n")).body.size(), limits::webhook_body_bytes_max);
    EXPECT_EQ(refused_with(chunked("2\r\nxx\r\n")), 413U);
    EXPECT_EQ(refused_with(chunked("1\r\nx\r\n1\r\nx\r\n")), 413U);
}

// Beast would refuse some of these as well, but our own check must not rely on that.
TEST(Framing, OurOwnCheckRefusesALengthWithChunks) {
    const auto head =
        read_head("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", {});
    ASSERT_TRUE(std::holds_alternative<Refusal>(head));
    EXPECT_EQ(std::get<Refusal>(head).why, "the body has a length and is chunked");
}

TEST(Framing, I13_OurOwnCheckBoundsTheChunks) {
    const auto refused = [](std::string_view chunks) {
        ChunkScan scan{4};
        const auto refusal = scan.take(chunks);
        return refusal ? refusal->status : 0;
    };
    EXPECT_EQ(refused("4\r\nabcd\r\n0\r\n\r\n"), 0U);
    EXPECT_EQ(refused("5\r\n"), 413U);
    EXPECT_EQ(refused("3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"), 0U);
    EXPECT_EQ(refused("3\r\nabc\r\n2\r\n"), 413U);
}

TEST(Framing, BytesAfterTheLastChunkRemain) {
    ChunkScan scan{4};
    std::string_view bytes = "1\r\na\r\n0\r\n\r\nGET";
    EXPECT_FALSE(scan.take(bytes));
    EXPECT_TRUE(scan.done());
    EXPECT_EQ(bytes, "GET");
}

TEST(Framing, PipelinedRequestsComeInOrderHoweverTheBytesAreSplit) {
    const std::string stream = post("Content-Length: 3\r\n", "one") +
                               post("Transfer-Encoding: chunked\r\n", "3\r\ntwo\r\n0\r\n\r\n") + post("", "") +
                               post("Content-Length: 5\r\n", "three");
    const Bounds bounds;
    for (const std::size_t piece : {1UL, 2UL, 3UL, 7UL, 64UL, stream.size()}) {
        RequestReader reader{bounds};
        std::vector<std::string> bodies;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            auto stage = read(reader, std::string_view{stream}.substr(at, piece));
            for (; stage == Stage::complete; stage = read(reader, {})) bodies.push_back(reader.take().body);
        }
        EXPECT_THAT(bodies, testing::ElementsAre("one", "two", "", "three")) << "cut every " << piece;
        EXPECT_TRUE(reader.untouched());
    }
}

TEST(Framing, NothingIsReadAfterARefusal) {
    const Bounds bounds;
    RequestReader reader{bounds};
    EXPECT_EQ(read(reader, post("Content-Length: 03\r\n") + get("/livez")), Stage::refused);
    EXPECT_EQ(read(reader, get("/livez")), Stage::refused);
    EXPECT_EQ(reader.buffered(), 0U);
}

}  // namespace
}  // namespace countersign::gateway
