// SPDX-License-Identifier: Apache-2.0
#include "gateway/router.hpp"

#include "core/limits.hpp"
#include "gateway/webhooks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using testing::HasSubstr;

class Silent final : public Inbound {
public:
    boost::asio::awaitable<Reply> handle(InboundMessage) override { co_return Reply{}; }
};

class RouterTest : public testing::Test {
protected:
    Endpoint route(std::string method, std::string path) {
        return {.method = std::move(method), .path = std::move(path), .name = "r", .handler = &silent};
    }
    Result<std::vector<Endpoint>> webhooks(std::vector<std::pair<std::string, std::string>> names) {
        std::vector<Webhook> hooks;
        for (auto& [kind, channel] : names) hooks.push_back({.kind = kind, .channel = channel, .inbound = &silent});
        return webhook_routes(hooks);
    }
    Silent silent;
};

TEST_F(RouterTest, ARequestIsRoutedByItsMethodAndPath) {
    const auto router = Router::make({route("GET", "/a"), route("POST", "/a"), route("POST", "/webhooks/t/ops")});
    ASSERT_TRUE(router);
    const auto found = router->find("POST", "/a");
    ASSERT_TRUE(std::holds_alternative<Router::Found>(found));
    EXPECT_EQ(std::get<Router::Found>(found).route->method, "POST");
    const auto other = router->find("PUT", "/a");
    ASSERT_TRUE(std::holds_alternative<Router::NotAllowed>(other));
    EXPECT_EQ(std::get<Router::NotAllowed>(other).allow, "GET, POST");
}

TEST_F(RouterTest, APathHasOneSpelling) {
    const auto router = Router::make({route("POST", "/webhooks/t/ops")});
    ASSERT_TRUE(router);
    EXPECT_TRUE(std::holds_alternative<Router::Found>(router->find("POST", "/webhooks/t/ops")));
    for (const auto* target :
         {"/", "/webhooks/t", "/webhooks/t/ops/", "//webhooks/t/ops", "/webhooks//t/ops", "/webhooks/t/./ops",
          "/webhooks/t/x/../ops", "/webhooks/t%2fops", "/webhooks/t%2Fops", "/webhooks/t/op%73", "/webhooks/t/ops?",
          "/webhooks/t/ops?a=b", "/webhooks/t/ops;a", "/webhooks/t/OPS", "/Webhooks/t/ops", "/webhooks/t/ops%00",
          "/webhooks/t/ops.", "/webhooks\\t\\ops", "/x/webhooks/t/ops"}) {
        EXPECT_TRUE(std::holds_alternative<Router::NotFound>(router->find("POST", target))) << target;
    }
    EXPECT_TRUE(std::holds_alternative<Router::NotAllowed>(router->find("post", "/webhooks/t/ops")));
}

TEST_F(RouterTest, TwoRoutesForOnePathAreAConfigurationError) {
    const auto router = Router::make({route("GET", "/a"), route("GET", "/a")});
    ASSERT_FALSE(router);
    EXPECT_EQ(router.error().code, Errc::bad_config);
    EXPECT_THAT(router.error().detail, HasSubstr("/a"));
}

TEST_F(RouterTest, APathThatNoRequestCanHaveIsRefused) {
    for (const auto* path : {"", "a", "/a b", "/a%2fb", "/a//b", "/../a", "/a?b", "/\xC3\xA4"}) {
        EXPECT_FALSE(Router::make({route("GET", path)})) << path;
    }
    auto without_handler = route("GET", "/a");
    without_handler.handler = nullptr;
    EXPECT_FALSE(Router::make({without_handler}));
}

TEST_F(RouterTest, APartInBracesIsAParameter) {
    const auto router = Router::make({route("POST", "/approvals/{id}/decision"), route("GET", "/approvals/{id}")});
    ASSERT_TRUE(router);
    const auto found = router->find("POST", "/approvals/01ARZ3/decision");
    ASSERT_TRUE(std::holds_alternative<Router::Found>(found));
    EXPECT_EQ(std::get<Router::Found>(found).route->path, "/approvals/{id}/decision");
    EXPECT_THAT(std::get<Router::Found>(found).parameters, testing::ElementsAre(PathParameter{"id", "01ARZ3"}));
    EXPECT_TRUE(std::holds_alternative<Router::NotAllowed>(router->find("DELETE", "/approvals/01ARZ3")));
    for (const auto* path : {"/approvals", "/approvals/", "/approvals//decision", "/approvals/../decision",
                             "/approvals/a%2fb", "/approvals/a/b/decision", "/approvals/a/decision/",
                             "/approvals/a/decisions", "/approvals/{id}", "approvals/a", "/approvals/.a"}) {
        EXPECT_TRUE(std::holds_alternative<Router::NotFound>(router->find("POST", path))) << path;
    }
}

