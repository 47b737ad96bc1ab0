// SPDX-License-Identifier: Apache-2.0
// The network clients against third-party peers: npm's ws, and Node's http module.
#include "net/child.hpp"
#include "net/sse_client.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/net/certificates.hpp"
#include "tests/net/scratch_directory.hpp"
#include "tests/net/websocket_fixture.hpp"

namespace countersign::net {
namespace {

using testing_tools::Authority;
using testing_tools::ScratchDirectory;

class PeerTest : public WebSocketTest {
protected:
    // Starts a peer and returns its port.
    std::uint16_t start(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"node", NET_PEERS "/peer.mjs"});
        auto started = Child::start(io.get_executor(), {.argv = std::move(arguments), .share_stderr = true});
        if (!started) throw std::runtime_error{describe(started.error())};
        peer = std::move(*started);
        return static_cast<std::uint16_t>(std::stoi(line()));
    }
    std::string line() {
        while (said.find('\n') == std::string::npos) {
            const auto bytes = await(peer->read());
            if (!bytes || bytes->empty()) throw std::runtime_error{"the peer ended"};
            said += *bytes;
        }
        const auto end = said.find('\n');
        auto result = said.substr(0, end);
        said.erase(0, end + 1);
        return result;
    }
    // An open connection whose greeting was read.
    std::unique_ptr<WebSocket> greeted(WebSocketOptions options) {
        auto socket = open(std::move(options));
        if (socket) greeting = message(*socket);
        return socket;
    }
    void say(WebSocket& socket, const std::string& text) { EXPECT_TRUE(await(socket.write(text))); }

    std::unique_ptr<Child> peer;
    std::string said;
    std::string greeting;
};

TEST_F(PeerTest, MessagesOfEveryLengthGoBothWays) {
    const auto socket = greeted(to(start({"ws"}), {.subprotocol = "chat.v1"}));
    EXPECT_EQ(greeting, R"({"protocol":"chat.v1","authorization":"Bearer SECRET"})");
    for (const std::size_t size : {0U, 1U, 125U, 126U, 65'535U, 65'536U, 3'000'000U}) {
        const auto text = std::string(size, 'e');
        say(*socket, text);
        EXPECT_EQ(message(*socket), text) << size;
    }
    say(*socket, "Grüße 🙂");
    EXPECT_EQ(message(*socket), "Grüße 🙂");
}

TEST_F(PeerTest, FragmentsBecomeOneMessage) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "fragments one two three");
    EXPECT_EQ(message(*socket), "onetwothree");
}

TEST_F(PeerTest, PingsAreAnsweredWithTheirPayload) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "ping Ping-from-applink-1");
    EXPECT_EQ(message(*socket), "pong Ping-from-applink-1");
}

TEST_F(PeerTest, OurPingsKeepASilentConnectionOpen) {
    const auto socket = greeted(to(start({"ws"}), {.ping_after = 20ms}));
    EXPECT_EQ(message(*socket), "pinged 1");
    EXPECT_EQ(message(*socket), "pinged 2") << "the pong between them counted";
}

TEST_F(PeerTest, TheCodeAndReasonOfAClosingPeerAreReported) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "close 4004 Authentication SECRET failed");
    const auto error = failure(*socket);
    EXPECT_EQ(error.code, Errc::away);
    EXPECT_THAT(error.detail, testing::HasSubstr("4004"));
    EXPECT_EQ(socket->closed(), (WebSocketClose{4004, "Authentication SECRET failed"}));
    EXPECT_EQ(line(), "closed 4004 ") << "the peer heard our answer";
    EXPECT_EQ(failure(*socket).code, Errc::away) << "and it stays so";
    EXPECT_FALSE(await(socket->write("late")));
}

TEST_F(PeerTest, OurCloseCodeReachesThePeer) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "an echo that nobody reads");
    EXPECT_TRUE(await(finished(*socket, 4000, "no heartbeat")));
    EXPECT_EQ(line(), "closed 4000 no heartbeat");
    EXPECT_EQ(socket->closed(), (WebSocketClose{4000, "no heartbeat"}));
}

TEST_F(PeerTest, ADroppedConnectionIsNotAnOrderlyEnd) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "terminate");
    EXPECT_EQ(failure(*socket).code, Errc::unavailable);
}

