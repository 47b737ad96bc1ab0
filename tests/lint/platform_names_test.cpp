// SPDX-License-Identifier: Apache-2.0
// A platform or a runtime is named only in its own folder and in a registry, so that the next one needs no change
// anywhere else. Only code is searched; a comment may give an example.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// Signal isn't in the list because every program that can be cancelled uses that word.
constexpr std::array<std::string_view, 7> platforms{"telegram", "slack", "discord",  "whatsapp",
                                                    "twilio",   "sms",   "terminal:"};

std::vector<std::string> named_in(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<std::string> found;
    for (const auto platform : platforms) {
        if (text.find(platform) != std::string::npos) found.emplace_back(platform);
    }
    return found;
}

TEST(PlatformNames, TheHubNamesNoPlatform) {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::size_t files = 0;
    for (const auto* folder : {"core/hub", "core/ports"}) {
        for (const auto& entry : fs::directory_iterator{root / folder}) {
            ++files;
            std::ifstream file{entry.path()};
            EXPECT_THAT(named_in({std::istreambuf_iterator<char>{file}, {}}), IsEmpty()) << entry.path().filename();
        }
    }
    EXPECT_GT(files, 20U) << "the sources were not found";
}

// Where a word may occur: a path starts with one of these. Each entry has a reason.
struct Word {
    std::string word;
    std::vector<std::string> places;
};

// Not about a channel: digests of webhooks, and the shapes of tokens that the redactor masks, for these and a hundred
// other services.
const std::vector<std::string> every_service{"security/"};
// The digests of platforms that have no channel yet.
const std::vector<std::string> later_digests{"app/commands/check_signature.cpp"};
const std::vector<std::string> registry{"app/channels/registry.", "app/channels/later_kinds."};

std::vector<std::string> together(std::initializer_list<std::vector<std::string>> lists) {
    std::vector<std::string> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

const std::vector<Word> words{
    {"telegram",
     together({every_service,
               registry,
               {"channels/telegram/", "core/limits.hpp"}})},  // the bounds of every part are in this one file
    {"slack", together({every_service, registry, {"channels/slack/"}})},
    {"discord", together({every_service, registry, {"channels/discord/"}})},
    {"whatsapp", together({every_service, registry})},
    {"twilio", together({every_service, registry, later_digests})},
    {"sms", together({every_service, registry})},
    {"claude",
     {"runtimes/claude/", "app/runtimes/registry.", "app/commands/run_claude.", "app/commands/hook_claude",
      "app/commands/policy.cpp",          // reads the input of this agent's hooks, which has its own format
      "app/commands/audit/coverage.cpp",  // help that names the one option that asks about every call
      "runtimes/acp/known_agents.cpp",    // what this agent does beyond the protocol
      "runtimes/acp/command.cpp",         // the variables with its credentials
      "core/guarded_paths.cpp"}},         // its settings, which no agent may change unasked
    {"codex",
     {"runtimes/codex/", "app/runtimes/registry.", "app/commands/run_codex.", "runtimes/acp/known_agents.cpp",
      "runtimes/acp/command.cpp", "core/guarded_paths.cpp"}},
};

// Lower case, without comments and without the assurance "sms-code", which is a level and not a platform.
std::string code_of(std::string text) {
    static const std::regex left_out{R"((^|\s)//[^\n]*|sms[-_]code)"};
    text = std::regex_replace(text, left_out, "");
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<std::string> out_of_place(const std::string& path, const std::string& text) {
    std::vector<std::string> found;
    const auto code = code_of(text);
    for (const auto& [word, places] : words) {
        const bool may = std::ranges::any_of(places, [&](const auto& place) { return path.starts_with(place); });
        if (!may && code.find(word) != std::string::npos) found.push_back(path + " names " + word);
    }
    return found;
}

TEST(PlatformNames, EachPlatformIsNamedOnlyInItsOwnFiles) {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::size_t files = 0;
    for (const auto* folder :
         {"core", "security", "audit", "net", "runtimes", "channels", "gateway", "sidecar", "config", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            ++files;
            std::ifstream file{entry.path()};
            const auto path = fs::relative(entry.path(), root).generic_string();
            EXPECT_THAT(out_of_place(path, {std::istreambuf_iterator<char>{file}, {}}), IsEmpty());
        }
    }
    EXPECT_GT(files, 300U) << "the sources were not found";
}

TEST(PlatformNames, AMisplacedNameIsFound) {
    EXPECT_THAT(out_of_place("app/reload.cpp", "if (kind == \"Telegram\") return;"),
                ElementsAre("app/reload.cpp names telegram"));
    EXPECT_THAT(out_of_place("config/routes.cpp", "text(\"claude\"); // \"sms\"\nword(\"sms-code\")"),
                ElementsAre("config/routes.cpp names claude"));
    EXPECT_THAT(out_of_place("app/a.cpp", "\"https://api.telegram.org\""), ElementsAre("app/a.cpp names telegram"));
    EXPECT_THAT(out_of_place("channels/telegram/kind.cpp", "\"telegram\""), IsEmpty());
}

TEST(PlatformNames, APlantedNameInTheHubIsFound) {
    EXPECT_THAT(named_in("if (channel.kind == \"Telegram\") return;"), ElementsAre("telegram"));
    EXPECT_THAT(named_in("asio::cancellation_signal signal;  // terminal"), IsEmpty());
}

}  // namespace
}  // namespace countersign::lint
