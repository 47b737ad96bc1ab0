// SPDX-License-Identifier: Apache-2.0
#include "core/option.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

Option option(std::string id, Effect effect, Scope scope) {
    return {.option_id = id, .label = id, .detail = "says more", .effect = effect, .scope = scope};
}
Option unknown(std::string id) {
    auto made = option(std::move(id), Effect::allow, Scope::always);
    made.known = false;
    return made;
}

const Option allow = option("allow", Effect::allow, Scope::once);
const Option session = option("session", Effect::allow, Scope::session);
const Option always = option("always", Effect::allow, Scope::always);
const Option deny = option("deny", Effect::deny, Scope::once);
const Option deny_always = option("deny_always", Effect::deny, Scope::always);
const Option cancel = option("cancel", Effect::cancel, Scope::once);

std::vector<std::string> ids(const std::vector<Option>& options) {
    std::vector<std::string> out;
    for (const auto& one : options) out.push_back(one.option_id);
    return out;
}
using Ids = std::vector<std::string>;

constexpr OfferRules as_grants{.always = AlwaysMode::grant, .may_grant = true};
constexpr OfferRules as_native{.always = AlwaysMode::native, .may_grant = true};

struct Native {
    const char* word;
    Effect effect;
    Scope scope;
    bool exact_call = true;
};
class NativeVocabulary : public testing::TestWithParam<Native> {};

TEST_P(NativeVocabulary, I14_EveryKnownNativeWordHasItsMeaning) {
    const auto& native = GetParam();
    const auto found = classify(native.word);
    EXPECT_TRUE(found.known) << native.word;
    EXPECT_EQ(found.effect, native.effect) << native.word;
    EXPECT_EQ(found.scope, native.scope) << native.word;
    EXPECT_EQ(found.exact_call, native.exact_call) << native.word;
}

INSTANTIATE_TEST_SUITE_P(Claude, NativeVocabulary,
                         testing::Values(Native{"allow", Effect::allow, Scope::once},
                                         Native{"deny", Effect::deny, Scope::once}));
INSTANTIATE_TEST_SUITE_P(Codex, NativeVocabulary,
                         testing::Values(Native{"accept", Effect::allow, Scope::once},
                                         Native{"acceptForSession", Effect::allow, Scope::session},
                                         Native{"AcceptForSession", Effect::allow, Scope::session},
                                         Native{"acceptWithExecpolicyAmendment", Effect::allow, Scope::always, false},
                                         Native{"applyNetworkPolicyAmendment", Effect::allow, Scope::always, false},
                                         Native{"decline", Effect::deny, Scope::once},
                                         Native{"cancel", Effect::cancel, Scope::once},
                                         Native{"approved", Effect::allow, Scope::once},
                                         Native{"approved_for_session", Effect::allow, Scope::session},
                                         Native{"denied", Effect::deny, Scope::once},
                                         Native{"abort", Effect::cancel, Scope::once}));
INSTANTIATE_TEST_SUITE_P(Acp, NativeVocabulary,
                         testing::Values(Native{"allow_once", Effect::allow, Scope::once},
                                         Native{"allow_always", Effect::allow, Scope::always},
                                         Native{"reject_once", Effect::deny, Scope::once},
                                         Native{"reject_always", Effect::deny, Scope::always}));
INSTANTIATE_TEST_SUITE_P(OpenCode, NativeVocabulary,
                         testing::Values(Native{"once", Effect::allow, Scope::once},
                                         Native{"always", Effect::allow, Scope::always},
                                         Native{"reject", Effect::deny, Scope::once}));

TEST(Option, AnUnknownNativeWordIsTreatedAsAllowAlways) {
    for (const auto* word : {"setMode", "", "nope", "allow!", "{\"accept\":1}", "denyish"}) {
        const auto found = classify(word);
        EXPECT_FALSE(found.known) << word;
        EXPECT_EQ(found.effect, Effect::allow) << word;
        EXPECT_EQ(found.scope, Scope::always) << word;
    }
}

TEST(Option, NamesReadBack) {
    for (const auto effect : {Effect::allow, Effect::deny, Effect::cancel})
        EXPECT_EQ(effect_named(name(effect)), effect);
    for (const auto scope : {Scope::once, Scope::session, Scope::always}) EXPECT_EQ(scope_named(name(scope)), scope);
    for (const auto role : {Role::none, Role::primary, Role::secondary, Role::destructive, Role::cancel}) {
        EXPECT_EQ(role_named(name(role)), role);
    }
    EXPECT_FALSE(effect_named("Allow"));
    EXPECT_FALSE(scope_named("forever"));
    EXPECT_FALSE(role_named("boss"));
}

TEST(Offer, I14_AGrantThatReplacesAPersistentOptionSaysSoInItsLabel) {
    const auto shown = offered({allow, session, always, deny}, as_grants);
    EXPECT_EQ(ids(shown), (Ids{"allow", "deny", "session", "always"})) << "this once, no, and then what lasts";
    EXPECT_EQ(shown[2].label, "This call, session");
    EXPECT_EQ(shown[3].label, "This call, always");
    EXPECT_EQ(shown[2].detail, "");
    for (const auto& one : shown) EXPECT_LE(one.label.size(), limits::option_label_chars_max);
}

