// SPDX-License-Identifier: Apache-2.0
// Each limit of a listener, crossed by one. Deadlines are set short here and then awaited; the tests never sleep.
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

namespace countersign::gateway {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

const std::string delivery = post("Content-Length: 3\r\n");

class ServerBoundsTest : public Front {
protected:
    static ServerOptions with(auto Bounds::* bound, auto value) {
        ServerOptions options;
        options.bounds.*bound = value;
        return options;
    }
    Answer refused_delivery(Peer& peer) {
        inbound.reply.status = 401;
        return peer.ask(delivery);
    }
};

// The worst that slow strangers can do: eight addresses, each with its whole share, and a head that never ends.
TEST_F(ServerBoundsTest, I13_SlowStrangersDoNotKeepAnAuthenticDeliveryOut) {
    const auto before = open_descriptors();
    open();
    std::vector<std::unique_ptr<Peer>> strangers;
    for (int address = 1; address <= 8; ++address) {
        const auto from = "127.0.0." + std::to_string(10 + address);
        for (std::size_t i = 0; i < limits::gateway_connections_per_client_max; ++i) {
            strangers.push_back(std::make_unique<Peer>(*this, from.c_str()));
            strangers.back()->send("POST /webhooks/telegram/ops HTTP/1.1\r\nX-A: ");
            ASSERT_TRUE(until([&] { return server->connections() == strangers.size(); }));
        }
    }
    ASSERT_EQ(server->connections(), limits::gateway_connections_max);

    Peer platform{*this};
    EXPECT_EQ(platform.ask(delivery).status, 200U);
    EXPECT_TRUE(strangers.front()->closed()) << "the oldest of them made room";
    EXPECT_EQ(server->connections_evicted(), 1U);
    EXPECT_EQ(server->connections_refused(), 0U);
    EXPECT_EQ(server->connections(), limits::gateway_connections_max);
    EXPECT_EQ(strangers.back()->ask("a\r\nHost: x\r\nContent-Length: 0\r\n\r\n").status, 200U) << "the others stay";
    for (int more = 0; more < 20; ++more) strangers.push_back(std::make_unique<Peer>(*this, "127.0.0.99"));
    ASSERT_TRUE(until([&] { return server->connections_evicted() == 21; }));
    EXPECT_EQ(platform.ask(delivery).status, 200U) << "a connection that was authentic keeps its place";

    strangers.clear();
    platform.close();
    drain();
    EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ServerBoundsTest, I13_OneConnectionTooManyIsClosedUnread) {
    constexpr std::size_t bound = 3;
    auto options = with(&Bounds::connections, bound);
    open(options);
    std::vector<std::unique_ptr<Peer>> peers;
    while (peers.size() < bound) {
        peers.push_back(std::make_unique<Peer>(*this));
        ASSERT_EQ(peers.back()->ask(delivery).status, 200U);
    }
    Peer more{*this};
    more.send(delivery);
    EXPECT_EQ(more.answer().status, 0U);
    EXPECT_EQ(server->connections_refused(), 1U);
    EXPECT_EQ(peers.front()->ask(delivery).status, 200U) << "the others do not notice";

    peers.pop_back();
    ASSERT_TRUE(until([&] { return server->connections() == bound - 1; }));
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 200U) << "there is room again";
}

TEST_F(ServerBoundsTest, I13_OneClientCannotTakeAllConnections) {
    open(with(&Bounds::connections_per_client, 2U));
    Peer first{*this};
    EXPECT_EQ(first.ask(delivery).status, 200U);
    Peer second{*this};
    EXPECT_EQ(second.ask(delivery).status, 200U);
    EXPECT_TRUE(Peer{*this}.closed());
    EXPECT_EQ(Peer(*this, "127.0.0.2").ask(delivery).status, 200U);
}

TEST_F(ServerBoundsTest, I13_AClientsNextConnectionTakesThePlaceOfItsOldestUnverifiedOne) {
    open(with(&Bounds::connections_per_client, 2U));
    Peer verified{*this};
    EXPECT_EQ(verified.ask(delivery).status, 200U);
    inbound.reply.status = 401;
    Peer refused{*this};
    EXPECT_EQ(refused.ask(delivery).status, 401U) << "not authentic, so it can be evicted";
    inbound.reply.status = 200;
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 200U);
    EXPECT_TRUE(refused.closed());
    EXPECT_EQ(verified.ask(delivery).status, 200U);
}