TEST_F(PeerTest, I13_OnePastTheMessageBoundClosesWith1009) {
    const auto socket = greeted(to(start({"ws"}), {.message_bytes_max = 1'000}));
    say(*socket, "size 1000");
    EXPECT_EQ(message(*socket).size(), 1'000U);
    say(*socket, "size 1001");
    EXPECT_EQ(failure(*socket).code, Errc::too_large);
    EXPECT_EQ(line(), "closed 1009 ");
}

TEST_F(PeerTest, ABinaryMessageClosesWith1003) {
    const auto socket = greeted(to(start({"ws"})));
    say(*socket, "binary");
    EXPECT_EQ(failure(*socket).code, Errc::malformed);
    EXPECT_EQ(line(), "closed 1003 ");
}

TEST_F(PeerTest, AUnixSocketWorksTheSameWay) {
    const ScratchDirectory scratch;
    const auto path = scratch.path() + "/codex.sock";
    start({"unix", path});
    const auto socket = greeted({.url = "ws://localhost/", .unix_socket = path});
    say(*socket, "hello");
    EXPECT_EQ(message(*socket), "hello");
    EXPECT_EQ(refusal({.url = "ws://localhost/SECRET", .unix_socket = path + ".none"}).code, Errc::away);
}

class TlsPeerTest : public PeerTest {
protected:
    // A TLS server with a certificate for this name, and a connector that trusts this authority.
    std::uint16_t start_for(const std::string& name, const Authority& believed) {
        const auto identity = authority.issue(name);
        const auto port =
            start({"ws", scratch.file("key.pem", identity.key), scratch.file("cert.pem", identity.certificate)});
        connector =
            std::make_unique<WebSocketConnector>(io.get_executor(), scratch.file("ca.pem", believed.certificate()));
        return port;
    }
    static std::string url(std::uint16_t port) { return "wss://localhost:" + std::to_string(port) + "/SECRET"; }
    ScratchDirectory scratch;
    Authority authority{"ours"};
};

TEST_F(TlsPeerTest, MessagesAreSentOverTls) {
    const auto port = start_for("localhost", authority);
    const auto socket = greeted(to(port, {.url = url(port)}));
    for (const std::size_t size : {5U, 70'000U, 2'000'000U}) {
        const auto text = std::string(size, 't');
        say(*socket, text);
        EXPECT_EQ(message(*socket), text) << size;
    }
    EXPECT_TRUE(await(finished(*socket, 1000, "")));
    EXPECT_EQ(line(), "closed 1000 ");
}

TEST_F(TlsPeerTest, ACertificateForAnotherNameIsRefused) {
    const auto port = start_for("elsewhere.test", authority);
    const auto error = refusal(to(port, {.url = url(port)}));
    EXPECT_EQ(error.code, Errc::bad_signature);
    EXPECT_THAT(error.detail, testing::HasSubstr("another name"));
}

TEST_F(TlsPeerTest, ACertificateOfAnotherAuthorityIsRefused) {
    const Authority other{"theirs"};
    const auto port = start_for("localhost", other);
    EXPECT_EQ(refusal(to(port, {.url = url(port)})).code, Errc::bad_signature);
    connector = std::make_unique<WebSocketConnector>(io.get_executor());
    EXPECT_EQ(refusal(to(port, {.url = url(port)})).code, Errc::bad_signature) << "nor by the system's authorities";
}

TEST_F(PeerTest, AnEventStreamIsResumedAfterACutInTheMiddleOfAnEvent) {
    fakes::FakeClock clock;
    const auto url = "http://127.0.0.1:" + std::to_string(start({"sse"})) + "/event";
    std::vector<Errc> troubles;
    SseClient events{
        io.get_executor(), clock, {.url = url, .trouble = [&](const Error& error) { troubles.push_back(error.code); }}};
    const auto read = [&] { return await(events.read()); };
    EXPECT_EQ(*read(), SseItem{SseReset{}});
    EXPECT_EQ(*read(), (SseItem{SseEvent{.data = "one", .id = "1"}}));
    const auto next = begin(events.read());
    run_until([&] { return clock.sleepers() == 1; });
    clock.advance(limits::sse_retry_first);
    run_until([&] { return next->ended(); });
    EXPECT_EQ(**next->result, SseItem{SseReset{}});
    EXPECT_EQ(*read(), (SseItem{SseEvent{.data = "after 1", .id = "2"}}));
    EXPECT_EQ(troubles, std::vector{Errc::unavailable});
}

}  // namespace
}  // namespace countersign::net
