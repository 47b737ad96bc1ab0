// SPDX-License-Identifier: Apache-2.0
// Texts that look like something else, in data/deceiving_text.json: each with the text that a person must be shown for
// it. Bidi tricks as in "Trojan Source", and text that got past other sanitisers.
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "security/display/characters.hpp"
#include "security/display/display.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

struct Sample {
    std::string what;
    std::string text;
    std::string shown;
};

std::vector<Sample> samples_of(std::string_view incident) {
    std::ifstream file{std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/security/data/deceiving_text.json"};
    std::ostringstream text;
    text << file.rdbuf();
    const auto document = json::read(text.str());
    std::vector<Sample> found;
    if (!document || document->value.array() == nullptr) return found;
    for (const auto& entry : *document->value.array()) {
        const auto member = [&entry](std::string_view name) { return *entry.object()->find(name)->string(); };
        if (member("incident") == incident) found.push_back({member("what"), member("text"), member("shown")});
    }
    return found;
}

void expect_shown(std::string_view incident, std::size_t at_least) {
    const auto samples = samples_of(incident);
    EXPECT_GE(samples.size(), at_least);
    for (const auto& [what, text, shown] : samples) {
        EXPECT_EQ(display(text), shown) << what;
        EXPECT_EQ(undisplay(display(text)), text) << what << ": nothing is lost";
        for (const auto mode : {DisplayMode::block, DisplayMode::line}) {
            const auto made = display(text, mode);
            for (std::size_t at = 0; at < made.size();) {
                const auto character = character_at(made, at);
                EXPECT_TRUE(character.valid && (!hidden(character.code) || character.code == '\n')) << what;
                at += character.bytes;
            }
        }
    }
}

TEST(DeceivingText, TextWithReversedDirectionIsShownInTheOrderItRuns) { expect_shown("trojan_source", 10); }

TEST(DeceivingText, Incident_openclaw_43687_InvisibleCharactersAreShown) { expect_shown("openclaw_43687", 11); }

TEST(DeceivingText, Incident_hermes_81403_KnownSanitiserBypassesAreClosed) { expect_shown("hermes_81403", 17); }

TEST(DeceivingText, Incident_hackmyagent_330_AnInvisibleInstructionIsShown) { expect_shown("hackmyagent_330", 3); }

// Escaped, not stripped: people who write from right to left can still read their own words.
TEST(DeceivingText, Incident_sitrep_33_ArabicAndHebrewSurvive) { expect_shown("sitrep_33", 13); }

}  // namespace
}  // namespace countersign::security
