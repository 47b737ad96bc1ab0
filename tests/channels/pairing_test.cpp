// SPDX-License-Identifier: Apache-2.0
// Who a code binds, on every platform: only a person who has it, not after others may have read it, and only once.
#include "channels/pairing.hpp"

#include "core/limits.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace countersign::channels {
namespace {

using Heard = Pairing::Heard;
using testing::HasSubstr;

const std::array<std::string, 3> codes{"ABCD1234", "EFGH5678", "JKMN9012"};

class PairingCodes : public testing::Test {
protected:
    Heard direct(const std::string& text) { return pairing.hear({.text = text, .direct = true}); }

    fakes::FakeClock clock;
    std::size_t shown = 0;
    int wrong = 0;
    Pairing pairing{clock, {.new_code = [this] { return codes.at(shown++); }, .wrong_code = [this] { ++wrong; }}};
};

TEST_F(PairingCodes, TheCodeAloneOrAfterStartBindsItsWriter) {
    for (const auto* text : {"ABCD1234", " abcd1234\n", "/start ABCD1234", "start abcd1234", "Start  ABCD1234 "}) {
        shown = 0;
        Pairing another{clock, {.new_code = [this] { return codes.at(shown++); }, .wrong_code = [] {}}};
        EXPECT_EQ(another.hear({.text = text, .direct = true}), Heard::paired) << text;
    }
}

TEST_F(PairingCodes, AnythingElseBindsNoOneAndAGuessIsTold) {
    for (const auto* text : {"hello", "/start", "start", "is it ABCD1234?", "ABCD1234 ABCD1234", "ABCD123", ""}) {
        EXPECT_EQ(direct(text), Heard::needs_code) << text;
    }
    EXPECT_EQ(wrong, 0);
    for (const auto* text : {"ABCD1235", "/start ABCD123", "/start x"}) EXPECT_EQ(direct(text), Heard::needs_code);
    EXPECT_EQ(wrong, 3);
    EXPECT_EQ(shown, 1U) << "a guess makes no new code, so a stranger can't end a pairing by guessing";
    EXPECT_EQ(direct("ABCD1234"), Heard::paired);
}

TEST_F(PairingCodes, ACodeBindsOnePersonOnce) {
    EXPECT_EQ(direct("ABCD1234"), Heard::paired);
    EXPECT_EQ(direct("ABCD1234"), Heard::nothing);
}

TEST_F(PairingCodes, ACodeThatOthersMayHaveReadIsReplaced) {
    EXPECT_EQ(pairing.hear({.text = "who knows abcd1234?", .direct = false}), Heard::nothing);
    EXPECT_EQ(direct("ABCD1234"), Heard::needs_code);
    EXPECT_EQ(pairing.hear({.text = "EFGH5678", .direct = true, .own = false}), Heard::needs_code);
    EXPECT_EQ(shown, 3U);
    EXPECT_EQ(wrong, 1);
    EXPECT_EQ(direct("JKMN9012"), Heard::paired);
}

TEST_F(PairingCodes, I13_ACodeIsValidForTenMinutes) {
    clock.advance(limits::pairing_max - std::chrono::milliseconds{1});
    EXPECT_FALSE(pairing.is_over());
    clock.advance(std::chrono::milliseconds{1});
    EXPECT_TRUE(pairing.is_over());
    EXPECT_EQ(direct("ABCD1234"), Heard::nothing);
}

TEST_F(PairingCodes, I13_OnlySoManyAreToldWhatToWrite) {
    for (std::size_t i = 0; i < limits::pairing_replies_max; ++i) EXPECT_EQ(direct("hello"), Heard::needs_code);
    EXPECT_EQ(direct("hello"), Heard::nothing);
    EXPECT_EQ(direct("ABCD1234"), Heard::paired);
}

TEST(PairingTerminal, ShowsEachCodeWithWhereToWriteIt) {
    std::string told;
    const auto terminal = pairing_terminal(
        [&](const std::string& text) { told += text; },
        {.intro = "This is @bot.\n", .how = [](const std::string& code) { return "> " + code + "\n"; }});
    const auto first = terminal.new_code();
    EXPECT_EQ(told, "\nThis is @bot.\n\n> " + first + "\nWaiting …\n");
    told.clear();
    const auto second = terminal.new_code();
    EXPECT_NE(first, second);
    EXPECT_THAT(told, HasSubstr("no longer valid"));
    EXPECT_THAT(told, HasSubstr("> " + second));
    EXPECT_EQ(second.size(), 8U);
}

}  // namespace
}  // namespace countersign::channels
