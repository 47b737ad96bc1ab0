// SPDX-License-Identifier: Apache-2.0
#include "gateway/request_rate.hpp"

#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using boost::asio::ip::make_address;
using namespace std::chrono_literals;

constexpr BootTime start{1h};

ClientAddress client(const std::string& address) { return ClientAddress{make_address(address)}; }

TEST(RequestRate, I13_AClientHasItsBurstAndThenItsRate) {
    RequestRate rate{{.per_second = 2, .burst = 3, .clients = 8}};
    const auto one = client("192.0.2.1");
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(rate.take(one, start)) << i;
    EXPECT_EQ(rate.take(one, start), 1s);
    EXPECT_FALSE(rate.take(client("192.0.2.2"), start)) << "another client has its own";
    EXPECT_TRUE(rate.take(one, start + 499ms));
    EXPECT_FALSE(rate.take(one, start + 500ms));
    EXPECT_TRUE(rate.take(one, start + 999ms));
    EXPECT_FALSE(rate.take(one, start + 1000ms)) << "asking too early costs nothing";
}

TEST(RequestRate, AfterALongTimeThereIsOnlyOneBurst) {
    RequestRate rate{{.per_second = 50, .burst = 3, .clients = 8}};
    const auto one = client("192.0.2.1");
    EXPECT_FALSE(rate.take(one, start));
    const auto later = start + 24h * 365 * 100;
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(rate.take(one, later));
    EXPECT_TRUE(rate.take(one, later));
    EXPECT_TRUE(rate.take(one, start)) << "a clock that goes back gives nothing";
}

TEST(RequestRate, TheGivenWaitIsLongEnough) {
    RequestRate rate{{.per_second = 1, .burst = 1, .clients = 8}};
    const auto one = client("192.0.2.1");
    EXPECT_FALSE(rate.take(one, start));
    EXPECT_EQ(rate.take(one, start), 1s);
    EXPECT_FALSE(rate.take(one, start + 1s));
    RequestRate none{{.per_second = 0, .burst = 1, .clients = 8}};
    EXPECT_FALSE(none.take(one, start));
    EXPECT_TRUE(none.take(one, start + 24h));
}

TEST(RequestRate, I13_AFullTableForgetsTheClientWithTheLargestBudgetLeft) {
    RequestRate rate{{.per_second = 1, .burst = 2, .clients = 2}};
    const auto greedy = client("192.0.2.1");
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(rate.take(greedy, start));
    EXPECT_FALSE(rate.take(client("192.0.2.2"), start));
    EXPECT_EQ(rate.size(), 2U);
    EXPECT_FALSE(rate.take(client("192.0.2.3"), start));
    EXPECT_EQ(rate.size(), 2U);
    EXPECT_TRUE(rate.take(greedy, start)) << "many other addresses give nobody a new budget";
}

TEST(RequestRate, GHSA_5847_rm3g_23mw_AMappedAddressHasNoBudgetOfItsOwn) {
    RequestRate rate{{.per_second = 1, .burst = 1, .clients = 8}};
    EXPECT_FALSE(rate.take(client("192.0.2.1"), start));
    EXPECT_TRUE(rate.take(client("::ffff:192.0.2.1"), start));
}

}  // namespace
}  // namespace countersign::gateway
