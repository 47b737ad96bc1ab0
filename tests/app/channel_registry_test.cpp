// SPDX-License-Identifier: Apache-2.0
// One entry makes a kind of channel known everywhere: this file adds one, and no file of the program names it.
#include "app/channels/open.hpp"
#include "app/channels/secrets.hpp"
#include "app/reload.hpp"
#include "tests/app/config_sample.hpp"
#include "tests/channels/echo/echo.hpp"
#include "tests/channels/echo/kind.hpp"
#include "tests/net/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sys/stat.h>

namespace countersign::app {
namespace {

namespace echo = channels::echo;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What a platform's own file in app/channels does.
struct EchoService final : Service {
    EchoService(Host& host, const ChannelConfig& config)
        : messenger{{host.bridge->tokens(), host.bridge->codes()}},
          chat{host.io.get_executor(),
               {.name = config.name, .answer_max = 2s, .stop_max = 1s, .replays_kept = 1h},
               {},
               {.messenger = messenger,
                .clock = host.bridge->clock(),
                .ids = host.bridge->ids(),
                .deliveries = host.bridge->hub().deliveries(),
                .attempts = host.bridge->hub(),
                .open = host.bridge->hub().queries(),
                .keys = {host.bridge->tokens(), host.bridge->codes()}}} {}
    echo::EchoMessenger messenger;
    channels::ChatChannel chat;
};

Result<void> open_echo(Host& host, const ChannelConfig& channel, const ChannelChoices&) {
    auto service = std::make_unique<EchoService>(host, channel);
    auto& chat = service->chat;
    host.bridge->hub().add_channel(chat);
    host.services.push_back(std::move(service));
    host.ends.emplace_back([&chat] { return chat.stop(); });
    return {};
}

const std::array registry{channel_registry()[0], ChannelEntry{.kind = echo::kind, .open = open_echo}};

std::string whole(const std::string& channel_lines, const std::string& chat = "7") {
    return "[people.alice]\necho = 7\nroles = [\"approve\"]\n[[routes]]\nassurance = \"sms-code\"\ndeciders = "
           "[\"alice\"]\nask = [ { channel = "
           "\"numbers\", chat = \"" +
           chat + "\" } ]\n[channels.numbers]\nkind = \"echo\"\n" + channel_lines;
}
std::string problems_with(const std::string& text) { return all_of(problems_of(text, known_kinds(registry))); }

const std::string key = "key_file = \"/nowhere/key\"\n";

TEST(ChannelRegistry, AConfigurationMayNameAKindThatOnlyTheRegistryKnows) {
    EXPECT_THAT(problems_with(whole(key)), IsEmpty());
    EXPECT_THAT(all_of(problems_of(whole(key))), HasSubstr("there is no such kind"));
    const auto configuration = configuration_of(whole(key), known_kinds(registry));
    EXPECT_THAT(configuration.people.at("alice").principals, ElementsAre("echo:7"));
    EXPECT_EQ(configuration.channels.at("numbers").facts, &echo::kind);
}

TEST(ChannelRegistry, TheRulesOfAKindAreItsOwn) {
    EXPECT_THAT(problems_with(whole("")), HasSubstr("channels.numbers.key_file"));
    EXPECT_THAT(problems_with(whole(key + "colour = \"red\"\n")), HasSubstr("a colour needs a shape"));
    EXPECT_THAT(problems_with(whole(key, "cellar")), HasSubstr("a chat is a number"));
    auto other_person = whole(key);
    other_person.replace(other_person.find("echo = 7"), 8, "echo = 10");
    EXPECT_THAT(problems_with(other_person), HasSubstr("this is not a number of Echo"));
}

TEST(ChannelRegistry, AKindSaysWhichSettingsAReloadMayChange) {
    const auto restarts = [](const std::string& lines) {
        const auto round = key + "shape = \"round\"\n";
        return needs_restart(configuration_of(whole(round), known_kinds(registry)),
                             configuration_of(whole(lines), known_kinds(registry)));
    };
    EXPECT_THAT(restarts(key + "shape = \"round\"\ncolour = \"red\"\n"), IsEmpty());
    EXPECT_THAT(restarts(key + "shape = \"square\"\n"), ElementsAre("channels.numbers has other settings"));
}

TEST(ChannelRegistry, TheSecretsOfAKindAreKnown) {
    const testing_tools::ScratchDirectory scratch;
    const auto path = scratch.file("key", "a-secret-of-the-tests-0123456789");
    ::chmod(path.c_str(), 0600);
    const auto configuration = configuration_of(whole("key_file = \"" + path + "\"\n"), known_kinds(registry));
    const auto known = channel_secrets(configuration);
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].value, "a-secret-of-the-tests-0123456789");
}

TEST(ChannelRegistry, AChannelIsOpenedByTheEntryOfItsKind) {
    const testing_tools::ScratchDirectory scratch;
    Host host;
    auto bridge = Bridge::open(host.io, {.state = scratch.path() + "/state",
                                         .configuration = std::make_shared<const Configuration>(
                                             configuration_of(whole(key), known_kinds(registry))),
                                         .command = "test"});
    ASSERT_TRUE(bridge) << describe(bridge.error());
    host.bridge = std::move(*bridge);
    const auto unknown = open_channels(host, {});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Errc::unsupported);
    ASSERT_TRUE(open_channels(host, {}, registry));
    ASSERT_EQ(host.services.size(), 1U);
    EXPECT_EQ(dynamic_cast<const EchoService&>(*host.services[0]).chat.name(), "numbers");
    EXPECT_TRUE(close_now(host));
}

}  // namespace
}  // namespace countersign::app