TEST(Offer, I14_WithoutAOnceSiblingNoPersistentAllowIsOffered) {
    EXPECT_EQ(ids(offered({session, always, deny}, as_grants)), Ids{"deny"});
    EXPECT_EQ(ids(offered({session, always, deny}, as_native)), (Ids{"deny", "session", "always"}));
}

TEST(Offer, I14_AnOptionAboutMoreThanThisCallIsShownOnlyUnderNative) {
    auto amendment = always;
    amendment.exact_call = false;
    EXPECT_EQ(ids(offered({allow, amendment, deny}, as_grants)), (Ids{"allow", "deny"}));
    const auto native = offered({allow, amendment, deny}, as_native);
    ASSERT_EQ(ids(native), (Ids{"allow", "deny", "always"}));
    EXPECT_EQ(native[2], amendment);
}

TEST(Offer, I8_WithoutAGrantNothingThatLastsIsOfferedUnderAnyMode) {
    for (const auto mode : {AlwaysMode::grant, AlwaysMode::native}) {
        const auto shown = offered({allow, session, always, unknown("x"), deny, deny_always, cancel},
                                   {.always = mode, .may_grant = false});
        EXPECT_EQ(ids(shown), (Ids{"allow", "deny", "cancel"}));
    }
}

TEST(Offer, AGrantSaysWhichPartsItDoesNotCoverAndAnAllowWhyNoGrantIsOffered) {
    const std::string note = "not what make reads";
    const auto granted = offered({allow, session, deny}, {.may_grant = true, .grant_note = note});
    ASSERT_EQ(ids(granted), (Ids{"allow", "deny", "session"}));
    EXPECT_EQ(granted[0].detail, allow.detail);
    EXPECT_EQ(granted[2].detail, note);
    const auto once = offered({allow, session, deny}, {.may_grant = false, .grant_note = note});
    ASSERT_EQ(ids(once), (Ids{"allow", "deny"}));
    EXPECT_EQ(once[0].detail, note + "; " + allow.detail);
    EXPECT_EQ(once[1].detail, deny.detail);
}

TEST(Offer, UnderGrantsALastingDenyIsOfferedOnlyIfThereIsNoPlainOne) {
    EXPECT_EQ(ids(offered({allow, deny, deny_always}, as_grants)), (Ids{"allow", "deny"}));
    EXPECT_EQ(ids(offered({allow, deny_always}, as_grants)), (Ids{"allow", "deny_always"}));
    EXPECT_EQ(ids(offered({allow, deny, deny_always}, as_native)), (Ids{"allow", "deny", "deny_always"}));
}

TEST(Offer, AnUnknownOptionIsShownAsItIs) {
    const auto shown = offered({allow, unknown("odd"), deny}, as_grants);
    ASSERT_EQ(ids(shown), (Ids{"allow", "deny", "odd"}));
    EXPECT_EQ(shown[2], unknown("odd"));
}

TEST(Offer, LabelsStayUnique) {
    auto second = always;
    second.option_id = "always_too";
    EXPECT_EQ(ids(offered({allow, always, second}, as_grants)), (Ids{"allow", "always"}));
    auto squatter = allow;
    squatter.label = "This call, always";
    EXPECT_EQ(ids(offered({squatter, always, deny}, as_grants)), (Ids{"allow", "deny"}));
}

TEST(Offer, NoAllowIsAdded) {
    EXPECT_EQ(ids(offered({deny, cancel}, as_grants)), (Ids{"deny", "cancel"}));
    EXPECT_TRUE(offered({}, as_native).empty());
}

TEST(Sent, I8_UnderGrantTheOnceSiblingIsSentForAPersistentAllow) {
    const std::vector options{deny, allow, always};
    const auto shown = offered(options, as_grants);
    EXPECT_EQ(sent_for(options, shown.back(), AlwaysMode::grant)->option_id, "allow");
    EXPECT_EQ(sent_for(options, shown.back(), AlwaysMode::native)->option_id, "always");
    EXPECT_EQ(sent_for(options, deny, AlwaysMode::grant)->option_id, "deny");
    EXPECT_EQ(sent_for({always, deny}, always, AlwaysMode::grant), nullptr);
}

TEST(Sent, I14_AnOptionThatWasNotOfferedIsNeverSent) {
    EXPECT_EQ(sent_for({allow, deny}, cancel, AlwaysMode::native), nullptr);
}

TEST(Sent, AnUnknownOptionIsSentAsItIs) {
    const std::vector options{allow, unknown("odd")};
    EXPECT_EQ(sent_for(options, options[1], AlwaysMode::grant)->option_id, "odd");
}

TEST(Refusal, I2_AFailureSendsTheNarrowestRefusal) {
    EXPECT_EQ(refusal_of({allow, cancel, deny_always, deny})->option_id, "deny");
    EXPECT_EQ(refusal_of({allow, cancel, deny_always})->option_id, "deny_always");
    EXPECT_EQ(refusal_of({allow, cancel})->option_id, "cancel");
    EXPECT_EQ(refusal_of({allow, unknown("no")}), nullptr);
}

}  // namespace
}  // namespace countersign
