// SPDX-License-Identifier: Apache-2.0
#include "security/authoriser.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

Option option(std::string id, Effect effect, Scope scope = Scope::once, bool known = true) {
    Option made;
    made.option_id = std::move(id);
    made.effect = effect;
    made.scope = scope;
    made.known = known;
    return made;
}

class Gate : public testing::Test {
protected:
    Gate() {
        add("alice", {Permission::approve, Permission::approve_always});
        add("bob", {Permission::approve});
        add("carol", {});
        add("dave", {Permission::approve, Permission::approve_always});  // not a decider
        add("erin", {Permission::approve_always});
        route.deciders = {"alice", "bob", "carol", "erin"};
        request.body = Approval{};
        offered = {option("once", Effect::allow),
                   option("session", Effect::allow, Scope::session),
                   option("always", Effect::allow, Scope::always),
                   option("no", Effect::deny),
                   option("never", Effect::deny, Scope::always),
                   option("stop", Effect::cancel),
                   option("odd", Effect::deny, Scope::once, false)};
    }

    void add(const std::string& name, std::set<Permission> permissions) {
        configuration.people[name] = {
            .name = name, .principals = {"telegram:" + name}, .permissions = std::move(permissions)};
    }

    using What = std::variant<Choose, Submit, Cancel>;
    Result<Permit> tries(const std::string& principal, What what, Assurance assurance = Assurance::chat) const {
        Attempt attempt;
        attempt.principal = principal;
        attempt.what = std::move(what);
        attempt.assurance = assurance;
        return gate.permit(attempt, request, route, offered, configuration);
    }
    bool may(const std::string& name, What what, Assurance assurance = Assurance::chat) const {
        const auto permit = tries("telegram:" + name, std::move(what), assurance);
        if (permit)
            EXPECT_EQ(permit->person, name);
        else
            EXPECT_EQ(permit.error().code, Errc::not_authorised) << permit.error().detail;
        return permit.has_value();
    }
    bool may_choose(const std::string& name, const std::string& option_id,
                    Assurance assurance = Assurance::chat) const {
        return may(name, Choose{option_id}, assurance);
    }

    ConfiguredAuthoriser gate;
    Configuration configuration;
    Route route;
    Request request;
    std::vector<Option> offered;
};

TEST_F(Gate, I4_EveryRoleAllowsExactlyItsOptions) {
    struct Row {
        std::string name;
        bool once, session, always, no, never, stop, odd;
    };
    // clang-format off
    const std::vector<Row> table = {
        //        once   session always no     never  stop   odd
        {"alice", true,  true,   true,  true,  true,  true,  true},
        {"bob",   true,  false,  false, true,  true,  true,  false},
        {"carol", false, false,  false, true,  true,  true,  false},
        {"dave",  false, false,  false, false, false, false, false},
        {"erin",  false, false,  false, true,  true,  true,  false},
    };
    // clang-format on
    for (const auto& row : table) {
        EXPECT_EQ(may_choose(row.name, "once"), row.once) << row.name;
        EXPECT_EQ(may_choose(row.name, "session"), row.session) << row.name;
        EXPECT_EQ(may_choose(row.name, "always"), row.always) << row.name;
        EXPECT_EQ(may_choose(row.name, "no"), row.no) << row.name;
        EXPECT_EQ(may_choose(row.name, "never"), row.never) << row.name;
        EXPECT_EQ(may_choose(row.name, "stop"), row.stop) << row.name;
        EXPECT_EQ(may_choose(row.name, "odd"), row.odd) << row.name << ": an unknown word counts as allow/always";
        EXPECT_EQ(may(row.name, Cancel{}), row.no) << row.name;
    }
}

TEST_F(Gate, I4_AStrangerIsToldOnlyHowToBeAdded) {
    const auto permit = tries("telegram:4711", Choose{"once"});
    ASSERT_FALSE(permit);
    EXPECT_EQ(permit.error().code, Errc::not_authorised);
    EXPECT_NE(permit.error().detail.find("telegram = 4711"), std::string::npos) << permit.error().detail;
    for (const auto& [name, person] : configuration.people) {
        EXPECT_EQ(permit.error().detail.find(name), std::string::npos) << "it says who may decide";
    }
    EXPECT_NE(tries("slack:T0/U9", Cancel{}).error().detail.find("slack = \"T0/U9\""), std::string::npos);
    const auto discord = tries("discord:539082325061836801", Cancel{}).error().detail;
    EXPECT_NE(discord.find("discord = \"539082325061836801\""), std::string::npos) << "as the configuration takes it";
}

TEST_F(Gate, I4_AStrangerDoesNotLearnWhichOptionsExist) {
    const auto invented = tries("telegram:4711", Choose{"invented"});
    const auto offered_one = tries("telegram:4711", Choose{"once"});
    EXPECT_EQ(invented.error().detail, offered_one.error().detail);
    EXPECT_EQ(tries("telegram:dave", Choose{"invented"}).error().code, Errc::not_authorised);
}

