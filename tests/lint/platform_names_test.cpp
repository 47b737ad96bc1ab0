// SPDX-License-Identifier: Apache-2.0
// The hub and its ports name no platform: the next one must not need a change there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// Signal is a word of every program that can be cancelled, so that platform cannot be told from it.
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

TEST(PlatformNames, TheHubNamesNone) {
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

TEST(PlatformNames, APlantedOneIsFound) {
    EXPECT_THAT(named_in("if (channel.kind == \"Telegram\") return;"), ElementsAre("telegram"));
    EXPECT_THAT(named_in("asio::cancellation_signal signal;  // terminal"), IsEmpty());
}

}  // namespace
}  // namespace countersign::lint