TEST_F(ServerBoundsTest, I13_BehindAConfiguredProxyTheShareOfConnectionsIsTheForwardedClients) {
    auto options = with(&Bounds::connections_per_client, 1U);
    options.proxies = {"127.0.0.1"};
    open(options);
    inbound.hold();
    const auto from = [](const std::string& address) {
        return post("X-Forwarded-For: 10.1.1.1\r\nX-Forwarded-For: " + address + "\r\nContent-Length: 3\r\n");
    };
    Peer first{*this};
    first.send(from("203.0.113.9"));
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1; }));
    Peer second{*this};
    EXPECT_EQ(second.ask(from("203.0.113.9")).status, 429U) << "one past its share";
    Peer third{*this};
    third.send(from("203.0.113.10"));
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 2; })) << "another client, through the same proxy";
    inbound.release();
    EXPECT_EQ(first.answer().status, 200U);
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.9")).status, 200U) << "its share is free again";
    EXPECT_EQ(first.ask(from("203.0.113.11")).status, 200U) << "the connection is the proxy's and serves any client";
}

TEST_F(ServerBoundsTest, I13_AMappedAddressIsNotASecondClient) {
    auto options = with(&Bounds::connections_per_client, 1U);
    options.address = "::ffff:127.0.0.1";
    open(options);
    Peer first{*this};
    EXPECT_EQ(first.ask(delivery).status, 200U);
    EXPECT_TRUE(Peer{*this}.closed());
    EXPECT_THAT(lines.front(), HasSubstr(R"("client":"127.0.0.1")"));
}

TEST_F(ServerBoundsTest, I13_AConnectionServesABoundedNumberOfRequests) {
    open(with(&Bounds::requests_per_connection, 2U));
    Peer peer{*this};
    peer.send(delivery + delivery + delivery);
    EXPECT_THAT(peer.answer().head, testing::Not(HasSubstr("Connection: close")));
    EXPECT_THAT(peer.answer().head, HasSubstr("Connection: close"));
    EXPECT_TRUE(peer.closed());
    EXPECT_THAT(inbound.messages, SizeIs(2));
}

