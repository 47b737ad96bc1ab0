// SPDX-License-Identifier: Apache-2.0
#include "net/sse_client.hpp"

#include "tests/fakes/fake_clock.hpp"
#include "tests/net/http_fixture.hpp"

namespace countersign::net {
namespace {

using namespace std::chrono_literals;

class SseClientTest : public HttpTest {
protected:
    using Read = Result<SseItem>;
    struct Reading {
        std::optional<Read> result;
        bool cancelled = false;
        asio::cancellation_signal cancel;
    };

    SseClientTest() { answer_with(""); }
    // Each connection gets the head of a stream and these bytes, and stays open.
    void answer_with(const std::string& bytes, Reply::Then then = Reply::Then::hold) {
        server->answer = [=](const Seen&) { return Reply{stream_head + bytes, then}; };
    }
    void open(SseOptions options = {}) {
        options.url = plain_url(server);
        options.headers.push_back({"Authorization", "Bearer SECRET"});
        options.trouble = [this](const Error& error) {
            EXPECT_THAT(error.detail, testing::Not(testing::HasSubstr("SECRET")));
            troubles.push_back(error.code);
        };
        events = std::make_unique<SseClient>(io.get_executor(), clock, std::move(options));
    }
    std::shared_ptr<Reading> begin_read() {
        auto reading = std::make_shared<Reading>();
        asio::co_spawn(io, events->read(),
                       asio::bind_cancellation_slot(reading->cancel.slot(),
                                                    [reading](const std::exception_ptr& thrown, Read result) {
                                                        reading->cancelled = thrown != nullptr;
                                                        if (!thrown) reading->result = std::move(result);
                                                    }));
        return reading;
    }
    Read read() {
        const auto reading = begin_read();
        run_until([&] { return reading->result.has_value(); });
        return reading->result ? *reading->result : Read{};
    }
    void expect_reset() {
        const auto item = read();
        ASSERT_TRUE(item) << describe(item.error());
        EXPECT_TRUE(std::holds_alternative<SseReset>(*item));
    }
    std::string event() {
        const auto item = read();
        const auto* found = item ? std::get_if<SseEvent>(&*item) : nullptr;
        EXPECT_NE(found, nullptr) << (item ? "a reset" : describe(item.error()));
        return found == nullptr ? "" : found->data;
    }
    Errc failure() {
        const auto item = read();
        EXPECT_FALSE(item);
        if (item) return Errc::internal;
        EXPECT_THAT(item.error().detail, testing::Not(testing::HasSubstr("SECRET")));
        return item.error().code;
    }
    // Waits as the client does before its next attempt.
    void pause(std::chrono::milliseconds time) {
        SCOPED_TRACE(time.count());
        run_until([&] { return clock.sleepers() == 1; });
        clock.advance(time - 1ms);
        io.restart();
        io.poll();
        EXPECT_EQ(clock.sleepers(), 1U) << "too early";
        clock.advance(1ms);
        run_until([&] { return clock.sleepers() == 0; });
    }
    std::string header(std::size_t request, const std::string& name) {
        const auto& head = server->seen.at(request).head;
        const auto at = head.find("\r\n" + name + ": ");
        if (at == std::string::npos) return "";
        const auto value = at + name.size() + 4;
        return head.substr(value, head.find("\r\n", value) - value);
    }

    inline static const std::string stream_head =
        "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n";
    fakes::FakeClock clock;
    HttpServer server{io};
    std::vector<Errc> troubles;
    std::unique_ptr<SseClient> events;
};

TEST_F(SseClientTest, AConnectionStartsWithAResetBeforeItsFirstEvent) {
    open();
    expect_reset();
    server.say("data: one\n\ndata: two\n\n");
    EXPECT_EQ(event(), "one");
    EXPECT_EQ(event(), "two");
    EXPECT_EQ(header(0, "Accept"), "text/event-stream");
    EXPECT_EQ(header(0, "Authorization"), "Bearer SECRET");
    EXPECT_EQ(header(0, "Last-Event-ID"), "");
}

TEST_F(SseClientTest, AfterADisconnectItReconnectsWithTheIdOfTheLastWholeEvent) {
    answer_with("id: 1\ndata: one\n\nid: 2\ndata: cut", Reply::Then::close);
    open();
    expect_reset();
    EXPECT_EQ(event(), "one");
    const auto next = begin_read();
    pause(limits::sse_retry_first);
    answer_with("id: 2\ndata: whole\n\n");
    run_until([&] { return next->result.has_value(); });
    ASSERT_TRUE(*next->result);
    EXPECT_TRUE(std::holds_alternative<SseReset>(**next->result)) << "the caller lists again";
    EXPECT_EQ(event(), "whole");
    EXPECT_EQ(header(1, "Last-Event-ID"), "1");
    EXPECT_EQ(troubles, std::vector{Errc::away});
}

TEST_F(SseClientTest, PausesGrowUntilAnEventComes) {
    server->answer = [](const Seen&) { return Reply{http(503, "SECRET")}; };
    open();
    const auto first = begin_read();
    for (auto time = limits::sse_retry_first; time < limits::sse_retry_max; time *= 2) pause(time);
    pause(limits::sse_retry_max);
    pause(limits::sse_retry_max);
    answer_with("data: well\n\n", Reply::Then::close);  // answers the attempt that is due now
    run_until([&] { return first->result.has_value(); });
    EXPECT_EQ(event(), "well");
    const auto next = begin_read();
    pause(limits::sse_retry_first);
    EXPECT_THAT(troubles, testing::Contains(Errc::unavailable).Times(testing::Ge(8)));
    run_until([&] { return next->result.has_value(); });
}

TEST_F(SseClientTest, TheServersRetryTimeIsUsed) {
    answer_with("retry: 2000\ndata: x\n\n", Reply::Then::close);
    open();
    expect_reset();
    EXPECT_EQ(event(), "x");
    const auto next = begin_read();
    pause(2000ms);
    run_until([&] { return next->result.has_value(); });
}

TEST_F(SseClientTest, SilenceEndsAConnection) {
    open({.silence_max = 30ms});
    expect_reset();
    const auto next = begin_read();
    run_until([&] { return clock.sleepers() == 1 && server->open == 0; });
    EXPECT_EQ(troubles, std::vector{Errc::timeout});
    next->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return next->cancelled; });
}

