// SPDX-License-Identifier: Apache-2.0
#include "app/reload.hpp"

#include "core/limits.hpp"
#include "tests/app/config_sample.hpp"
#include "tests/net/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace countersign::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

const std::string bot = "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"/t\"\nwebhook_secret_file = \"/s\"\n";
const std::string front = "[gateway]\nlisten = \"127.0.0.1:8080\"\n";
const std::string whole = people + channels + bot + routes + front;

std::string replaced(std::string text, const std::string& old, const std::string& with) {
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), with);
}
std::vector<std::string> restarts(const std::string& wanted) {
    return needs_restart(configuration_of(whole), configuration_of(wanted));
}

TEST(NeedsRestart, PeopleRoutesGroupsRulesAndSecretsDoNot) {
    EXPECT_THAT(restarts(whole), IsEmpty());
    EXPECT_THAT(
        restarts(replaced(whole, "[people.alice]", "[people.bob]\nterminal = 1001\nroles = []\n[people.alice]")),
        IsEmpty());
    EXPECT_THAT(restarts(replaced(whole, "deciders = [\"alice\"]", "deciders = [\"alice\"]\nname = \"main\"")),
                IsEmpty());
    EXPECT_THAT(restarts(whole + "[[policy]]\nname = \"no\"\neffect = \"deny\"\ntool = \"Bash\"\n"), IsEmpty());
    EXPECT_THAT(restarts(replaced(whole, "\"/s\"",
                                  "\"/s2\"\nprevious_webhook_secret_file = \"/s\"\n"
                                  "previous_until = \"2026-12-01T12:00:00Z\"")),
                IsEmpty());
}

TEST(NeedsRestart, AnyOtherChangeIsRefusedByItsName) {
    EXPECT_THAT(restarts(people + channels + routes + front), ElementsAre("channels.bot was removed"));
    EXPECT_THAT(restarts(whole + "[channels.more]\nkind = \"telegram\"\ntoken_file = \"/m\"\n"),
                ElementsAre("channels.more was added"));
    EXPECT_THAT(restarts(replaced(whole, "\"/t\"", "\"/other\"")), ElementsAre("channels.bot has other settings"));
    EXPECT_THAT(restarts(replaced(whole, "8080", "8081")), ElementsAre("gateway.listen is another"));
    EXPECT_THAT(restarts(whole + "admin = \"127.0.0.1:1\"\n"), ElementsAre("gateway.admin is another"));
    EXPECT_THAT(restarts(whole + "proxies = [\"127.0.0.1\"]\n"), ElementsAre("gateway.proxies are others"));
    EXPECT_THAT(restarts(whole + "proxies = [\"127.0.0.1\"]\nproxy_header = \"forwarded\"\n"),
                ElementsAre("gateway.proxies are others", "gateway.proxy_header changed"));
    EXPECT_THAT(restarts(whole + "certificate_file = \"/c\"\nkey_file = \"/k\"\n"),
                ElementsAre("gateway.certificate_file was added or removed"));
    EXPECT_THAT(restarts(whole + "[log]\norigin = \"other.example/log\"\n"), ElementsAre("log is another"));
}

TEST(Reloading, I13_TwoReloadsAreASecondApart) {
    const BootTime last{10s};
    EXPECT_FALSE(is_too_soon(std::nullopt, last));
    EXPECT_TRUE(is_too_soon(last, last + limits::reload_interval_min - 1ms));
    EXPECT_FALSE(is_too_soon(last, last + limits::reload_interval_min));
}

}  // namespace
}  // namespace countersign::app
