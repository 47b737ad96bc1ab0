// SPDX-License-Identifier: Apache-2.0
// Answers that are too long, too slow, truncated or not HTTP at all. HttpTest searches every error for secrets.
#include "core/limits.hpp"
#include "tests/net/http_fixture.hpp"
#include "tests/net/slow_resolver.hpp"

namespace countersign::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class HttpBoundsTest : public HttpTest {
protected:
    void answers(std::string bytes, Reply::Then then = Reply::Then::keep) {
        server->answer = [bytes = std::move(bytes), then](const Seen&) { return Reply{bytes, then}; };
    }
    static std::string chunked(std::size_t size) {
        std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (std::size_t i = 0; i < size; ++i) bytes += "1\r\na\r\n";
        return bytes + "0\r\n\r\n";
    }
    static std::string headers(std::size_t count) {
        std::string lines;
        for (std::size_t i = 0; i < count; ++i) lines += "X-A: b\r\n";
        return lines;
    }
    HttpServer server{io};
};

TEST_F(HttpBoundsTest, I13_ABodyWithALengthIsReadUpToItsBound) {
    answers(http(200, std::string(1000, 'a')));
    const auto exact = send({.url = plain_url(server), .answer_bytes_max = 1000});
    ASSERT_TRUE(exact);
    EXPECT_EQ(exact->body.size(), 1000U);
    EXPECT_EQ(failure({.url = plain_url(server), .answer_bytes_max = 999}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_ABodyWithoutALengthIsReadUpToItsBound) {
    answers(chunked(1000));
    EXPECT_TRUE(send({.url = plain_url(server), .answer_bytes_max = 1000}));
    EXPECT_EQ(failure({.url = plain_url(server), .answer_bytes_max = 999}).code, Errc::too_large);
    answers("HTTP/1.1 200 OK\r\n\r\n" + std::string(1000, 'a'), Reply::Then::close);
    EXPECT_TRUE(send({.url = plain_url(server), .answer_bytes_max = 1000}));
    EXPECT_EQ(failure({.url = plain_url(server), .answer_bytes_max = 999}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_ABoundOfZeroMeansNoBody) {
    answers(http(200, ""));
    EXPECT_TRUE(send({.url = plain_url(server), .answer_bytes_max = 0}));
    answers(http(200, "a"));
    EXPECT_EQ(failure({.url = plain_url(server), .answer_bytes_max = 0}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_TheDefaultBoundFitsAndOneByteMoreDoesNot) {
    answers(http(200, std::string(limits::http_answer_body_bytes_max, 'a')));
    EXPECT_TRUE(send({.url = plain_url(server)}));
    answers(http(200, std::string(limits::http_answer_body_bytes_max + 1, 'a')));
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_HeadersAreReadUpToTheirNumber) {
    answers(http(200, "", headers(limits::http_answer_headers_max - 1)));  // one more is the length
    EXPECT_TRUE(send({.url = plain_url(server)}));
    answers(http(200, "", headers(limits::http_answer_headers_max)));
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_AnEndlessHeadIsCutOff) {
    answers("HTTP/1.1 200 OK\r\nX-A: " + std::string(limits::http_answer_head_bytes_max, 'b') + "\r\n",
            Reply::Then::hold);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::too_large);
    std::string interim;
    for (std::size_t i = 0; i <= limits::http_answer_headers_max; ++i) interim += "HTTP/1.1 102 Wait\r\nX-A: b\r\n\r\n";
    answers(interim, Reply::Then::hold);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::too_large);
}

TEST_F(HttpBoundsTest, I13_CallsPastTheBoundAreRefusedAndConnectionsStayBelowTheirs) {
    answers("", Reply::Then::hold);
    std::vector<std::shared_ptr<Call>> calls;
    for (std::size_t i = 0; i < limits::http_transfers_max; ++i) calls.push_back(begin({.url = plain_url(server)}));
    run_until([&] { return server->seen.size() == limits::http_connections_max; });
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::busy);

    answers(http(200, "ok"));
    server.close_all();  // the held calls fail or are sent again; those that waited for a connection get their turn
    for (const auto& call : calls) static_cast<void>(finish(call));
    EXPECT_EQ(server->open_max, limits::http_connections_max);
    EXPECT_TRUE(send({.url = plain_url(server)})) << "there is room again";
}

TEST_F(HttpBoundsTest, ASilentServerHitsTheDeadline) {
    answers("", Reply::Then::hold);
    const auto error = failure({.url = plain_url(server), .deadline = 50ms});
    EXPECT_EQ(error.code, Errc::timeout);
    EXPECT_THAT(error.detail, HasSubstr("127.0.0.1"));
    run_until([&] { return server->open == 0; });  // and the connection is closed
}

TEST_F(HttpBoundsTest, AnAnswerThatStopsHalfwayHitsTheDeadline) {
    answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", Reply::Then::hold);
    EXPECT_EQ(failure({.url = plain_url(server), .deadline = 50ms}).code, Errc::timeout);
}

TEST_F(HttpBoundsTest, ACallThatWaitsForAConnectionHitsItsDeadline) {
    answers("", Reply::Then::hold);
    std::vector<std::shared_ptr<Call>> calls;
    for (std::size_t i = 0; i < limits::http_connections_max; ++i) calls.push_back(begin({.url = plain_url(server)}));
    run_until([&] { return server->seen.size() == limits::http_connections_max; });
    EXPECT_EQ(failure({.url = plain_url(server), .deadline = 50ms}).code, Errc::timeout);
    EXPECT_EQ(server->accepted, limits::http_connections_max);
}

TEST_F(HttpBoundsTest, AConnectionThatBreaksIsAnError) {
    answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", Reply::Then::close);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::unavailable);
    answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", Reply::Then::close);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::unavailable);
    answers("HTTP/1.1 200 OK\r\nContent-Le", Reply::Then::close);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::unavailable);
    answers("", Reply::Then::close);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::unavailable);
}

TEST_F(HttpBoundsTest, AnAnswerThatIsNotHttpIsAnError) {
    answers("SSH-2.0-SECRET\r\n", Reply::Then::close);
    EXPECT_EQ(failure({.url = plain_url(server)}).code, Errc::unavailable);
}

TEST_F(HttpBoundsTest, AClosedPortIsAnErrorThatNamesTheHost) {
    const auto url = plain_url(*std::make_unique<HttpServer>(io));  // closed again
    io.restart();
    io.poll();
    const auto error = failure({.url = url});
    EXPECT_EQ(error.code, Errc::away);
    EXPECT_THAT(error.detail, HasSubstr("127.0.0.1"));
}

TEST_F(HttpBoundsTest, AnUnknownNameIsAnErrorThatNamesIt) {
    const auto error = failure({.url = "https://missing.test" + secret_target});
    EXPECT_EQ(error.code, Errc::away);
    EXPECT_THAT(error.detail, HasSubstr("missing.test"));
}

TEST_F(HttpBoundsTest, I13_ASlowConnectionAttemptIsGivenUpLongBeforeTheDeadline) {
    answers("", Reply::Then::hold);
    client = std::make_unique<CurlHttpClient>(io.get_executor(), std::string{}, 50ms);
    const auto silent = "https://127.0.0.1:" + std::to_string(server.port()) + secret_target;  // never speaks TLS
    const auto error = failure({.url = silent, .deadline = 25s});
    EXPECT_EQ(error.code, Errc::away);
    EXPECT_THAT(error.detail, HasSubstr("did not accept a connection in time"));
    // Once connected, the answer has the whole deadline.
    EXPECT_THAT(failure({.url = plain_url(server), .deadline = 100ms}).detail, testing::Not(HasSubstr("accept")));
}

TEST_F(HttpBoundsTest, AHangingResolverDelaysOnlyItsOwnCall) {
    const auto stuck = begin({.url = "https://hangs.test" + secret_target, .deadline = 200ms});
    run_until([] { return testing_tools::hanging_lookups() == 1; });
    EXPECT_TRUE(send({.url = plain_url(server)}));
    const auto result = finish(stuck);
    ASSERT_FALSE(result);
    const auto code = result.error().code;  // the call's deadline, or the equally long one of its connection
    EXPECT_TRUE(code == Errc::timeout || code == Errc::away) << describe(result.error());
    EXPECT_EQ(testing_tools::hanging_lookups(), 1) << "the call ended although the lookup did not";
    testing_tools::release_lookups();
}

}  // namespace
}  // namespace countersign::net