TEST_F(ServerBoundsTest, I13_AHeadThatTricklesInIsTimedOut) {
    open(with(&Bounds::head, 50ms));
    Peer peer{*this};
    peer.send("POST /webhooks/telegram/ops HTTP/1.1\r\nX-A: ");
    ASSERT_TRUE(until([&] {
        peer.send("a");
        return !lines.empty();
    }));
    EXPECT_EQ(peer.answer().status, 408U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(ServerBoundsTest, I13_ABodyThatTricklesInIsTimedOut) {
    open(with(&Bounds::body, 50ms));
    Peer peer{*this};
    peer.send(post("Content-Length: 200000\r\n", ""));
    ASSERT_TRUE(until([&] {
        peer.send("a");
        return !lines.empty();
    }));
    EXPECT_EQ(peer.answer().status, 408U);
    EXPECT_TRUE(peer.closed());
    EXPECT_THAT(inbound.messages, IsEmpty());
}

// Strangers who send large bodies slowly cost each other their answers, but don't affect a delivery of the usual size.
TEST_F(ServerBoundsTest, I13_UnverifiedBodiesOfAllConnectionsTogetherAreBounded) {
    auto options = with(&Bounds::unverified_bytes, 5'000U);
    options.bounds.unverified_free = 1'000;
    open(options);
    Peer first{*this};
    first.send(post("Content-Length: 6000\r\n", std::string(5'999, 'a')));
    Peer second{*this};
    second.send(post("Content-Length: 6000\r\n", std::string(1'100, 'a')));
    const auto refused = second.answer();
    EXPECT_EQ(refused.status, 503U);
    EXPECT_TRUE(second.closed());
    EXPECT_EQ(lines_with("too many bytes of other bodies wait to be verified"), 1U);
    EXPECT_EQ(Peer{*this}.ask(post("Content-Length: 900\r\n", std::string(900, 'a'))).status, 200U);

    first.send("a");
    EXPECT_EQ(first.answer().status, 200U) << "exactly the bound";
    Peer third{*this};
    EXPECT_EQ(third.ask(post("Content-Length: 6000\r\n", std::string(6'000, 'a'))).status, 200U) << "given back";
}

TEST_F(ServerBoundsTest, I13_AnEndlessChunkedBodyIsCutOff) {
    open();
    Peer peer{*this};
    peer.send(post("Transfer-Encoding: chunked\r\n", ""));
    ASSERT_TRUE(until([&] {
        peer.send("8\r\n01234567\r\n");
        return !lines.empty();
    }));
    EXPECT_EQ(peer.answer().status, 413U);
}

TEST_F(ServerBoundsTest, I13_ASilentConnectionIsClosed) {
    open(with(&Bounds::head, 50ms));
    EXPECT_TRUE(Peer{*this}.closed());
    EXPECT_THAT(lines, IsEmpty()) << "there was no request";
}

TEST_F(ServerBoundsTest, I13_AnIdleConnectionIsClosed) {
    open(with(&Bounds::idle, 50ms));
    Peer peer{*this};
    EXPECT_EQ(peer.ask(delivery).status, 200U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(ServerBoundsTest, I13_APeerThatDoesNotReadIsDisconnected) {
    auto options = with(&Bounds::write, 50ms);
    options.bounds.requests_per_connection = 1'000'000;
    open(options);
    inbound.reply.body = std::string(limits::gateway_reply_bytes_max, 'x');
    Peer peer{*this};
    ASSERT_TRUE(until([&] {
        peer.send(post("", ""));
        return lines_with("the connection ended before the answer") == 1;
    }));
    EXPECT_TRUE(until([&] { return server->connections() == 0; }));
}

TEST_F(ServerBoundsTest, I13_APeerThatKeepsSendingAfterItsAnswerIsDisconnected) {
    open(with(&Bounds::linger, 50ms));
    Peer peer{*this};
    peer.send(post("Content-Length: 03\r\n"));
    EXPECT_TRUE(until([&] {
        peer.send("more and more");
        return lines.size() == 1 && server->connections() == 0;
    }));
}

TEST_F(ServerBoundsTest, I13_BytesReadAfterAnAnswerAreBounded) {
    open(with(&Bounds::linger, 24h));
    Peer peer{*this};
    EXPECT_EQ(peer.ask(post("Content-Length: 03\r\n")).status, 400U);
    std::size_t sent = 0;
    EXPECT_TRUE(until([&] {
        peer.send(std::string(4096, 'x'));
        sent += 4096;
        return server->connections() == 0;
    }));
    EXPECT_GE(sent, limits::gateway_linger_bytes_max);
    EXPECT_LT(sent, 4 * limits::gateway_linger_bytes_max) << "what was under way counts too, but no more";
}

TEST_F(ServerBoundsTest, I13_DeliveriesBeingHandledAreCountedEvenAfterTheirDeferredAnswer) {
    open(with(&Bounds::handles, 1U));
    inbound.hold();
    Peer first{*this};
    first.send(delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1 && clock.sleepers() == 1; }));
    clock.advance(limits::gateway_handle_max);
    EXPECT_EQ(first.answer().status, 200U);
    const auto busy = first.ask(delivery);
    EXPECT_EQ(busy.status, 503U);
    EXPECT_THAT(busy.head, HasSubstr("Retry-After: 5\r\n"));
    inbound.release();
    ASSERT_TRUE(until([&] { return inbound.answered == 1; }));
    EXPECT_EQ(first.ask(delivery).status, 200U);
}

std::string head_of_a_large_body(std::size_t bytes = limits::webhook_body_bytes_max + 1) {
    return post("X-Secret: a\r\nContent-Length: " + std::to_string(bytes) + "\r\n", "");
}

// Otherwise the platform would repeat the delivery, and hold back later ones, for as long as it likes.
TEST_F(ServerBoundsTest, I13_TheHeadersOfABodyThatIsTooLargeCanBeAccepted) {
    open();
    inbound.without_body = Reply{.status = 200};
    Peer peer{*this};
    EXPECT_EQ(peer.ask(head_of_a_large_body()).status, 200U) << "before its body was sent";
    ASSERT_THAT(inbound.bodiless, SizeIs(1));
    EXPECT_THAT(inbound.bodiless[0].headers, testing::Contains(HttpHeader{"X-Secret", "a"}));
    EXPECT_EQ(inbound.bodiless[0].path, "/webhooks/telegram/ops");
    EXPECT_THAT(inbound.bodiless[0].body, IsEmpty());
    EXPECT_THAT(inbound.messages, IsEmpty());
    EXPECT_THAT(lines.back(), HasSubstr("the body is too large"));
}

TEST_F(ServerBoundsTest, I13_TheHeadersOfAChunkedBodyThatIsTooLargeCanBeAccepted) {
    open();
    inbound.without_body = Reply{.status = 200};
    Peer peer{*this};
    EXPECT_EQ(peer.ask(post("X-Secret: a\r\nTransfer-Encoding: chunked\r\n", "5\r\nabcde\r\n100001\r\n")).status, 200U);
    ASSERT_THAT(inbound.bodiless, SizeIs(1));
    EXPECT_THAT(inbound.bodiless[0].headers, testing::Contains(HttpHeader{"X-Secret", "a"}));
    EXPECT_THAT(inbound.bodiless[0].body, IsEmpty());
}

TEST_F(ServerBoundsTest, I13_OnlyABodyThatIsTooLargeIsAcceptedWithoutIt) {
    open(with(&Bounds::body, 50ms));
    inbound.without_body = Reply{.status = 200};
    Peer slow{*this};
    EXPECT_EQ(slow.ask(post("Content-Length: 4\r\n")).status, 408U);
    EXPECT_EQ(Peer{*this}.ask(post("Transfer-Encoding: chunked\r\n", "3;a\r\n")).status, 400U);
    EXPECT_THAT(inbound.bodiless, IsEmpty());
}

// Else it would be a way to try secrets that costs nothing.
TEST_F(ServerBoundsTest, AWrongSecretWithABodyThatIsTooLargeCostsBudget) {
    ServerOptions options;
    options.bounds.refusals_per_minute = 1;
    options.proxies = {"192.0.2.1"};  // another address: every peer is a client of its own
    open(options);
    inbound.without_body = Reply{.status = 401};
    EXPECT_EQ(Peer{*this}.ask(head_of_a_large_body()).status, 401U);
    EXPECT_EQ(Peer{*this}.ask(head_of_a_large_body()).status, 401U);
    EXPECT_EQ(Peer{*this}.ask(head_of_a_large_body()).status, 429U);
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 429U);
}

// A peer that gets a reset while it sends may never look at the answer.
TEST_F(ServerBoundsTest, TheRestOfABodyThatIsTooLargeIsDroppedUntilTheVerifiedPeerHasSentIt) {
    open(with(&Bounds::linger, 1ms));
    inbound.without_body = Reply{.status = 200};
    const auto bytes = dropped_body_bytes_max;
    Peer peer{*this};
    peer.send(head_of_a_large_body(bytes));
    ASSERT_TRUE(until([&] { return inbound.bodiless.size() == 1; }));
    const std::string piece(64 * 1024, 'x');
    for (std::size_t sent = 0; sent < bytes - 64 * 1024; sent += piece.size()) {
        peer.send(piece);
        ASSERT_EQ(server->connections(), 1U) << "after " << sent;
    }
    EXPECT_EQ(peer.answer().status, 200U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(ServerBoundsTest, I13_TheBytesThatAreDroppedForAVerifiedPeerAreBounded) {
    open(with(&Bounds::body, 24h));
    inbound.without_body = Reply{.status = 200};
    Peer peer{*this};
    EXPECT_EQ(peer.ask(head_of_a_large_body(1'000'000'000)).status, 200U);
    const std::string piece(64 * 1024, 'x');
    std::size_t sent = 0;
    EXPECT_TRUE(until([&] {
        peer.send(piece);
        sent += piece.size();
        return server->connections() == 0;
    }));
    EXPECT_GE(sent, dropped_body_bytes_max);
    EXPECT_LT(sent, 2 * dropped_body_bytes_max) << "what was under way counts too, but no more";
}

TEST_F(ServerBoundsTest, I13_AStrangersBodyIsNotDroppedForLonger) {
    open(with(&Bounds::linger, 24h));
    inbound.without_body = Reply{.status = 401};
    Peer peer{*this};
    EXPECT_EQ(peer.ask(head_of_a_large_body(1'000'000'000)).status, 401U);
    std::size_t sent = 0;
    EXPECT_TRUE(until([&] {
        peer.send(std::string(4096, 'x'));
        sent += 4096;
        return server->connections() == 0;
    }));
    EXPECT_LT(sent, 4 * limits::gateway_linger_bytes_max);
}

// A proxy is configured at another address, so every other address is a client, including loopback.
ServerOptions behind_a_proxy(ServerOptions options) {
    options.proxies = {"192.0.2.1"};
    return options;
}

TEST_F(ServerBoundsTest, AnUnconfiguredProxyOnLoopbackIsNotOneClient) {
    open(with(&Bounds::refusals_per_minute, 2U));
    Peer proxy{*this};
    for (int i = 0; i < 10; ++i) EXPECT_EQ(refused_delivery(proxy).status, 401U) << "a stranger behind it";
    inbound.reply.status = 200;
    EXPECT_EQ(proxy.ask(delivery).status, 200U) << "the platform behind it";
}

TEST_F(ServerBoundsTest, AClientThatWasRefusedTooOftenIsNotServed) {
    open(behind_a_proxy(with(&Bounds::refusals_per_minute, 2U)));
    Peer peer{*this};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(refused_delivery(peer).status, 401U);
    EXPECT_THAT(inbound.messages, SizeIs(3));
    inbound.reply.status = 200;
    const auto late = Peer{*this}.ask(delivery);
    EXPECT_EQ(late.status, 429U) << "another connection is no way around it";
    EXPECT_THAT(late.head, HasSubstr("Retry-After: 60\r\n"));
    EXPECT_THAT(inbound.messages, SizeIs(3)) << "the handler is not bothered";
    EXPECT_EQ(Peer(*this, "127.0.0.2").ask(delivery).status, 200U);
    clock.advance(1min);
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 200U);
}

TEST_F(ServerBoundsTest, SuccessfulAnswersConsumeNoBudget) {
    open(behind_a_proxy(with(&Bounds::refusals_per_minute, 0U)));
    Peer peer{*this};
    for (int i = 0; i < 10; ++i) EXPECT_EQ(peer.ask(delivery).status, 200U);
    inbound.reply.status = 403;
    EXPECT_EQ(peer.ask(delivery).status, 403U);
    EXPECT_EQ(peer.ask(delivery).status, 429U);
}

TEST_F(ServerBoundsTest, BehindAConfiguredProxyEachClientHasItsOwnBudget) {
    auto options = with(&Bounds::refusals_per_minute, 0U);
    options.proxies = {"127.0.0.1"};
    open(options);
    const auto from = [](const std::string& address) {
        return post("X-Forwarded-For: 10.1.1.1, " + address + "\r\nContent-Length: 3\r\n");
    };
    Peer proxy{*this};
    inbound.reply.status = 401;
    EXPECT_EQ(proxy.ask(from("203.0.113.9")).status, 401U);
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.9")).status, 429U);
    inbound.reply.status = 200;
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.10")).status, 200U);
    EXPECT_THAT(lines.front(), HasSubstr(R"("client":"203.0.113.9")"));
}

TEST_F(ServerBoundsTest, AForwardedAddressFromAnotherSenderIsIgnored) {
    open(behind_a_proxy(with(&Bounds::refusals_per_minute, 0U)));
    inbound.reply.status = 401;
    EXPECT_EQ(Peer{*this}.ask(post("X-Forwarded-For: 203.0.113.9\r\n", "")).status, 401U);
    EXPECT_EQ(Peer{*this}.ask(post("X-Forwarded-For: 203.0.113.10\r\n", "")).status, 429U);
}

TEST_F(ServerBoundsTest, WithoutFreeDescriptorsTheServerWaitsAndContinues) {
    open();
    Peer peer{*this};
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 3;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    peer.send(delivery);
    for (int turn = 0; turn < 100; ++turn) io.poll();
    EXPECT_EQ(server->connections(), 0U);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(peer.answer().status, 200U);
}

}  // namespace
}  // namespace countersign::gateway
