// SPDX-License-Identifier: Apache-2.0
// One registry entry makes a kind of channel known everywhere: this file adds one, and no file of the program names it.
#include "app/channels/open.hpp"
#include "app/channels/secrets.hpp"
#include "app/reload.hpp"
#include "tests/app/config_sample.hpp"
#include "tests/channels/echo/echo.hpp"
#include "tests/channels/echo/kind.hpp"
#include "tests/net/scratch_directory.hpp"

#include <boost/asio/co_spawn.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace echo = channels::echo;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::array registry{channel_registry()[0], ChannelEntry{.kind = echo::kind, .open = echo::open}};

std::string whole(const std::string& channel_lines, const std::string& chat = "7") {
    return "[people.alice]\necho = 7\nroles = [\"approve\"]\n[[routes]]\nassurance = \"sms-code\"\ndeciders = "
           "[\"alice\"]\nask = [ { channel = "
           "\"numbers\", chat = \"" +
           chat + "\" } ]\n[channels.numbers]\nkind = \"echo\"\n" + channel_lines;
}
std::string problems_with(const std::string& text) { return all_of(problems_of(text, known_kinds(registry))); }

const std::string key = "key_file = \"/nowhere/key\"\n";

TEST(ChannelRegistry, AConfigurationMayUseAKindThatOnlyTheRegistryKnows) {
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

TEST(ChannelRegistry, TheSecretsOfAKindAreFound) {
    const testing_tools::ScratchDirectory scratch;
    const auto path = scratch.file("key", "a-secret-of-the-tests-0123456789");
    ::chmod(path.c_str(), 0600);
    const auto configuration = configuration_of(whole("key_file = \"" + path + "\"\n"), known_kinds(registry));
    const auto known = channel_secrets(configuration);
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].value, "a-secret-of-the-tests-0123456789");
}

class OpenedChannel : public testing::Test {
protected:
    void begin(const std::string& more = "") {
        const auto path = scratch.file("key", "a-secret-of-the-tests-0123456789");
        ::chmod(path.c_str(), 0600);
        lines = "key_file = \"" + path + "\"\n" + more;
        auto bridge = Bridge::open(host.io, {.state = scratch.path() + "/state",
                                             .configuration = std::make_shared<const Configuration>(
                                                 configuration_of(whole(lines), known_kinds(registry))),
                                             .command = "test"});
        ASSERT_TRUE(bridge) << describe(bridge.error());
        host.bridge = std::move(*bridge);
    }
    Result<void> run(boost::asio::awaitable<Result<void>> work) {
        std::optional<Result<void>> result;
        boost::asio::co_spawn(host.io, std::move(work),
                              [&](const std::exception_ptr&, const Result<void>& done) { result = done; });
        // Runs only until there is a result, because the hub has timers of its own.
        while (!result && host.io.run_one() > 0) {}
        return result.value_or(Error{Errc::internal, "no result"});
    }
    const testing_tools::ScratchDirectory scratch;
    std::string lines;
    Host host;
};

TEST_F(OpenedChannel, APlatformIsConnectedToTheHubByItsRegistryEntryAlone) {
    begin();
    const auto unknown = open_channels(host, {});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Errc::unsupported);
    ASSERT_TRUE(open_channels(host, {}, registry));
    EXPECT_TRUE(run(start_parts(host)));
    ASSERT_EQ(host.parts.size(), 1U);
    auto& part = *host.parts[0];
    EXPECT_EQ(part.introduction(), "channel numbers: echo, webhook") << "it was asked who it is";
    const auto webhooks = part.webhooks();
    ASSERT_EQ(webhooks.size(), 2U);
    EXPECT_EQ(webhooks[0].kind, "echo");
    EXPECT_EQ(webhooks[0].channel, "numbers");
    EXPECT_TRUE(webhooks[0].answers_get);
    EXPECT_EQ(webhooks[1].below, "events");
    EXPECT_THAT(host.unready(), ElementsAre("numbers: grey"));
    ASSERT_EQ(host.outboxes().size(), 1U);
    EXPECT_EQ(host.outboxes()[0].channel, "numbers");
    EXPECT_TRUE(run(close_all(host)));
    std::ifstream memory{scratch.path() + "/state/channels/numbers.json"};
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>{memory}, {}}), "{\"starts\":\"first\"}\n");
}

TEST_F(OpenedChannel, AReloadChangesTheSettingsThatThePlatformAllows) {
    begin("shape = \"round\"\n");
    ASSERT_TRUE(open_channels(host, {}, registry));
    EXPECT_TRUE(run(start_parts(host)));
    const auto reload = [&](const std::string& colour) {
        return host.parts.at(0)->prepare(
            configuration_of(whole(lines + "colour = \"" + colour + "\"\n"), known_kinds(registry)));
    };
    const auto refused = reload("mud");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail, "channel numbers: mud is not a colour");
    const auto commit = reload("red");
    ASSERT_TRUE(commit);
    EXPECT_THAT(host.unready(), ElementsAre("numbers: grey")) << "nothing changes before it is put into force";
    (*commit)();
    EXPECT_THAT(host.unready(), ElementsAre("numbers: red"));
    EXPECT_TRUE(run(close_all(host)));
}

TEST_F(OpenedChannel, I2_AChannelWithAMissingSecretDoesNotStart) {
    begin();
    ASSERT_EQ(::unlink((scratch.path() + "/key").c_str()), 0);
    const auto opened = open_channels(host, {}, registry);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::missing_secret);
    EXPECT_THAT(opened.error().detail, HasSubstr("channel numbers: "));
    EXPECT_TRUE(run(close_all(host)));
}

}  // namespace
}  // namespace countersign::app
