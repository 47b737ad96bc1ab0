// SPDX-License-Identifier: Apache-2.0
// Published failures of other gateways, each by its number, and the order of checks that prevents them
// (gateway/http_connection.hpp).
#include "core/limits.hpp"
#include "gateway/webhooks.hpp"
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>

namespace countersign::gateway {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

const std::string delivery = post("Content-Length: 3\r\n");

class PublishedFailures : public Front {
protected:
    // If a proxy is configured, loopback is a client like any other.
    static ServerOptions rated(std::size_t burst) {
        ServerOptions options;
        options.proxies = {"192.0.2.1"};
        options.bounds.requests_burst = burst;
        options.bounds.requests_per_second = 1;
        return options;
    }
};

TEST_F(PublishedFailures, GHSA_5m9r_p9g7_679c_AFailedProofConsumesTheBudget) {
    open(rated(3));
    inbound.reply.status = 401;
    Peer peer{*this};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(peer.ask(delivery).status, 401U);
    const auto late = Peer{*this}.ask(delivery);
    EXPECT_EQ(late.status, 429U) << "another connection is no way around it";
    EXPECT_THAT(late.head, HasSubstr("Retry-After: 1\r\n"));
    EXPECT_THAT(inbound.messages, SizeIs(3)) << "the handler is not bothered";
    EXPECT_EQ(Peer(*this, "127.0.0.2").ask(delivery).status, 401U) << "another client has its own";
    clock.advance(1s);
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 401U);
}

TEST_F(PublishedFailures, UnknownPathsAndMethodsConsumeTheBudgetToo) {
    open(rated(3));
    Peer peer{*this};
    EXPECT_EQ(peer.ask(get("/nothing")).status, 404U);
    EXPECT_EQ(peer.ask(get("/webhooks/telegram/ops")).status, 405U);
    EXPECT_EQ(peer.ask(get("/nothing")).status, 404U);
    EXPECT_EQ(peer.ask(get("/nothing")).status, 429U) << "before the path is looked at";
    EXPECT_EQ(peer.ask(delivery).status, 429U);
}

TEST_F(PublishedFailures, FramingIsCheckedBeforeTheRateAndConsumesTheBudgetToo) {
    open(rated(1));
    EXPECT_EQ(Peer{*this}.ask(post("Content-Length: 03\r\n")).status, 400U);
    EXPECT_EQ(Peer{*this}.ask(post("Content-Length: 03\r\n")).status, 400U);
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 429U);
}

TEST_F(PublishedFailures, CVE_2026_28478_ABodyIsNotReadForAClientThatAsksTooOften) {
    open(rated(1));
    Peer peer{*this};
    EXPECT_EQ(peer.ask(delivery).status, 200U);
    // Only the head: a server that waited for the body would not answer.
    EXPECT_EQ(peer.ask(post("Content-Length: 1000\r\n", "")).status, 429U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(PublishedFailures, CVE_2026_28478_ABodyThatIsTooLargeIsRefusedUnread) {
    open();
    Peer peer{*this};
    const auto one_too_many = std::to_string(limits::webhook_body_bytes_max + 1);
    EXPECT_EQ(peer.ask(post("Content-Length: " + one_too_many + "\r\n", "")).status, 413U);
    EXPECT_THAT(inbound.messages, IsEmpty());
}

TEST_F(PublishedFailures, GHSA_rggc_m335_3wvj_AForgedForwardedAddressGivesNoNewBudget) {
    open(rated(1));
    const auto from = [](const std::string& address) {
        return post("X-Forwarded-For: " + address + "\r\nContent-Length: 3\r\n");
    };
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.9")).status, 200U);
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.10")).status, 429U);
    EXPECT_THAT(lines.back(), HasSubstr(R"("client":"127.0.0.1")"));
}

TEST_F(PublishedFailures, BehindAConfiguredProxyEachClientHasItsOwnRate) {
    auto options = rated(1);
    options.proxies = {"127.0.0.1"};
    open(options);
    const auto from = [](const std::string& address) {
        return post("X-Forwarded-For: " + address + "\r\nContent-Length: 3\r\n");
    };
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.9")).status, 200U);
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.9")).status, 429U);
    EXPECT_EQ(Peer{*this}.ask(from("203.0.113.10")).status, 200U);
}

// Such a proxy forwards all clients at once, so a stranger's flood must not block the platform's deliveries.
TEST_F(PublishedFailures, AnUnconfiguredProxyOnLoopbackIsNotRateLimitedAsOneClient) {
    auto options = rated(1);
    options.proxies = {};
    open(options);
    Peer proxy{*this};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(proxy.ask(delivery).status, 200U);
}

TEST_F(PublishedFailures, TheOperatorsListenerIsNotRateLimited) {
    auto options = rated(1);
    options.rates_clients = false;
    open(options);
    Peer peer{*this};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(peer.ask(delivery).status, 200U);
}

TEST_F(PublishedFailures, CVE_2026_28469_TwoAccountsOnOnePathAreRefused) {
    const Webhook ops{.kind = "telegram", .channel = "ops", .inbound = &inbound};
    const Webhook dev{.kind = "telegram", .channel = "dev", .inbound = &inbound};
    const auto both = webhook_routes({ops, ops});
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().code, Errc::bad_config);
    EXPECT_TRUE(webhook_routes({ops, dev}));
}

}  // namespace
}  // namespace countersign::gateway
