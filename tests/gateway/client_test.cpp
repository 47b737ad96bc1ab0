// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "gateway/client.hpp"
#include "gateway/connection_count.hpp"
#include "gateway/refusal_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using boost::asio::ip::make_address;
using namespace std::chrono_literals;

Client client(const char* address) { return Client{make_address(address)}; }

TEST(Client, AnIpv4AddressThatCameMappedIsTheSameClient) {
    EXPECT_EQ(client("::ffff:192.0.2.1"), client("192.0.2.1"));
    EXPECT_EQ(client("::ffff:192.0.2.1").address(), "192.0.2.1");
    EXPECT_NE(client("192.0.2.1"), client("192.0.2.2"));
}

TEST(Client, AnIpv6NetworkIsOneClient) {
    EXPECT_EQ(client("2001:db8:0:1::1"), client("2001:db8:0:1:ffff::2"));
    EXPECT_EQ(client("2001:db8:0:1::1").address(), "2001:db8:0:1::1");
    EXPECT_NE(client("2001:db8:0:1::1"), client("2001:db8:0:2::1"));
    EXPECT_EQ(client("fe80::1%1").address(), "fe80::1");
}

TEST(Client, OnlyANamedProxySpeaksForSomebodyElse) {
    const std::vector proxies{make_address("127.0.0.1")};
    const auto behind = [&](const char* peer, std::string_view forwarded) {
        return client_behind(make_address(peer), forwarded, proxies).address();
    };
    EXPECT_EQ(behind("192.0.2.1", "203.0.113.9"), "192.0.2.1");
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("::ffff:127.0.0.1", "203.0.113.9"), "203.0.113.9");
    EXPECT_EQ(behind("127.0.0.1", "10.0.0.1, 10.0.0.2, 203.0.113.9"), "203.0.113.9")
        << "the first is the sender's own claim";
    EXPECT_EQ(behind("127.0.0.1", "203.0.113.9, unknown"), "127.0.0.1");
    EXPECT_EQ(behind("127.0.0.1", ""), "127.0.0.1");
    EXPECT_EQ(client_behind(make_address("127.0.0.1"), "203.0.113.9", {}).address(), "127.0.0.1");
}

TEST(ConnectionCount, I13_ConnectionsLeaveDescriptorsForTheLog) {
    EXPECT_EQ(connections_within(1'024, 1'024), 1'024 - limits::descriptors_reserved);
    EXPECT_EQ(connections_within(1'024, 1'048'576), 1'024U);
    EXPECT_EQ(connections_within(3, limits::descriptors_reserved + 2), 2U);
    EXPECT_EQ(connections_within(3, limits::descriptors_reserved), 1U) << "somebody must be able to ask what is wrong";
}

TEST(ConnectionCount, I13_OneTooManyIsRefusedInAllAndOfAClient) {
    ConnectionCount count{3, 2};
    const auto first = count.admit(client("192.0.2.1"));
    {
        const auto second = count.admit(client("::ffff:192.0.2.1"));
        EXPECT_TRUE(first && second);
        EXPECT_FALSE(count.admit(client("192.0.2.1"))) << "the client's third";
        const auto third = count.admit(client("192.0.2.2"));
        EXPECT_TRUE(third);
        EXPECT_FALSE(count.admit(client("192.0.2.3"))) << "the fourth of all";
        EXPECT_EQ(count.total(), 3U);
    }
    EXPECT_EQ(count.total(), 1U);
    EXPECT_EQ(count.refused(), 2U);
    EXPECT_TRUE(count.admit(client("192.0.2.1"))) << "an ended connection makes room";
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

TEST_F(RefusalLimitTest, AMinuteBeginsAnew) {
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
