// SPDX-License-Identifier: Apache-2.0
// The channel that CONTRIBUTING.md walks through, with the configuration and the agent of the page. CMakeLists.txt
// copies the code.
#include "app/channels/open.hpp"
#include "app/host.hpp"
#include "channels/logbook/kind.hpp"
#include "channels/logbook/open.hpp"
#include "runtimes/event/translate.hpp"
#include "security/redact/redactor.hpp"
#include "security/secret.hpp"
#include "tests/app/config_sample.hpp"
#include "tests/net/scratch_directory.hpp"

#include <boost/asio/co_spawn.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace countersign::app {
namespace {

namespace logbook = channels::logbook;
using testing::HasSubstr;

const std::array registry{*channel_entry("terminal"), ChannelEntry{.kind = logbook::kind, .open = logbook::open}};

// The first block of the page in this language.
std::string block(const std::string& language) {
    const auto page = data_file("CONTRIBUTING.md");
    const auto fence = "\n```" + language + "\n";
    const auto begin = page.find(fence);
    if (begin == std::string::npos) return {};
    return page.substr(begin + fence.size(), page.find("\n```\n", begin + 1) + 1 - begin - fence.size());
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old << " is not in\n" << text;
    return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

TEST(WalkThrough, ItsConfigurationIsValid) {
    EXPECT_EQ(all_of(problems_of(block("toml"), known_kinds(registry))), "");
    const auto without = std::span{registry}.first(1);
    EXPECT_THAT(all_of(problems_of(block("toml"), known_kinds(without))), HasSubstr("there is no such kind"));
}

TEST(WalkThrough, ARouteThatHasOnlyTheLogbookIsRefused) {
    const auto alone = replaced(block("toml"), "{ channel = \"desk\" }, ", "");
    EXPECT_THAT(all_of(problems_of(alone, known_kinds(registry))), HasSubstr("none of its deciders can"));
}

TEST(WalkThrough, ItsAgentAsksForAnApproval) {
    const auto agent = block("sh");
    const std::string before = "echo '";
    ASSERT_TRUE(agent.starts_with(before)) << agent;
    const auto event = agent.substr(before.size(), agent.find("'\n") - before.size());
    const security::Redactor redactor{security::Secret{std::string_view{"a redactor key of the tests alone"}}, {}};
    const Rules rules;
    const auto asked = runtimes::event::translate(event, {.agent_id = "a", .rules = rules, .redactor = redactor});
    ASSERT_TRUE(asked) << describe(asked.error());
    EXPECT_EQ(asked->request.approval()->display_text, "make deploy");
}

class OpenedLogbook : public testing::Test {
protected:
    // Opens and starts the channel; the error, or empty.
    std::string begin(const std::string& path) {
        auto text = replaced(block("toml"), "/tmp/cards.txt", path);
        text = replaced(text, "{ channel = \"desk\" }, ", "");
        text = replaced(text, "[channels.desk]\nkind = \"terminal\"\n", "");
        text += "ends = \"deny\"\n";
        auto configuration = std::make_shared<const Configuration>(configuration_of(text, known_kinds(registry)));
        auto bridge = Bridge::open(
            host.io,
            {.state = scratch.path() + "/state", .configuration = std::move(configuration), .command = "test"});
        if (!bridge) return describe(bridge.error());
        host.bridge = std::move(*bridge);
        if (const auto opened = open_channels(host, {}, registry); !opened) return describe(opened.error());
        return run(start_parts(host));
    }
    std::string run(boost::asio::awaitable<Result<void>> work) {
        std::optional<Result<void>> result;
        boost::asio::co_spawn(host.io, std::move(work),
                              [&](const std::exception_ptr&, const Result<void>& done) { result = done; });
        // Runs only until there is a result, because the hub has timers of its own.
        while (!result && host.io.run_one() > 0) {}
        if (!result) return "no result";
        return *result ? "" : describe(result->error());
    }

    const testing_tools::ScratchDirectory scratch;
    Host host;
};

TEST_F(OpenedLogbook, TheProgramStartsIt) {
    const auto path = scratch.path() + "/cards.txt";
    EXPECT_EQ(begin(path), "");
    ASSERT_EQ(host.parts.size(), 1U);
    EXPECT_EQ(host.parts[0]->introduction(), "channel book: " + path);
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_EQ(run(close_all(host)), "");
}

TEST_F(OpenedLogbook, AFileThatCannotBeWrittenStopsTheStart) {
    EXPECT_THAT(begin(scratch.path() + "/missing/cards.txt"), HasSubstr("the logbook cannot be written"));
    EXPECT_EQ(run(close_all(host)), "");
}

}  // namespace
}  // namespace countersign::app
