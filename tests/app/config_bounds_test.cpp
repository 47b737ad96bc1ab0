// SPDX-License-Identifier: Apache-2.0
#include "config/document.hpp"
#include "core/limits.hpp"
#include "tests/app/config_sample.hpp"

#include <functional>

namespace countersign::app {
namespace {

std::string repeated(std::size_t count, const std::function<std::string(std::size_t)>& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text(i);
    return all;
}
std::string number(std::size_t i) { return std::to_string(i); }

std::string said(const std::string& text) {
    const auto found = problems_of(text);
    return found.empty() ? "" : all_of(found);
}
const std::string base = people + channels + routes;

// The value at the bound is valid; one more is invalid, and only because of the bound.
void expect_bound(const std::function<std::string(std::size_t)>& text, std::size_t most, const std::string& what) {
    EXPECT_EQ(said(text(most)), "");
    const auto found = problems_of(text(most + 1));
    ASSERT_EQ(found.size(), 1U) << all_of(found);
    EXPECT_NE(found[0].what.find(what), std::string::npos) << print(found[0]);
}

TEST(ConfigBounds, I13_TheSizeOfTheFileIsBounded) {
    expect_bound([](std::size_t bytes) { return base + "#" + std::string(bytes - base.size() - 1, 'x'); },
                 limits::config_bytes_max, "larger than 1048576 bytes");
}

TEST(ConfigBounds, I13_TheProblemsShownAreBounded) {
    const auto text = base + repeated(limits::config_problems_max + 1, [](std::size_t i) {
                          return "[[policy]]\nname = \"p" + number(i) + "\"\nefect = \"ask\"\neffect = \"ask\"\n";
                      });
    EXPECT_EQ(problems_of(text).size(), limits::config_problems_max);
}

TEST(ConfigBounds, I13_TheDepthOfValuesIsBounded) {
    const auto nested = [](std::size_t depth) {
        return "x = " + std::string(depth, '[') + std::string(depth, ']') + "\n";
    };
    EXPECT_NE(said(nested(limits::config_depth_max) + base).find("unknown key"), std::string::npos);
    EXPECT_NE(said(nested(limits::config_depth_max + 1) + base).find("maximum nested value depth"), std::string::npos);
}

TEST(ConfigBounds, I13_TheDotsOfALineAreBounded) {
    const auto key = [](std::size_t dots) {
        return "x" + repeated(dots, [](std::size_t) { return std::string{".x"}; }) + " = 1\n";
    };
    EXPECT_NE(said(key(limits::config_line_dots_max) + base).find("unknown key"), std::string::npos);
    const auto found = problems_of("\n" + key(limits::config_line_dots_max + 1) + base);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].line, 2);
    EXPECT_NE(found[0].what.find("dots in one line"), std::string::npos);
    const std::string dots(limits::config_line_dots_max + 1, '.');
    EXPECT_EQ(said("# " + dots + "\n" + base + "[[policy]]  # " + dots + "\neffect = \"deny\"\nagent = '" + dots +
                   "'\ntool = \"\"\"\"" + dots + "\"\"\"\"\n"),
              "");
}

// The deepest tree that both bounds allow can be destroyed without overflowing the stack.
TEST(ConfigBounds, I13_TheDeepestTreeIsReadAndDestroyed) {
    const auto key = repeated(limits::config_line_dots_max - 1, [](std::size_t) { return std::string{"a."}; }) + "a";
    std::string text = "[" + key + "]\n";
    const std::size_t levels = (limits::config_depth_max - 1) / 2;  // a list and a table each, and the value
    for (std::size_t i = 0; i < levels; ++i) text += (i == 0 ? "b." : "") + key + " = [\n{ ";
    text += "c = 1" + repeated(levels, [](std::size_t) { return std::string{" }\n]"}; }) + "\n";
    config::Problems problems{"test.toml"};
    const auto root = config::read_document(text, problems);
    EXPECT_EQ(problems.count(), 0U) << all_of(std::move(problems).sorted());
    EXPECT_EQ(root.table()->size(), 1U);
}

TEST(ConfigBounds, I13_PeopleAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return base + repeated(count - 1, [](std::size_t i) { return "[people.p" + number(i) + "]\n"; });
        },
        limits::people_max, "more than 10000 people");
}

TEST(ConfigBounds, I13_GroupsAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return base + "[groups]\n" +
                   repeated(count, [](std::size_t i) { return "g" + number(i) + " = [\"alice\"]\n"; });
        },
        limits::groups_max, "more than 1000 groups");
}

TEST(ConfigBounds, I13_GroupCommandsAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return base + "[groups]\n" +
                   repeated(count, [](std::size_t i) { return "g" + number(i) + " = { exec = [\"/a\"] }\n"; });
        },
        limits::group_commands_max, "more than 16 groups have a command");
}