TEST_F(Gate, I4_OnlyTheExactSpellingOfAPrincipalPasses) {
    for (const auto* principal : {"", "alice", "telegram:", "telegram:Alice", "telegram:alice ", "telegram:alic",
                                  "telegram:alice2", "slack:alice", "telegram:telegram:alice", "Telegram:alice"}) {
        EXPECT_EQ(tries(principal, Choose{"no"}).error().code, Errc::not_authorised) << principal;
    }
}

TEST_F(Gate, I4_APrincipalOfTwoPeopleIsRefused) {
    configuration.people["bob"].principals.push_back("telegram:alice");
    EXPECT_EQ(tries("telegram:alice", Choose{"no"}).error().code, Errc::not_authorised);
}

TEST_F(Gate, I2_WithoutDecidersNoPersonMayEvenDeny) {
    route.deciders.clear();
    for (const auto* name : {"alice", "bob", "carol", "dave"}) {
        EXPECT_FALSE(may_choose(name, "once"));
        EXPECT_FALSE(may_choose(name, "no"));
        EXPECT_FALSE(may(name, Cancel{}));
    }
}

TEST_F(Gate, I4_TheCurrentConfigurationApplies) {
    EXPECT_TRUE(may_choose("bob", "once"));
    configuration.people["bob"].permissions.clear();
    EXPECT_FALSE(may_choose("bob", "once"));
    configuration.people.erase("bob");
    EXPECT_FALSE(may_choose("bob", "no"));
}

TEST_F(Gate, I4_AnEventsSendersNarrowTheDecidersAndTheRequesterIsExcluded) {
    request.authorized_senders = {"telegram:bob", "telegram:dave"};
    EXPECT_FALSE(may_choose("alice", "once"));
    EXPECT_TRUE(may_choose("bob", "once"));
    EXPECT_FALSE(may_choose("dave", "once")) << "a sender that the route does not name stays out";
    route.not_requester = true;
    request.requester = "bob";
    EXPECT_FALSE(may_choose("bob", "once"));
    EXPECT_FALSE(may_choose("bob", "no"));
}

TEST_F(Gate, AnAllowNeedsTheAssuranceOfItsRouteAndADenyDoesNot) {
    route.assurance = Assurance::token;
    for (const auto weak : {Assurance::sms_code, Assurance::chat}) {
        EXPECT_FALSE(may_choose("alice", "once", weak));
        EXPECT_FALSE(may_choose("alice", "always", weak));
        EXPECT_FALSE(may_choose("alice", "odd", weak));
        EXPECT_TRUE(may_choose("alice", "no", weak));
        EXPECT_TRUE(may_choose("alice", "stop", weak));
        EXPECT_TRUE(may("alice", Cancel{}, weak));
    }
    for (const auto strong : {Assurance::token, Assurance::passkey}) EXPECT_TRUE(may_choose("alice", "once", strong));
    EXPECT_NE(tries("telegram:alice", Choose{"once"}).error().detail.find("\"token\" up"), std::string::npos);
}

TEST_F(Gate, OnlyAnOfferedOptionCanBeChosen) {
    for (const auto* invented : {"", "Once", "allow", "once "}) {
        EXPECT_EQ(tries("telegram:alice", Choose{invented}).error().code, Errc::unknown_option) << invented;
    }
    offered.erase(offered.begin() + 2);
    EXPECT_EQ(tries("telegram:alice", Choose{"always"}).error().code, Errc::unknown_option)
        << "what the agent has but people were not shown";
    offered.clear();
    EXPECT_EQ(tries("telegram:alice", Choose{"once"}).error().code, Errc::unknown_option);
}

TEST_F(Gate, AnApprovalTakesNoAnswers) {
    EXPECT_EQ(tries("telegram:alice", Submit{}).error().code, Errc::unknown_option);
}

TEST_F(Gate, AQuestionIsAnsweredOrCancelledByADeciderWithTheApproveRole) {
    request.body = Questionnaire{};
    for (const auto* name : {"alice", "bob"}) {
        EXPECT_TRUE(may(name, Submit{}));
        EXPECT_TRUE(may(name, Cancel{}));
    }
    for (const auto* name : {"carol", "dave", "erin"}) {
        EXPECT_FALSE(may(name, Submit{}));
        EXPECT_FALSE(may(name, Cancel{}));
    }
    EXPECT_EQ(tries("telegram:alice", Choose{"once"}).error().code, Errc::unknown_option);
    route.assurance = Assurance::token;
    EXPECT_FALSE(may("alice", Submit{}));
    EXPECT_TRUE(may("alice", Cancel{}));
}

}  // namespace
}  // namespace countersign::security