TEST_F(SseClientTest, AnUnreachableServerIsRetried) {
    auto going = std::make_unique<HttpServer>(io);
    const auto url = plain_url(*going);
    going.reset();
    events = std::make_unique<SseClient>(
        io.get_executor(), clock,
        SseOptions{.url = url, .trouble = [this](const Error& error) { troubles.push_back(error.code); }});
    const auto waiting = begin_read();
    pause(limits::sse_retry_first);
    run_until([&] { return troubles.size() == 2; });
    EXPECT_EQ(troubles, (std::vector{Errc::away, Errc::away}));
    waiting->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return waiting->cancelled; });
}

TEST_F(SseClientTest, WhatAnotherTryWontChangeIsAnError) {
    const std::vector<std::pair<std::string, Errc>> answers{
        {http(204, ""), Errc::unavailable},
        {http(401, "SECRET"), Errc::unavailable},
        {http(404, "SECRET"), Errc::unavailable},
        {http(302, "", "Location: http://127.0.0.1:1/SECRET\r\n"), Errc::unavailable},
        {http(200, "data: x\n\n", "Content-Type: text/html\r\n"), Errc::unsupported},
        {http(200, "data: x\n\n", "Content-Type: text/event-streams\r\n"), Errc::unsupported},
        {http(200, "data: x\n\n"), Errc::unsupported},
    };
    for (const auto& [answer, code] : answers) {
        server->answer = [text = answer](const Seen&) { return Reply{text}; };
        open();
        EXPECT_EQ(failure(), code) << answer;
    }
    EXPECT_THAT(troubles, testing::IsEmpty());
}

TEST_F(SseClientTest, OnlyAllowedAddressesAndHeadersAreAccepted) {
    for (const auto* url : {"http://example.com/SECRET", "ftp://127.0.0.1/SECRET", "SECRET"}) {
        events = std::make_unique<SseClient>(io.get_executor(), clock, SseOptions{.url = url});
        const auto code = failure();
        EXPECT_TRUE(code == Errc::unsupported || code == Errc::malformed) << url;
    }
    open({.headers = {{"X", "a\r\nY: SECRET"}}});
    EXPECT_EQ(failure(), Errc::malformed);
}

TEST_F(SseClientTest, I13_AnEventOnePastTheBoundEndsTheConnection) {
    answer_with("data: 12345678\n\ndata: 123456789\n\n");
    open({.event_bytes_max = 8});
    expect_reset();
    const auto next = begin_read();
    run_until([&] { return clock.sleepers() == 1 && server->open == 0; });
    EXPECT_EQ(troubles, std::vector{Errc::too_large});
    next->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return next->cancelled; });
}

TEST_F(SseClientTest, I13_UnreadBytesMakeTheServerWaitAndNothingIsLost) {
    const std::string line(10'000, 'x');
    std::string bytes;
    for (int i = 0; i < 3'000; ++i) bytes += "data: " + line + "\n\n";
    answer_with(bytes, Reply::Then::close);
    open();
    expect_reset();
    io.restart();
    while (io.run_one_for(100ms) != 0) {  // libcurl reads as much as it may
    }
    EXPECT_EQ(server->open, 1U) << "the server could not send all of it";
    for (int i = 0; i < 3'000; ++i) ASSERT_EQ(event(), line) << i;
}

TEST_F(SseClientTest, ACancelledReadLosesNothing) {
    open();
    expect_reset();
    const auto reading = begin_read();
    server.say("data: ha");
    for (int i = 0; i < 20; ++i) io.run_one_for(5ms);
    reading->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return reading->cancelled; });
    server.say("lf\n\n");
    EXPECT_EQ(event(), "half");
    EXPECT_EQ(server->accepted, 1U);
}

TEST_F(SseClientTest, AnIdThatCannotBeAHeaderValueIsNotSent) {
    answer_with("id: a\x01"
                "b\ndata: x\n\n",
                Reply::Then::close);
    open();
    expect_reset();
    EXPECT_EQ(event(), "x");
    const auto next = begin_read();
    pause(limits::sse_retry_first);
    run_until([&] { return next->result.has_value(); });
    EXPECT_TRUE(*next->result);
    EXPECT_EQ(header(1, "Last-Event-ID"), "");
}

}  // namespace
}  // namespace countersign::net
