// SPDX-License-Identifier: Apache-2.0
// The words that every channel shares.
#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/option_words.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using namespace std::chrono_literals;

Option labelled(std::string label, Effect effect = Effect::allow, Scope scope = Scope::once) {
    return {.option_id = "x", .label = std::move(label), .detail = {}, .effect = effect, .scope = scope};
}

TEST(ChannelWords, DurationsAreReadAtAGlance) {
    EXPECT_EQ(duration(850ms), "850 ms");
    EXPECT_EQ(duration(999ms), "999 ms");
    EXPECT_EQ(duration(12'300ms), "12 s");
    EXPECT_EQ(duration(2'960ms), "3 s") << "as the log's line beside it says 3.0 s";
    EXPECT_EQ(duration(59'600ms), "1 min");
    EXPECT_EQ(duration(3min + 4s), "3 min 4 s");
    EXPECT_EQ(duration(2h), "2 h");
    EXPECT_EQ(duration(73h), "3 d 1 h");
}

TEST(ChannelWords, AMomentIsReadInMinutesAndSaysItsZone) {
    EXPECT_EQ(moment(WallTime{1'763'258'471'775ms}), "2025-11-16 02:01 UTC");
}

TEST(ChannelWords, ALabelThatDoesNotSayItsEffectIsNotShownAlone) {
    for (const auto* plain : {"Allow", "Allow once", "approve", "Yes", "Yes, run it", "This call, session", "Always"}) {
        EXPECT_EQ(label_with_effect(labelled(plain)), plain);
    }
    for (const auto* hidden : {"Deny",
                               "deny",
                               "D\xD0\xB5ny",
                               "No",
                               "Don't allow",
                               "Cancel",
                               "Allow nothing: stop",
                               "Allow nothing",
                               "Allow none",
                               "Approve nothing",
                               "Allow denial",
                               "Accept rejection",
                               "Approve without running",
                               "Allow neither",
                               "Permit the refusal",
                               "Allow cancellation",
                               "Yes, deny it",
                               "Yes, denied",
                               "Approve blocking",
                               "Allow skipping",
                               "Can't allow",
                               "Run",
                               "Nein",
                               "",
                               "Deny\xC2\xA0",
                               "Allow\xE2\x80\x8B"}) {
        EXPECT_EQ(label_with_effect(labelled(hidden)), "Allow: " + std::string{hidden});
    }
    auto unknown = labelled("reject_later", Effect::deny);
    unknown.known = false;
    EXPECT_EQ(label_with_effect(unknown), "Allow: reject_later") << "it counts as an allow";
}

TEST(ChannelWords, ARefusalThatIsCalledAnAllowSaysSoToo) {
    EXPECT_EQ(label_with_effect(labelled("Deny", Effect::deny)), "Deny");
    EXPECT_EQ(label_with_effect(labelled("No, and always ask", Effect::deny)), "No, and always ask");
    EXPECT_EQ(label_with_effect(labelled("Allow", Effect::deny)), "Deny: Allow");
    EXPECT_EQ(label_with_effect(labelled("Cancel", Effect::cancel)), "Cancel");
    EXPECT_EQ(label_with_effect(labelled("Later", Effect::cancel)), "Cancel: Later");
}

TEST(ChannelWords, AReasonIsNotSaidTwice) {
    Conclusion ended;
    ended.outcome = Outcome::expired;
    ended.reason = "nobody decided in time";
    EXPECT_EQ(reason_beside_meaning(ended), "");
    ended.reason = "1 of 2 allowed it in time";
    EXPECT_EQ(reason_beside_meaning(ended), "1 of 2 allowed it in time");
    ended.outcome = Outcome::denied;
    ended.reason = "nobody decided in time";
    EXPECT_EQ(reason_beside_meaning(ended), ended.reason) << "somebody's own words";
}

}  // namespace
}  // namespace countersign::channels