TEST(ConfigBounds, I13_WordsOfAGroupCommandAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return base + "[groups]\ng = { exec = [ " +
                   repeated(count, [](std::size_t) { return std::string{"\"/a\", "}; }) + "] }\n";
        },
        limits::group_command_argv_max, "more than 64 words");
}

TEST(ConfigBounds, I13_ChannelsAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return base + repeated(count - 1, [](std::size_t i) {
                       return "[channels.c" + number(i) + "]\nkind = \"terminal\"\n";
                   });
        },
        limits::channels_max, "more than 256 channels");
}

TEST(ConfigBounds, I13_RoutesAreBounded) {
    const auto text = [](std::size_t count) {
        return people + channels +
               repeated(count - 1,
                        [](std::size_t i) {
                            return "[[routes]]\nmatch = { agent = \"a" + number(i) + "\" }" + routes.substr(10);
                        }) +
               routes;
    };
    EXPECT_EQ(said(text(limits::routes_max)), "");
    EXPECT_NE(said(text(limits::routes_max + 1)).find("more than 1000 of them"), std::string::npos);
}

TEST(ConfigBounds, I13_StepsAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return people + channels + "[[routes]]\ndeciders = [\"alice\"]\nask = [ " +
                   repeated(count, [](std::size_t) { return std::string{"{ channel = \"desk\" }, "}; }) + "]\n";
        },
        limits::steps_max, "more than 16 steps");
}

TEST(ConfigBounds, I13_MessagesOfARequestAreBounded) {
    expect_bound(
        [](std::size_t count) {
            return people + channels +
                   repeated(count,
                            [](std::size_t i) {
                                return "[people.p" + number(i) + "]\nterminal = " + number(2000 + i) + "\n";
                            }) +
                   "[[routes]]\ndeciders = [\"alice\"]\nask = [ { channel = \"desk\", people = [ \"alice\", " +
                   repeated(count - 1, [](std::size_t i) { return "\"p" + number(i) + "\", "; }) + "] } ]\n";
        },
        limits::deliveries_per_request_max, "more than 64 messages");
}

TEST(ConfigBounds, I13_RulesAreBounded) {
    for (const std::string section : {"policy", "risk"}) {
        expect_bound(
            [&](std::size_t count) {
                return base + repeated(count, [&](std::size_t) {
                           return "[[" + section + "]]\n" +
                                  (section == "policy" ? "effect = \"ask\"\n" : "level = \"high\"\n");
                       });
            },
            limits::rules_max, "more than 10000 of them");
    }
}

TEST(ConfigBounds, I13_TheTimeoutOfARouteIsBounded) {
    EXPECT_EQ(said(base + "timeout = \"7d\"\n"), "");
    EXPECT_NE(said(base + "timeout = \"604800001ms\"\n").find("from 1ms to 7d"), std::string::npos);
    EXPECT_NE(said(base + "timeout = \"4294967295d\"\n").find("out of range"), std::string::npos);
    EXPECT_NE(said(base + "timeout = \"4294967296d\"\n").find("no duration"), std::string::npos);
}

TEST(ConfigBounds, I13_TheQuorumIsBounded) {
    EXPECT_EQ(said(base + "required = 16\nends = \"deny\"\n"), "");
    EXPECT_NE(said(base + "required = 17\nends = \"deny\"\n").find("17 is out of range"), std::string::npos);
}

TEST(ConfigBounds, I13_ANameAndATextAreBounded) {
    const auto name = [](std::size_t bytes) { return base + "[people." + std::string(bytes, 'p') + "]\n"; };
    expect_bound(name, limits::config_name_bytes_max, "no name of a person");
    const auto text = [](std::size_t bytes) {
        return base + "[[policy]]\neffect = \"deny\"\ntool = \"" + std::string(bytes, 't') + "\"\n";
    };
    expect_bound(text, limits::config_text_bytes_max, "longer than 1024 bytes");
}

TEST(ConfigBounds, I13_AnOriginAndADiscordIdAreBounded) {
    expect_bound([](std::size_t bytes) { return base + "[log]\norigin = \"" + std::string(bytes, 'o') + "\"\n"; }, 255,
                 "up to 255");
    expect_bound(
        [](std::size_t digits) {
            return people + "discord = \"" + std::string(digits, '1') + "\"\n" + channels + routes;
        },
        20, "not a Discord user id");
}

TEST(ConfigBounds, I13_ARuleNamesAtMost64Tools) {
    const auto rule = [](std::size_t tools) {
        std::string list;
        for (std::size_t i = 0; i < tools; ++i) list += (i == 0 ? "" : ", ") + ("\"t" + std::to_string(i) + "\"");
        return people + channels + routes + "[[policy]]\neffect = \"deny\"\ntool = [" + list + "]\n";
    };
    EXPECT_EQ(all_of(problems_of(rule(64))), "");
    EXPECT_NE(all_of(problems_of(rule(65))).find("65 values, at most 64"), std::string::npos);
}

}  // namespace
}  // namespace countersign::app