TEST_F(RouterTest, TwoRoutesThatCouldMatchOnePathAreAConfigurationError) {
    EXPECT_FALSE(Router::make({route("GET", "/a/{id}"), route("GET", "/a/{name}")}));
    EXPECT_FALSE(Router::make({route("GET", "/a/{id}"), route("GET", "/a/b")}));
    EXPECT_FALSE(Router::make({route("GET", "/{x}/b"), route("GET", "/a/{y}")}));
    EXPECT_TRUE(Router::make({route("GET", "/a/{id}"), route("POST", "/a/b"), route("GET", "/a/{id}/c")}));
    for (const auto* path : {"/a/{}", "/a/{b", "/a/{b}c", "/a/{b/c}"}) {
        EXPECT_FALSE(Router::make({route("GET", path)})) << path;
    }
}

TEST_F(RouterTest, I13_TheNumberOfRoutesIsBounded) {
    std::vector<Endpoint> routes;
    for (std::size_t i = 0; i < limits::gateway_routes_max; ++i)
        routes.push_back(route("GET", "/" + std::to_string(i)));
    EXPECT_TRUE(Router::make(routes));
    routes.push_back(route("GET", "/more"));
    EXPECT_FALSE(Router::make(routes));
}

TEST_F(RouterTest, AChannelsWebhookPathHasItsKindAndName) {
    const auto routes = webhooks({{"telegram", "ops"}, {"telegram", "dev"}, {"slack", "ops"}});
    ASSERT_TRUE(routes);
    ASSERT_EQ(routes->size(), 3U);
    EXPECT_EQ(routes->front().path, "/webhooks/telegram/ops");
    EXPECT_EQ(routes->front().method, "POST");
    EXPECT_EQ(routes->front().name, "webhook telegram ops");
    EXPECT_EQ(routes->front().body_bytes_max, limits::webhook_body_bytes_max);
    EXPECT_TRUE(routes->front().counts_refusals);
}

TEST_F(RouterTest, AWebhookAnswersGetOnlyIfItsPlatformUsesIt) {
    const auto routes = webhook_routes({{.kind = "echo", .channel = "ops", .inbound = &silent, .answers_get = true}});
    ASSERT_TRUE(routes);
    ASSERT_EQ(routes->size(), 2U);
    EXPECT_EQ(routes->back().method, "GET");
    EXPECT_EQ(routes->back().path, routes->front().path);
    EXPECT_EQ(routes->back().body_bytes_max, 0U);
    EXPECT_TRUE(routes->back().counts_refusals);
}

TEST_F(RouterTest, AChannelMayHaveSeveralPaths) {
    const auto routes = webhook_routes({{.kind = "echo", .channel = "ops", .inbound = &silent},
                                        {.kind = "echo", .channel = "ops", .inbound = &silent, .below = "commands"}});
    ASSERT_TRUE(routes);
    ASSERT_EQ(routes->size(), 2U);
    EXPECT_EQ(routes->back().path, "/webhooks/echo/ops/commands");
    EXPECT_EQ(routes->back().name, "webhook echo ops commands");
    EXPECT_FALSE(webhook_routes({{.kind = "echo", .channel = "ops", .inbound = &silent, .below = "../dev"}}));
}

TEST_F(RouterTest, TwoAccountsNeverShareAPath) { EXPECT_FALSE(webhooks({{"telegram", "ops"}, {"telegram", "ops"}})); }

TEST_F(RouterTest, AChannelsNameMustBeAPlainPartOfAPath) {
    for (const auto* name : {"", ".", "..", "a/b", "a b", "Ops", "a%2fb", "a?b"}) {
        EXPECT_FALSE(webhooks({{"telegram", name}})) << name;
        EXPECT_FALSE(webhooks({{name, "ops"}})) << name;
    }
    EXPECT_TRUE(webhooks({{"telegram", std::string(limits::config_name_bytes_max, 'a')}}));
    EXPECT_FALSE(webhooks({{"telegram", std::string(limits::config_name_bytes_max + 1, 'a')}}));
}

}  // namespace
}  // namespace countersign::gateway
