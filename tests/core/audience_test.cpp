// SPDX-License-Identifier: Apache-2.0
#include "core/hub/audience.hpp"

#include "core/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Configuration team() {
    Configuration configuration;
    configuration.people["alice"] = {.name = "alice", .principals = {"slack:U1", "telegram:77", "telegram:80"}};
    configuration.people["bob"] = {.name = "bob", .principals = {"telegram:78"}, .language = "de"};
    configuration.people["carol"] = {.name = "carol", .principals = {"sms:+447700900123"}};
    configuration.channels["chat"] = {.name = "chat", .kind = "telegram"};
    configuration.routes.push_back({.name = "all", .deciders = {"bob", "alice", "carol"}});
    return configuration;
}

Audience in_the_room(const Configuration& configuration, const Request& request = {}) {
    return audience_of(configuration, "all", request, "chat", {.chat = "-100", .principal = {}});
}

TEST(Audience, ADirectMessageIsInThePersonsLanguage) {
    const auto to = [](std::string principal) {
        return audience_of(team(), "all", {}, "chat", {.chat = {}, .principal = std::move(principal)});
    };
    EXPECT_EQ(to("telegram:78"), (Audience{.language = "de"}));
    EXPECT_EQ(to("telegram:77").language, "en");
    EXPECT_EQ(to("telegram:1").language, "en");
}

TEST(Audience, AChatMessageIsInTheRoutesLanguage) {
    auto configuration = team();
    configuration.routes.front().language = "zh";
    EXPECT_EQ(in_the_room(configuration).language, "zh");
    const auto direct = audience_of(configuration, "all", {}, "chat", {.chat = {}, .principal = "telegram:77"});
    EXPECT_EQ(direct.language, "zh") << "alice has none of her own";
    EXPECT_EQ(audience_of(configuration, "gone", {}, "chat", {.chat = "-100", .principal = {}}).language, "en");
}

TEST(Audience, InAChatTheDecidersThatThePlatformKnowsAreMentioned) {
    EXPECT_THAT(in_the_room(team()).mentions,
                ElementsAre(Mention{"alice", "telegram:77"}, Mention{"bob", "telegram:78"}));
    Request request;
    request.authorized_senders = {{"telegram:78"}};
    EXPECT_THAT(in_the_room(team(), request).mentions, ElementsAre(Mention{"bob", "telegram:78"}));
    EXPECT_THAT(audience_of(team(), "gone", {}, "chat", {.chat = "-100", .principal = {}}).mentions, IsEmpty());
}

TEST(Audience, I13_OneTooManyIsNotMentioned) {
    auto configuration = team();
    configuration.routes.front().deciders = {"@many"};
    for (std::size_t i = 0; i <= limits::mentions_max; ++i) {
        const auto name = "p" + std::to_string(100 + i);
        configuration.people[name] = {.name = name, .principals = {"telegram:" + std::to_string(1000 + i)}};
        configuration.groups["many"].push_back(name);
    }
    EXPECT_EQ(in_the_room(configuration).mentions.size(), limits::mentions_max);
    configuration.groups["many"].resize(limits::mentions_max - 1);
    EXPECT_EQ(in_the_room(configuration).mentions.size(), limits::mentions_max - 1);
}

}  // namespace
}  // namespace countersign
