// SPDX-License-Identifier: Apache-2.0
#include "config/group_command.hpp"
#include "tests/app/config_sample.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto enough = 60s;  // never reached in a passing test; a busy machine may be slow to start a process

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(GroupCommand, ReturnsItsOutput) {
    const auto printed = config::run_group_command({"/bin/echo", "alice", "; rm -rf $HOME"}, enough);
    ASSERT_TRUE(printed) << describe(printed.error());
    EXPECT_EQ(*printed, "alice ; rm -rf $HOME\n");
}

TEST(GroupCommand, FailsIfItExitsWithAnError) {
    EXPECT_EQ(config::run_group_command(shell("echo alice; exit 3"), enough).error().detail, "it ended with 3");
    EXPECT_EQ(config::run_group_command(shell("echo alice; kill -9 $$"), enough).error().detail,
              "it was killed by a signal");
    EXPECT_EQ(config::run_group_command({"/nonexistent/oncall"}).error().code, Errc::unavailable);
    EXPECT_EQ(config::run_group_command({"oncall"}).error().code, Errc::bad_config);
    EXPECT_EQ(config::run_group_command({}).error().code, Errc::bad_config);
}

TEST(GroupCommand, I13_IsStoppedAtItsDeadline) {
    EXPECT_EQ(config::run_group_command(shell("echo alice; exec sleep 1000"), 50ms).error().code, Errc::timeout);
}

TEST(GroupCommand, I13_IsStoppedEvenIfItClosedItsOutput) {
    EXPECT_EQ(config::run_group_command(shell("echo alice; exec >&-; exec sleep 1000"), 50ms).error().code,
              Errc::timeout);
}

TEST(GroupCommand, LeavesNoChildProcessRunning) {
    const auto printed = config::run_group_command(shell("sleep 1000 >/dev/null & echo $!"), enough);
    ASSERT_TRUE(printed) << describe(printed.error());
    const auto child = static_cast<pid_t>(std::stol(*printed));
    // The orphan is reaped by the process that adopted it; it only has to be dead. A zombie has no command line.
    std::string command_line;
    for (int i = 0; i < 200'000; ++i) {
        std::ifstream file{"/proc/" + std::to_string(child) + "/cmdline"};
        command_line.clear();
        std::getline(file, command_line);
        if (command_line.empty()) break;
    }
    EXPECT_EQ(command_line, "");
}

TEST(GroupCommand, I13_ItsOutputIsBounded) {
    const auto bytes = std::to_string(limits::group_command_bytes_max);
    const auto printed = config::run_group_command({"/usr/bin/head", "-c", bytes, "/dev/zero"}, enough);
    ASSERT_TRUE(printed) << describe(printed.error());
    EXPECT_EQ(printed->size(), limits::group_command_bytes_max);
    const auto more = std::to_string(limits::group_command_bytes_max + 1);
    EXPECT_EQ(config::run_group_command({"/usr/bin/head", "-c", more, "/dev/zero"}, enough).error().code,
              Errc::too_large);
    EXPECT_EQ(config::run_group_command({"/bin/cat", "/dev/zero"}, enough).error().code, Errc::too_large);
}

TEST(GroupCommand, GetsNoSecretOfOurEnvironmentAndNoInput) {
    ASSERT_EQ(::setenv("COUNTERSIGN_TEST_TOKEN", "Very-Secret", 1), 0);
    const auto printed = config::run_group_command(shell("env; cat"), enough);
    ::unsetenv("COUNTERSIGN_TEST_TOKEN");
    ASSERT_TRUE(printed) << describe(printed.error());
    EXPECT_THAT(*printed, testing::Not(HasSubstr("Very-Secret")));
    EXPECT_THAT(*printed, HasSubstr("PATH="));
}

TEST(GroupCommand, DoesNotInheritIgnoredSignals) {
    const auto before = std::signal(SIGTERM, SIG_IGN);
    const auto printed = config::run_group_command(shell("kill -TERM $$; echo still here"), enough);
    std::signal(SIGTERM, before);
    ASSERT_FALSE(printed);
    EXPECT_EQ(printed.error().detail, "it was killed by a signal");
}

Configuration with_command(const std::string& script) {
    auto configuration = configuration_of("[people.bob]\nterminal = 1001\nroles = [\"approve\"]\n" + people + channels +
                                          "[groups]\noncall = { exec = [\"/bin/true\"] }\n[[routes]]\n"
                                          "ask = [ { channel = \"desk\" } ]\ndeciders = [\"@oncall\"]\n");
    configuration.group_commands["oncall"] = shell(script);
    configuration.groups["oncall"] = {"alice"};  // the result of an earlier run must not survive a failure
    return configuration;
}

TEST(ResolveGroups, AddsThePrintedPeopleWhoAreKnown) {
    const auto resolved =
        config::resolve_groups(with_command("echo '# today'; echo ' bob '; echo bob; printf alice"), enough);
    EXPECT_THAT(resolved.configuration.groups.at("oncall"), ElementsAre("bob", "alice"));
    EXPECT_THAT(resolved.warnings, IsEmpty());
    EXPECT_THAT(deciders_of(resolved.configuration, resolved.configuration.routes.at(0)), ElementsAre("alice", "bob"));
}

TEST(ResolveGroups, ReportsUnknownPeopleAndLeavesThemOut) {
    const auto resolved =
        config::resolve_groups(with_command(R"(echo mallory; echo bob; printf '\033[2Jx\n')"), enough);
    EXPECT_THAT(resolved.configuration.groups.at("oncall"), ElementsAre("bob"));
    EXPECT_THAT(resolved.warnings,
                ElementsAre("group oncall: the command named mallory, and there is no such person",
                            "group oncall: the command named a line of 5 bytes, and there is no such person"));
}

TEST(ResolveGroups, CountsUnknownNamesInsteadOfListingThousands) {
    std::vector<std::string> warnings;
    std::string printed = "alice\n";
    for (int i = 0; i < 1000; ++i) printed += "p" + std::to_string(i) + "\n";
    EXPECT_THAT(config::members_printed("oncall", printed, with_command("true"), warnings), ElementsAre("alice"));
    ASSERT_EQ(warnings.size(), 11U);
    EXPECT_EQ(warnings.back(), "group oncall: and 990 more names that nobody has");
}

TEST(ResolveGroups, I2_AFailedCommandLeavesTheGroupEmptyAndSaysSo) {
    for (const auto* script : {"echo alice; exit 1", "echo alice; exec sleep 1000"}) {
        const auto resolved = config::resolve_groups(with_command(script), 200ms);
        EXPECT_THAT(resolved.configuration.groups.at("oncall"), IsEmpty());
        ASSERT_EQ(resolved.warnings.size(), 2U);
        EXPECT_THAT(resolved.warnings[0], HasSubstr("group oncall: the command failed, so nobody is in it now"));
        EXPECT_THAT(resolved.warnings[1], HasSubstr("route route-1: 1 must allow, and none of its deciders can"));
    }
}

TEST(ResolveGroups, I2_ACommandThatPrintsNothingLeavesTheGroupEmptyAndSaysSo) {
    const auto resolved = config::resolve_groups(with_command("true"), enough);
    EXPECT_THAT(resolved.configuration.groups.at("oncall"), IsEmpty());
    EXPECT_THAT(resolved.warnings, ElementsAre("group oncall: nobody is in it now", HasSubstr("route route-1")));
}

}  // namespace
}  // namespace countersign::app
