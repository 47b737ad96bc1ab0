// SPDX-License-Identifier: Apache-2.0
// The WebSocket client against a server that behaves as no library would.
#include "tests/net/websocket_fixture.hpp"

#include "tests/net/scratch_directory.hpp"
#include "tests/net/slow_resolver.hpp"

#include <boost/asio/steady_timer.hpp>

namespace countersign::net {
namespace {

class WebSocketFaultTest : public WebSocketTest {
protected:
    std::unique_ptr<WebSocket> open_here(WebSocketOptions options = {}) {
        return open(to(server.port(), std::move(options)));
    }
    Error refused_here(WebSocketOptions options = {}) { return refusal(to(server.port(), std::move(options))); }
    // The code of the close frame that the server received from us, unmasked here.
    std::uint16_t code_heard() {
        run_until([&] { return server.client_left; });
        const auto& bytes = server.heard;
        if (bytes.size() < 8 || bytes[0] != '\x88') return 0;
        const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
        return static_cast<std::uint16_t>((at(6) ^ at(2)) << 8 | (at(7) ^ at(3)));
    }
    ScriptedServer server{io};
};

TEST_F(WebSocketFaultTest, FramesThatArriveWithTheAnswerAreRead) {
    server.answer = [](const auto& head) {
        return ScriptedServer::accept(head) + std::string{"\x81\x02hi\x01\x01", 6};
    };
    const auto socket = open_here();
    EXPECT_EQ(message(*socket), "hi");
    server.say(std::string{"a\x80\x01", 3} + "b");
    EXPECT_EQ(message(*socket), "ab");
    EXPECT_THAT(server.head, testing::StartsWith("GET /SECRET?ticket=SECRET HTTP/1.1\r\nHost: 127.0.0.1:"));
    EXPECT_THAT(server.head, testing::HasSubstr("\r\nAuthorization: Bearer SECRET\r\n"));
}

TEST_F(WebSocketFaultTest, AServerThatNeverAnswersIsGivenUp) {
    server.answer = [](const auto&) { return std::string{}; };
    EXPECT_EQ(refused_here({.handshake_max = 30ms}).code, Errc::timeout);
    run_until([&] { return server.client_left; });
}

TEST_F(WebSocketFaultTest, ClosingSendsTheCodeAndEndsAReadThatIsWaiting) {
    const auto socket = open_here();
    const auto reading = begin(socket->read());
    const auto leaving = begin(left(*socket, 4000));
    run_until([&] { return leaving->ended() && reading->ended(); });
    ASSERT_TRUE(reading->result);
    EXPECT_FALSE(*reading->result);
    EXPECT_EQ(code_heard(), 4000) << "the server said nothing, and was not waited for";
}

TEST_F(WebSocketFaultTest, ARedirectIsNotFollowed) {
    server.answer = [](const auto&) {
        return "HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/SECRET\r\nContent-Length: 0\r\n\r\n";
    };
    const auto error = refused_here();
    EXPECT_EQ(error.code, Errc::unavailable);
    EXPECT_THAT(error.detail, testing::HasSubstr("302"));
}

TEST_F(WebSocketFaultTest, OnlyACompleteAndValidAnswerOpensIt) {
    const std::vector<std::function<std::string(const std::string&)>> answers{
        [](const auto&) { return "HTTP/1.1 401 SECRET\r\n\r\n"; },
        [](const auto&) { return "HTTP/1.0 101 Switching\r\n\r\n"; },
        [](const auto&) { return "SSH-2.0-SECRET\r\n"; },
        [](const auto&) { return "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"; },
        [](const auto&) { return ScriptedServer::accept("Sec-WebSocket-Key: another\r\n"); },
        [](const auto& head) {
            return ScriptedServer::accept(head, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
        },
        [](const auto& head) { return ScriptedServer::accept(head, "Sec-WebSocket-Protocol: unasked\r\n"); },
        [](const auto& head) { return ScriptedServer::accept(head, "Upgrade: h2c\r\n"); },
        [](const auto& head) { return ScriptedServer::accept(head, "Sec-WebSocket-Accept: SECRET\r\n"); },
    };
    for (const auto& answer : answers) {
        ScriptedServer one{io};
        one.answer = answer;
        EXPECT_EQ(refusal(to(one.port())).code, Errc::unavailable) << answer("Sec-WebSocket-Key: k\r\n");
    }
}

TEST_F(WebSocketFaultTest, I13_AHeadOnePastTheBoundIsRefused) {
    for (const bool many_lines : {false, true}) {
        ScriptedServer one{io};
        one.answer = [&](const auto& head) {
            std::string lines;
            if (!many_lines) lines = "X-Long: " + std::string(limits::http_answer_head_bytes_max, 'x') + "\r\n";
            for (std::size_t i = 0; many_lines && i < limits::http_answer_headers_max; ++i) lines += "X: y\r\n";
            return ScriptedServer::accept(head, lines);
        };
        EXPECT_EQ(refusal(to(one.port())).code, Errc::too_large) << many_lines;
    }
    ScriptedServer endless{io};
    endless.answer = [](const auto&) { return "HTTP/1.1 101 " + std::string(limits::http_answer_head_bytes_max, 'x'); };
    EXPECT_EQ(refusal(to(endless.port())).code, Errc::too_large) << "a line without an end";
}

TEST_F(WebSocketFaultTest, AConnectionThatBreaksInsideAFrameIsNotAnOrderlyEnd) {
    const auto socket = open_here();
    server.say(std::string{"\x81\x10half"});
    server.reset();
    EXPECT_EQ(failure(*socket).code, Errc::unavailable);
    EXPECT_FALSE(socket->closed());
    EXPECT_EQ(failure(*socket).code, Errc::unavailable) << "and stays so";
    EXPECT_FALSE(await(socket->write("x")));
}

TEST_F(WebSocketFaultTest, AnEndWithoutACloseFrameIsNotAnOrderlyEnd) {
    const auto socket = open_here();
    server.end();
    EXPECT_EQ(failure(*socket).code, Errc::unavailable);
}

TEST_F(WebSocketFaultTest, AMaskedFrameEndsWith1002) {
    const auto socket = open_here();
    server.say("\x81\x81mmmmx");
    EXPECT_EQ(failure(*socket).code, Errc::malformed);
    EXPECT_EQ(code_heard(), close_code::protocol_error);
}

TEST_F(WebSocketFaultTest, TextThatIsNotUtf8EndsWith1007) {
    const auto socket = open_here();
    server.say("\x81\x02\xC3(");
    EXPECT_EQ(failure(*socket).code, Errc::malformed);
    EXPECT_EQ(code_heard(), close_code::invalid_text);
}

TEST_F(WebSocketFaultTest, I13_OnePastTheMessageBoundEndsWith1009) {
    const auto socket = open_here({.message_bytes_max = 8});
    server.say("\x81\x08"
               "12345678"
               "\x81\x09");
    EXPECT_EQ(message(*socket), "12345678");
    EXPECT_EQ(failure(*socket).code, Errc::too_large);
    EXPECT_EQ(code_heard(), close_code::too_big);
}

TEST_F(WebSocketFaultTest, AHalfOpenConnectionIsDetectedByItsMissingPong) {
    const auto socket = open_here({.ping_after = 20ms, .pong_max = 20ms});
    const auto error = failure(*socket);
    EXPECT_EQ(error.code, Errc::timeout);
    EXPECT_THAT(error.detail, testing::HasSubstr("ping"));
    EXPECT_EQ(server.heard.substr(0, 2), "\x89\x80") << "one masked, empty ping";
    EXPECT_EQ(server.heard.size(), 6U);
}

// The caller was busy for longer than the peer may be silent. That isn't the peer's fault.
TEST_F(WebSocketFaultTest, APeerHasItsWholeTimeForAPongEvenIfWeReadLate) {
    const auto socket = open_here({.ping_after = 1ms, .pong_max = 1s});
    asio::steady_timer busy{io, 1'100ms};
    bool over = false;
    busy.async_wait([&](const auto&) { over = true; });
    run_until([&] { return over; });
    const auto waiting = begin(socket->read());
    run_until([&] { return !server.heard.empty(); });
    EXPECT_FALSE(waiting->ended());
    server.say("\x81\x02hi");
    run_until([&] { return waiting->ended(); });
    ASSERT_TRUE(*waiting->result) << describe(waiting->result->error());
    EXPECT_EQ(**waiting->result, "hi");
}

TEST_F(WebSocketFaultTest, PongsAloneDoNotExtendTheIdleTimeout) {
    const auto socket = open_here({.ping_after = 1h, .idle_max = 30ms});
    server.say(std::string{"\x8A\x00", 2});
    const auto error = failure(*socket);
    EXPECT_EQ(error.code, Errc::timeout);
    EXPECT_THAT(error.detail, testing::HasSubstr("no message"));
}

TEST_F(WebSocketFaultTest, APeerThatDoesNotReadEndsItAtTheWriteDeadline) {
    server.listens_on = false;
    const auto socket = open_here({.outgoing_bytes_max = 64 * 1024 * 1024, .write_max = 50ms});
    const auto sent = await(socket->write(std::string(40'000'000, 'x')));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, Errc::timeout);
    EXPECT_FALSE(await(socket->write("after half a message")));
}

TEST_F(WebSocketFaultTest, I13_OnePastTheOutgoingBoundIsRefused) {
    const auto socket = open_here({.outgoing_bytes_max = 1'000});
    const auto refused = await(socket->write(std::string(993, 'x')));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_TRUE(await(socket->write(std::string(992, 'x')))) << "992 and 8 of its head";
}

TEST_F(WebSocketFaultTest, InvalidUtf8IsNotSent) {
    const auto socket = open_here();
    EXPECT_EQ(await(socket->write("\xFF")).error().code, Errc::malformed);
}

TEST_F(WebSocketFaultTest, ACancelledReadLosesNothing) {
    const auto socket = open_here();
    const auto waiting = begin(socket->read());
    server.say("\x81\x04ha");
    for (int i = 0; i < 20; ++i) io.run_one_for(5ms);
    waiting->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return waiting->ended(); });
    EXPECT_TRUE(waiting->cancelled);
    server.say("lf");
    EXPECT_EQ(message(*socket), "half");
}

TEST_F(WebSocketFaultTest, CloseEndsAWaitingRead) {
    const auto socket = open_here();
    const auto waiting = begin(socket->read());
    io.restart();
    io.poll();
    socket->close();
    run_until([&] { return waiting->ended() && server.client_left; });
    EXPECT_EQ(waiting->result->error().code, Errc::unavailable);
    EXPECT_EQ(failure(*socket).code, Errc::unavailable);
    EXPECT_FALSE(await(socket->write("x")));
}

TEST_F(WebSocketFaultTest, ACancelledConnectLeavesNothingBehind) {
    server.answer = [](const auto&) { return std::string{}; };
    const auto waiting = begin(connector->connect(to(server.port())));
    run_until([&] { return !server.head.empty(); });
    waiting->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return waiting->ended() && server.client_left; });
    EXPECT_TRUE(waiting->cancelled);
}

TEST_F(WebSocketFaultTest, DestroyingAConnectorEndsItsWebSockets) {
    const auto socket = open_here();
    const auto waiting = begin(socket->read());
    io.restart();
    io.poll();
    connector.reset();
    run_until([&] { return waiting->ended() && server.client_left; });
    EXPECT_EQ(waiting->result->error().code, Errc::unavailable);
    EXPECT_FALSE(await(socket->write("x")));
}

TEST_F(WebSocketFaultTest, ANameThatIsNeverResolvedIsGivenUp) {
    EXPECT_EQ(refusal({.url = "wss://hangs.test/SECRET", .connect_max = 30ms}).code, Errc::away);
    testing_tools::release_lookups();
}

TEST_F(WebSocketFaultTest, PlainWebSocketsStayOnThisMachine) {
    for (const auto* url : {"ws://example.com/SECRET", "ws://192.0.2.1/SECRET", "http://127.0.0.1/SECRET",
                            "https://example.com/SECRET", "unix:///SECRET", "wss:/SECRET", "SECRET"}) {
        const auto code = refusal({.url = url}).code;
        EXPECT_TRUE(code == Errc::unsupported || code == Errc::malformed) << url;
    }
    EXPECT_EQ(refusal({.url = "wss://user:SECRET@example.com/"}).code, Errc::malformed);
    EXPECT_EQ(refusal({.url = "wss://localhost/", .unix_socket = "/SECRET"}).code, Errc::unsupported);
}

TEST_F(WebSocketFaultTest, AHeaderCannotEndEarlyOrReplaceOurs) {
    const std::vector<HttpHeader> headers{{"X", "a\r\nY: SECRET"}, {"Bad Name", "SECRET"},
                                          {"Host", "SECRET"},      {"Connection", "SECRET"},
                                          {"upgrade", "SECRET"},   {"Sec-WebSocket-Key", "SECRET"}};
    for (const auto& header : headers) {
        EXPECT_EQ(refused_here({.headers = {header}}).code, Errc::malformed) << header.name;
    }
    EXPECT_EQ(refused_here({.subprotocol = "a\r\nb: SECRET"}).code, Errc::malformed);
    EXPECT_TRUE(server.head.empty()) << "nothing was sent";
}

}  // namespace
}  // namespace countersign::net
