// SPDX-License-Identifier: Apache-2.0
// Cancelled calls and destroyed clients, and that neither leaves anything behind.
#include "core/limits.hpp"
#include "tests/net/http_fixture.hpp"

namespace countersign::net {
namespace {

class HttpLifeTest : public HttpTest {
protected:
    void hold() {
        server->answer = [](const Seen&) {
            return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", Reply::Then::hold};
        };
    }
    // Calls that have all reached the server.
    std::vector<std::shared_ptr<Call>> under_way(std::size_t count) {
        std::vector<std::shared_ptr<Call>> calls;
        for (std::size_t i = 0; i < count; ++i) calls.push_back(begin({.url = plain_url(server)}));
        run_until([&] { return server->seen.size() == count; });
        return calls;
    }
    HttpServer server{io};
};

TEST_F(HttpLifeTest, ACancelledCallEndsOnlyItsOwnTransfer) {
    hold();
    const auto calls = under_way(2);
    calls[0]->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return calls[0]->ended() && server->open == 1; });
    EXPECT_TRUE(calls[0]->cancelled);
    EXPECT_FALSE(calls[1]->ended());
}

TEST_F(HttpLifeTest, ACallCancelledBeforeItsFirstTurnIsHarmless) {
    const auto call = begin({.url = plain_url(server)});
    call->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return call->ended(); });
    EXPECT_TRUE(send({.url = plain_url(server)}));
}

TEST_F(HttpLifeTest, DestroyingTheClientFailsEveryCall) {
    hold();
    const auto calls = under_way(20);
    client.reset();
    for (const auto& call : calls) {
        const auto result = finish(call);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Errc::unavailable);
    }
    run_until([&] { return server->open == 0; });
}

TEST_F(HttpLifeTest, DestroyingTheClientFailsCallsThatNeverStartedToConnect) {
    hold();
    const auto calls = under_way(limits::http_connections_max);
    const auto waiting = begin({.url = plain_url(server)});
    io.restart();
    io.poll();
    client.reset();
    EXPECT_EQ(finish(waiting).error().code, Errc::unavailable);
}

TEST_F(HttpLifeTest, ALoopThatEndsDuringCallsLeaksNothing) {
    hold();
    const auto calls = under_way(20);
    // The fixture ends here: first the client, then the loop with everything that still waits in it. The sanitizers
    // check this.
}

TEST_F(HttpLifeTest, ACallSentOverAKeptConnectionIsNotReportedAsUnsentIfTheServerGoes) {
    auto going = std::make_unique<HttpServer>(io);
    const auto url = plain_url(*going);
    ASSERT_TRUE(send({.url = url}));  // the kept connection
    (*going)->answer = [](const Seen&) { return Reply{"", Reply::Then::hold}; };
    const auto call = begin({.method = HttpMethod::post, .url = url, .body = "once"});
    run_until([&] { return (*going)->seen.size() == 2; });
    going->close_all();
    going.reset();
    const auto result = finish(call);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::unavailable) << "the server may have done it";
    EXPECT_EQ(failure({.url = url}).code, Errc::away) << "this one reached no server";
}

TEST_F(HttpLifeTest, AThousandCallsLeaveNoDescriptor) {
    ASSERT_TRUE(send({.url = plain_url(server)}));  // the kept connection
    const auto before = descriptors();
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(send({.url = plain_url(server)}));
    server->answer = [](const Seen&) { return Reply{http(200, "ok", "Connection: close\r\n"), Reply::Then::close}; };
    for (int i = 0; i < 499; ++i) ASSERT_TRUE(send({.url = plain_url(server)}));
    server->answer = [](const Seen&) { return Reply{http(200, "ok")}; };
    ASSERT_TRUE(send({.url = plain_url(server)}));
    run_until([&] { return server->open == 1; });
    EXPECT_EQ(descriptors(), before);
}

TEST_F(HttpLifeTest, AThousandFailuresLeaveNoDescriptor) {
    ASSERT_TRUE(send({.url = plain_url(server)}));
    server.close_all();
    run_until([&] { return server->open == 0; });
    server->answer = [](const Seen&) {
        return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", Reply::Then::close};
    };
    static_cast<void>(failure({.url = plain_url(server)}));
    run_until([&] { return server->open == 0; });
    const auto before = descriptors();
    for (int i = 0; i < 1000; ++i) static_cast<void>(failure({.url = plain_url(server)}));
    run_until([&] { return server->open == 0; });
    EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace countersign::net
