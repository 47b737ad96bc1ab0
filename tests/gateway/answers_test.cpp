// SPDX-License-Identifier: Apache-2.0
// Everything that the gateway sends or logs: answers, health pages and log lines.
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "gateway/access_log.hpp"
#include "gateway/health.hpp"
#include "gateway/response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const WallTime then{std::chrono::milliseconds{784'111'777'000}};  // the example of RFC 9110

TEST(Response, AnAnswerHasALengthAndADate) {
    const auto bytes = to_bytes({.reply = {.status = 200, .content_type = "text/plain", .body = "hello"}}, true, then);
    EXPECT_EQ(bytes, "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\n"
                     "Content-Length: 5\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\nhello");
    EXPECT_THAT(to_bytes({.reply = {}}, false, then), HasSubstr("Connection: close\r\n"));
    EXPECT_THAT(to_bytes({.reply = {.status = 204, .content_type = {}, .body = "x"}}, true, then),
                testing::AllOf(EndsWith("\r\n\r\n"), Not(HasSubstr("Content-Length"))));
}

TEST(Response, AChannelCannotAddAHeaderOrAnInvalidStatus) {
    EXPECT_EQ(sendable({.status = 401, .content_type = {}, .body = {}}).reply.status, 401U);
    EXPECT_EQ(sendable({.status = 200, .content_type = "a\r\nX-B: c", .body = {}}).reply.status, 500U);
    EXPECT_EQ(sendable({.status = 100, .content_type = {}, .body = {}}).reply.status, 500U);
    EXPECT_EQ(sendable({.status = 600, .content_type = {}, .body = {}}).reply.status, 500U);
}

TEST(Response, AHandlersHeadersAreSentButCannotFrameTheAnswer) {
    const auto with = [](HttpHeader header) {
        return sendable({.status = 200, .content_type = {}, .body = {}, .headers = {std::move(header)}});
    };
    EXPECT_THAT(to_bytes(with({"X-Slack-No-Retry", "1"}), true, then), HasSubstr("X-Slack-No-Retry: 1\r\n"));
    for (const auto* name : {"Content-Length", "Transfer-Encoding", "Connection", "Date", "Content-Type",
                             "Cache-Control", "X-Content-Type-Options", "a b", "a:", "", "a\r\nb"}) {
        EXPECT_EQ(with({name, "1"}).reply.status, 500U) << name;
    }
    EXPECT_EQ(with({"X-A", "b\r\nX-C: d"}).reply.status, 500U);
    EXPECT_EQ(with({"X-A", std::string{"b\0", 2}}).reply.status, 500U);
}

TEST(Response, I13_AHandlersHeadersAreBounded) {
    const auto of = [](std::size_t count) {
        return sendable({.status = 200, .content_type = {}, .body = {}, .headers = {count, {"X-A", "b"}}}).reply.status;
    };
    EXPECT_EQ(of(limits::http_request_headers_max), 200U);
    EXPECT_EQ(of(limits::http_request_headers_max + 1), 500U);
}

TEST(Response, I13_AChannelsAnswerIsBounded) {
    const auto of = [](std::size_t bytes) {
        return sendable({.status = 200, .content_type = "a/b", .body = std::string(bytes, 'x')}).reply.status;
    };
    EXPECT_EQ(of(limits::gateway_reply_bytes_max), 200U);
    EXPECT_EQ(of(limits::gateway_reply_bytes_max + 1), 500U);
}

TEST(Readiness, ReadyIs200AndUnreadyIs503WithOneLinePerReason) {
    EXPECT_EQ(readiness_page({}).status, 200U);
    const auto page = readiness_page({"the audit log cannot be written", "telegram ops: no contact for 3 min"});
    EXPECT_EQ(page.status, 503U);
    EXPECT_EQ(page.body, "the audit log cannot be written\ntelegram ops: no contact for 3 min\n");
}

TEST(Readiness, AReasonIsAlwaysOneLine) {
    EXPECT_EQ(readiness_page({"a\r\nb\x1B[2J\xFF"}).body, "a  b [2J\xEF\xBF\xBD\n");
}

TEST(Readiness, I13_ThePageIsBounded) {
    const std::string longest(limits::gateway_unready_reason_bytes_max, 'x');
    EXPECT_EQ(readiness_page({longest}).body, longest + '\n');
    EXPECT_EQ(readiness_page({longest + 'x'}).body, longest + '\n');
    const std::vector<std::string> many(limits::gateway_unready_reasons_max + 1, "a");
    EXPECT_THAT(readiness_page(many).body, EndsWith("a\nand 1 more\n"));
    EXPECT_THAT(readiness_page({many.begin() + 1, many.end()}).body, Not(HasSubstr("more")));
}

TEST(AccessLog, ALineIsJsonWithEverythingEscaped) {
    const Access access{.number = 7,
                        .time = then,
                        .client = "192.0.2.1",
                        .method = "POST",
                        .route = "webhook \"a\"\n",
                        .status = 200,
                        .bytes = 3,
                        .took = std::chrono::milliseconds{12}};
    EXPECT_EQ(to_line(access), R"({"bytes":3,"client":"192.0.2.1","event":"http","method":"POST","ms":12,"request":7,)"
                               R"("route":"webhook \"a\"\n","status":200,"time":"1994-11-06T08:49:37.000Z"})");
}

TEST(AccessLog, AnUnusualMethodIsNotLogged) {
    const auto line = to_line({.number = 1, .time = then, .client = "a", .method = "S3CR3T", .route = {}, .why = "no"});
    EXPECT_THAT(line, testing::AllOf(HasSubstr(R"("method":"other")"), HasSubstr(R"("route":"none")"),
                                     HasSubstr(R"("why":"no")"), Not(HasSubstr("S3CR3T"))));
    EXPECT_TRUE(json::read(line));
}

}  // namespace
}  // namespace countersign::gateway
