// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "gateway/client_address.hpp"
#include "gateway/connection_count.hpp"
#include "gateway/refusal_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace countersign::gateway {
namespace {

using boost::asio::ip::make_address;
using namespace std::chrono_literals;

ClientAddress client(const char* address) { return ClientAddress{make_address(address)}; }

TEST(ClientAddress, AMappedIpv4AddressIsTheSameClient) {
    EXPECT_EQ(client("::ffff:192.0.2.1"), client("192.0.2.1"));
    EXPECT_EQ(client("::ffff:192.0.2.1").address(), "192.0.2.1");
    EXPECT_NE(client("192.0.2.1"), client("192.0.2.2"));
}

TEST(ClientAddress, AnIpv6NetworkIsOneClient) {
    EXPECT_EQ(client("2001:db8:0:1::1"), client("2001:db8:0:1:ffff::2"));
    EXPECT_EQ(client("2001:db8:0:1::1").address(), "2001:db8:0:1::1");
    EXPECT_NE(client("2001:db8:0:1::1"), client("2001:db8:0:2::1"));
    EXPECT_EQ(client("fe80::1%1").address(), "fe80::1");
}

class ClientBehindProxy : public testing::Test {
protected:
    std::string behind(const char* peer, std::string_view header) {
        return client_behind(make_address(peer), header, proxies).to_string();
    }
    Proxies proxies{.addresses = {make_address("127.0.0.1"), make_address("10.0.0.5")}};
};

TEST_F(ClientBehindProxy, OnlyAConfiguredProxyCanNameAnotherAddress) {
    EXPECT_EQ(behind("192.0.2.1", "203.0.113.9"), "192.0.2.1");
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("::ffff:127.0.0.1", "203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "10.0.0.1, 10.0.0.2, 203.0.113.9"), "203.0.113.9")
        << "the first is the sender's own claim";
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9, unknown"), "127.0.0.1");
    EXPECT_EQ(behind("127.0.0.1", ""), "127.0.0.1");
    proxies.addresses.clear();
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9"), "127.0.0.1");
}

TEST_F(ClientBehindProxy, ConfiguredProxiesInTheListAreSkippedFromTheRight) {
    EXPECT_EQ(behind("127.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.5"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9,10.0.0.5 ,\t::ffff:127.0.0.1"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "10.0.0.5"), "10.0.0.5") << "there is nothing behind it";
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9, nonsense, 10.0.0.5"), "10.0.0.5")
        << "what follows something odd is not believed";
}

TEST_F(ClientBehindProxy, OnlyAWholeAddressIsAccepted) {
    for (const auto* odd : {"203.0.113.9:", "203.0.113.9:x", "203.0.113.9:123456", "203.0.113", "0xCB.0.113.9",
                            "[203.0.113.9]", "[2001:db8::1", "[2001:db8::1]x", "[2001:db8::1]:", "fe80::1%eth0",
                            "\"203.0.113.9\"", "203.0.113.9 203.0.113.10", "unknown", "_hidden", ","}) {
        EXPECT_EQ(behind("127.0.0.1", odd), "127.0.0.1") << odd;
    }
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9:4711"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "2001:db8::1"), "2001:db8::1");
    EXPECT_EQ(behind("127.0.0.1", "[2001:db8::1]:4711"), "2001:db8::1");
}

TEST_F(ClientBehindProxy, OnlyTheConfiguredHeaderIsRead) {
    const std::string_view standard = "for=1.1.1.1, for=\"[2001:db8::1]:4711\";proto=https;by=10.0.0.5";
    EXPECT_EQ(behind("127.0.0.1", standard), "127.0.0.1");
    proxies.header = ProxyHeader::forwarded;
    EXPECT_EQ(behind("127.0.0.1", standard), "2001:db8::1");
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9"), "127.0.0.1");
    EXPECT_EQ(behind("127.0.0.1", "proto=http; For=203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "for=203.0.113.9, for=10.0.0.5"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "for=203.0.113.9;for=203.0.113.10"), "127.0.0.1") << "two claims are none";
    EXPECT_EQ(behind("127.0.0.1", "for=unknown"), "127.0.0.1");
}

TEST_F(ClientBehindProxy, AnUnterminatedQuoteOfTheClientDoesNotHideItsAddress) {
    proxies.header = ProxyHeader::forwarded;
    EXPECT_EQ(behind("127.0.0.1", "for=\"1.1.1.1, for=203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "for=\"1.1.1.1, for=\"203.0.113.9\""), "203.0.113.9");
}

TEST(ConnectionCount, I13_ConnectionsLeaveDescriptorsForTheLog) {
    EXPECT_EQ(connections_within(1'024, 1'024), 1'024 - limits::descriptors_reserved);
    EXPECT_EQ(connections_within(1'024, 1'048'576), 1'024U);
    EXPECT_EQ(connections_within(3, limits::descriptors_reserved + 2), 2U);
    EXPECT_EQ(connections_within(3, limits::descriptors_reserved), 1U) << "somebody must be able to ask what is wrong";
}

class ConnectionCountTest : public testing::Test {
protected:
    using Ticket = std::unique_ptr<ConnectionCount::Ticket>;
    Ticket admit(const char* address) { return noticed(count.admit(client(address)), address); }
    Ticket admit_proxy() { return noticed(count.admit(std::nullopt), "proxy"); }
    Ticket verified(const char* address) {
        auto ticket = admit(address);
        ticket->verify();
        return ticket;
    }
    ConnectionCount count{4, 2};
    std::vector<std::string> closed;

private:
    Ticket noticed(Ticket ticket, std::string name) {
        if (ticket) ticket->on_eviction([this, name = std::move(name)] { closed.push_back(name); });
        return ticket;
    }
};

TEST_F(ConnectionCountTest, I13_OneTooManyIsRefusedInTotalAndPerClient) {
    const auto first = verified("192.0.2.1");
    {
        const auto second = verified("::ffff:192.0.2.1");
        EXPECT_FALSE(admit("192.0.2.1")) << "the client's third";
        const auto third = verified("192.0.2.2");
        const auto fourth = verified("192.0.2.3");
        EXPECT_FALSE(admit("192.0.2.4")) << "the fifth of all";
        EXPECT_EQ(count.total(), 4U);
    }
    EXPECT_EQ(count.total(), 1U);
    EXPECT_EQ(count.refused(), 2U);
    EXPECT_EQ(count.evicted(), 0U);
    EXPECT_TRUE(admit("192.0.2.1")) << "an ended connection makes room";
}

TEST_F(ConnectionCountTest, TheOldestUnverifiedConnectionMakesRoom) {
    const auto verified_one = verified("192.0.2.1");
    const auto oldest = admit("192.0.2.2");
    const auto younger = admit("192.0.2.3");
    const auto youngest = admit("192.0.2.4");
    const auto more = admit("192.0.2.5");
    EXPECT_TRUE(more);
    EXPECT_TRUE(oldest->evicted());
    EXPECT_EQ(closed, std::vector<std::string>{"192.0.2.2"});
    EXPECT_EQ(count.total(), 4U);
    oldest->verify();
    EXPECT_FALSE(oldest->serve(client("192.0.2.2"))) << "a place that was lost stays lost";
    EXPECT_EQ(count.total(), 4U);
}

TEST_F(ConnectionCountTest, TheClientWithTheMostUnverifiedConnectionsMakesRoom) {
    const auto older = admit("192.0.2.1");
    const auto greedy = admit("192.0.2.2");
    const auto greedy_too = admit("192.0.2.2");
    const auto last = admit("192.0.2.3");
    EXPECT_TRUE(admit("192.0.2.4"));
    EXPECT_EQ(closed, std::vector<std::string>{"192.0.2.2"});
    EXPECT_TRUE(greedy->evicted());
}

TEST_F(ConnectionCountTest, AClientsOwnOldestConnectionMakesRoomForItsNext) {
    const auto other = admit("192.0.2.1");
    const auto first = admit("192.0.2.2");
    const auto second = admit("192.0.2.2");
    EXPECT_TRUE(admit("192.0.2.2"));
    EXPECT_TRUE(first->evicted());
    EXPECT_FALSE(second->evicted());
    EXPECT_FALSE(other->evicted());
}

TEST_F(ConnectionCountTest, AConnectionIsNotEvictedWhileItsRequestIsHandled) {
    const auto first = admit("192.0.2.1");
    const auto second = admit("192.0.2.1");
    first->set_answering(true);
    EXPECT_TRUE(admit("192.0.2.1"));
    EXPECT_TRUE(second->evicted());
    EXPECT_FALSE(first->evicted());
}

TEST_F(ConnectionCountTest, I13_BehindAProxyEachClientHasItsOwnShare) {
    const auto first = admit_proxy();
    const auto second = admit_proxy();
    const auto third = admit_proxy();
    EXPECT_TRUE(first->serve(client("203.0.113.9")));
    first->verify();
    EXPECT_TRUE(second->serve(client("203.0.113.9")));
    EXPECT_TRUE(third->serve(client("203.0.113.9"))) << "the second was not verified and goes";
    EXPECT_TRUE(second->evicted());
    third->verify();
    const auto fourth = admit_proxy();
    EXPECT_FALSE(fourth->serve(client("203.0.113.9")));
    EXPECT_TRUE(fourth->serve(client("203.0.113.10")));
    EXPECT_TRUE(first->serve(std::nullopt)) << "its request is over";
    EXPECT_TRUE(fourth->serve(client("203.0.113.9")));
}

TEST_F(ConnectionCountTest, AProxysConnectionIsVerifiedForOneClientOnly) {
    const auto proxied = admit_proxy();
    ASSERT_TRUE(proxied->serve(client("203.0.113.9")));
    proxied->verify();
    ASSERT_TRUE(proxied->serve(client("203.0.113.10")));
    const std::array others{verified("192.0.2.1"), verified("192.0.2.2"), verified("192.0.2.3")};
    EXPECT_TRUE(admit("192.0.2.4"));
    EXPECT_TRUE(proxied->evicted());
}

class RefusalLimitTest : public testing::Test {
protected:
    void count(const char* address, int times) {
        for (int i = 0; i < times; ++i) limit.count(client(address), now);
    }
    RefusalLimit limit{3, 2};
    BootTime now{1h};
};

TEST_F(RefusalLimitTest, I13_MoreThanTheBoundInAMinuteIsTooMuch) {
    count("192.0.2.1", 3);
    EXPECT_TRUE(limit.admits(client("192.0.2.1"), now));
    count("192.0.2.1", 1);
    EXPECT_FALSE(limit.admits(client("192.0.2.1"), now));
    EXPECT_FALSE(limit.admits(client("::ffff:192.0.2.1"), now));
    EXPECT_TRUE(limit.admits(client("192.0.2.2"), now));
    EXPECT_FALSE(limit.admits(client("192.0.2.1"), now + 59s));
    EXPECT_TRUE(limit.admits(client("192.0.2.1"), now + 60s));
}

TEST_F(RefusalLimitTest, TheCountIsResetAfterAMinute) {
    count("192.0.2.1", 4);
    now += 60s;
    count("192.0.2.1", 1);
    EXPECT_TRUE(limit.admits(client("192.0.2.1"), now));
}

TEST_F(RefusalLimitTest, I13_TheTableIsBoundedAndForgetsTheOldest) {
    count("192.0.2.1", 4);
    now += 1s;
    count("192.0.2.2", 4);
    now += 1s;
    count("192.0.2.3", 4);
    EXPECT_EQ(limit.size(), 2U);
    EXPECT_TRUE(limit.admits(client("192.0.2.1"), now));
    EXPECT_FALSE(limit.admits(client("192.0.2.2"), now));
    EXPECT_FALSE(limit.admits(client("192.0.2.3"), now));
}

}  // namespace
}  // namespace countersign::gateway
