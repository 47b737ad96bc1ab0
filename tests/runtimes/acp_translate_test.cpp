// SPDX-License-Identifier: Apache-2.0
// What people see of an ACP agent's request, and what the agent gets for each decision.
#include "core/limits.hpp"
#include "tests/runtimes/acp_sample.hpp"

#include <gmock/gmock.h>

namespace countersign::runtimes::acp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string option(const std::string& id, const std::string& kind, const std::string& name = "x") {
    return R"({"optionId":")" + id + R"(","kind":")" + kind + R"(","name":")" + name + "\"}";
}

TEST(AcpTranslate, ACommandIsShownAndJudgedByItsRawInput) {
    Rules rules;
    rules.policy = {{.name = "no touch", .effect = PolicyEffect::deny, .tool = "", .command = "touch *"}};
    const auto call = made_call(command_call(), context(rules));
    ASSERT_TRUE(call);
    EXPECT_EQ(approval_in(call).display_text, "touch /w/x");
    EXPECT_EQ(tool_name_of(call->request), "execute");
    EXPECT_EQ(call->request.runtime, "acp");
    EXPECT_EQ(call->request.cwd, "/w");
    EXPECT_FALSE(call->request.args_hash.partial);
    EXPECT_TRUE(call->request.judgement.may_grant);
    EXPECT_EQ(call->request.judgement.policy.effect, PolicyEffect::deny);
}

TEST(AcpTranslate, TheToolsNameIsTheAgentsElseThatOfTheMcpToolElseTheKind) {
    const auto name = [](const std::string& call) { return tool_name_of(made_call(call)->request); };
    EXPECT_EQ(name(R"("name":"Bash","kind":"execute","rawInput":{"command":"ls"})"), "Bash");
    EXPECT_EQ(name(R"("kind":"execute","rawInput":{"server":"demo","tool":"ask","arguments":{"text":"hi"}})"),
              "mcp__demo__ask");
    EXPECT_EQ(name(R"("kind":"delete","rawInput":{"path":"/w/x"})"), "delete");
    EXPECT_EQ(name(R"("rawInput":{"path":"/w/x"})"), "other");
}

TEST(AcpTranslate, I15_ANameAndAKindThatDifferAreAnsweredByAPerson) {
    Rules rules;
    rules.policy = {{.name = "reads", .effect = PolicyEffect::allow, .tool = "Read"}};
    const auto honest = made_call(R"("name":"Read","kind":"read","rawInput":{"file_path":"/w/x"})", context(rules));
    EXPECT_EQ(honest->request.judgement.policy.effect, PolicyEffect::allow);
    const auto odd = made_call(R"("name":"Read","kind":"execute","rawInput":{"file_path":"/w/x"})", context(rules));
    EXPECT_EQ(odd->request.judgement.policy.effect, PolicyEffect::ask);
    EXPECT_FALSE(odd->request.judgement.may_grant);
    EXPECT_EQ(odd->request.judgement.risk.level, RiskLevel::high);
}

TEST(AcpTranslate, AnEditIsShownWithItsDiff) {
    const auto edit = made_call(
        R"("name":"Write","kind":"edit","rawInput":{"file_path":"/w/a","content":"hello\n"},"content":[{"type":"diff",)"
        R"("path":"/w/a","oldText":null,"newText":"hello\n"}])");
    ASSERT_TRUE(edit);
    EXPECT_EQ(approval_in(edit).display_text, "/w/a");
    EXPECT_EQ(approval_in(edit).diff, "+hello\n");
    EXPECT_FALSE(edit->request.args_hash.partial);
}

TEST(AcpTranslate, I8_ACallWithoutRawInputIsPartialSoNoRuleAndNoGrantAllowsIt) {
    Rules rules;
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "*"}};
    for (const auto& call : {titled_call, diff_call, std::string{R"("kind":"execute","rawInput":{})"},
                             std::string{R"("kind":"switch_mode","rawInput":{"plan":"x"})"}}) {
        for (const auto mode : {AlwaysMode::grant, AlwaysMode::native}) {
            const auto partial = made_call(call, context(rules, mode));
            ASSERT_TRUE(partial) << call;
            EXPECT_TRUE(partial->request.args_hash.partial);
            EXPECT_EQ(partial->request.judgement.policy.effect, PolicyEffect::ask);
            EXPECT_FALSE(partial->request.judgement.may_grant);
            EXPECT_THAT(labels_of(approval_in(partial).options), ElementsAre("Allow once", "Deny")) << call;
        }
    }
}

TEST(AcpTranslate, APartlyReportedCallShowsAllThatWasSaid) {
    const auto titled = made_call(titled_call);
    EXPECT_EQ(approval_in(titled).display_text, "touch /w/x\n[current working directory /w] (Create x)");
    EXPECT_EQ(summary_of(titled->request), "touch /w/x");
    const auto diff = made_call(diff_call);
    EXPECT_EQ(approval_in(diff).display_text, "Writing to a.txt\nfile: /w/a.txt");
    EXPECT_EQ(approval_in(diff).diff, "-one\n+two\n");
    EXPECT_EQ(summary_of(diff->request), "/w/a.txt");
    const auto other = made_call(
        R"("title":"t","kind":"edit","later":7,"content":[{"type":"diff","path":"a","newText":"1"},{"type":"diff",)"
        R"("path":"b","newText":"2"},{"type":"hologram","x":1}])");
    EXPECT_THAT(approval_in(other).diff, testing::AllOf(HasSubstr("a:\n"), HasSubstr("b:\n")));
    EXPECT_THAT(approval_in(other).display_text, testing::AllOf(HasSubstr("later"), HasSubstr("hologram")));
}

TEST(AcpTranslate, ATitleIsNotTakenForAPath) {
    std::vector<std::string> paths;
    auto with = context();
    with.files.view = [&paths](const CallFacts& facts) {
        paths = facts.paths;
        return FileView{};
    };
    EXPECT_TRUE(made_call(titled_call, with));
    EXPECT_THAT(paths, IsEmpty());
    EXPECT_TRUE(made_call(diff_call, with));
    EXPECT_THAT(paths, ElementsAre("/w/a.txt"));
}

TEST(AcpTranslate, ARuleCanDenyAPartlyReportedCallByItsTitleOrItsPaths) {
    Rules rules;
    rules.policy = {{.name = "no touch", .effect = PolicyEffect::deny, .tool = "", .command = "touch *"},
                    {.name = "no a", .effect = PolicyEffect::deny, .tool = "", .command = "", .path = "/w/a.txt"}};
    EXPECT_EQ(made_call(titled_call, context(rules))->request.judgement.policy.effect, PolicyEffect::deny);
    EXPECT_EQ(made_call(diff_call, context(rules))->request.judgement.policy.effect, PolicyEffect::deny);
}

TEST(AcpTranslate, I9_ADiffThatTheRawInputLacksIsHashed) {
    const auto call = [](const std::string& text) {
        return made_call(R"("kind":"edit","rawInput":{"path":"/w/a"},"content":[{"type":"diff","path":"/w/a",)"
                         R"("newText":")" +
                         text + "\"}]");
    };
    EXPECT_TRUE(call("one")->request.args_hash.partial);
    EXPECT_NE(call("one")->request.args_hash.hex, call("two")->request.args_hash.hex);
}

TEST(AcpTranslate, IdsAndStatusAreNotHashed) {
    auto later = permission_params(titled_call);
    later.replace(later.find("call_1"), 6, "call_2");
    later.replace(later.find("pending"), 7, "waiting");
    EXPECT_EQ(made(AskKind::permission, later)->request.args_hash.hex, made_call(titled_call)->request.args_hash.hex);
}

TEST(AcpTranslate, TheAgentsWordsAreShownApartUnlessTheyRepeatTheCall) {
    EXPECT_EQ(approval_in(made_call(R"("title":"ls","kind":"execute","rawInput":{"command":"ls"})")).untrusted_reason,
              "");
    EXPECT_EQ(
        approval_in(made_call(R"("title":"List all","kind":"execute","rawInput":{"command":"ls"})")).untrusted_reason,
        "List all");
}

TEST(AcpTranslate, I6_SecretsAreMaskedInEveryPart) {
    const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const auto shown = [&](const std::string& call) { return shown_text(made_call(call)->request); };
    EXPECT_THAT(shown(R"("title":")" + secret + R"(","kind":"execute")"), Not(HasSubstr(secret)));
    EXPECT_THAT(
        shown(R"("kind":"edit","content":[{"type":"diff","path":"/w/a","oldText":")" + secret + R"(","newText":"x"}])"),
        Not(HasSubstr(secret)));
    const auto named = made_call(command_call(), native_context(), once + "," + option("r", "allow_always", secret));
    EXPECT_THAT(option_in(named, "r").detail, Not(HasSubstr(secret)));
}

TEST(AcpTranslate, I6_NoTailOfAPasswordIsVisibleWhenAConfigurationFileIsWritten) {
    const auto diff = made_call(
        R"("kind":"edit","content":[{"type":"diff","path":"/srv/.env","newText":"DB_PASSWORD=abcd1&efgh2\n"}])");
    EXPECT_THAT(shown_text(diff->request), Not(HasSubstr("efgh2")));
    const auto script = made_call(
        R"("kind":"edit","content":[{"type":"diff","path":"/srv/run.sh","newText":"DB_PASSWORD=abcd1&evilcmd\n"}])");
    EXPECT_THAT(shown_text(script->request), HasSubstr("evilcmd"));
}

TEST(AcpTranslate, I14_AnOptionIsAnsweredByItsOwnIdEvenIfAnotherHasTheSameKind) {
    const auto call =
        made_call(command_call(), native_context(),
                  option("all-server", "allow_always", "Server") + "," + option("all-tool", "allow_always", "Tool") +
                      "," + once + "," + option("first", "allow_once", "Another way") + "," + reject);
    ASSERT_TRUE(call);
    EXPECT_THAT(labels_of(approval_in(call).options),
                ElementsAre("Always, by agent", "Always, by agent 2", "Allow once", "Allow once 2", "Deny"));
    EXPECT_EQ(*allowed(call, "all-tool"), selected("all-tool"));
    EXPECT_EQ(*allowed(call, "first"), selected("first"));
    EXPECT_EQ(*denied(call, "reject"), selected("reject"));
    EXPECT_THAT(option_in(call, "all-tool").detail, HasSubstr("\"Tool\""));
    EXPECT_THAT(option_in(call, "first").detail, HasSubstr("\"Another way\""));
    EXPECT_EQ(allowed(call, "nothing").error().code, Errc::unknown_option);
    EXPECT_EQ(allowed(call, "reject").error().code, Errc::conflict);
    EXPECT_EQ(denied(call, "once").error().code, Errc::conflict);
}

TEST(AcpTranslate, I14_TheBytesOfAnOddIdComeBack) {
    const std::string odd = R"("\u00e9 \"x\" \/ session")";
    const auto call =
        made_call(command_call(), context(),
                  R"({"optionId":)" + odd + R"(,"kind":"allow_once","name":"n"},)" + option("session", "reject_once"));
    ASSERT_TRUE(call);
    EXPECT_EQ(*allowed(call, "option-0"), R"({"outcome":{"outcome":"selected","optionId":)" + odd + "}}");
    EXPECT_EQ(*denied(call, "option-1"), selected("session"));
    EXPECT_EQ(*allowed(call, "session"), *allowed(call, "option-0"));
}

TEST(AcpTranslate, AnAgentCannotNameAnAllowDeny) {
    const auto call = made_call(command_call(), context(),
                                option("a", "allow_once", "Deny") + "," + option("b", "reject_once", "Allow once"));
    EXPECT_EQ(option_in(call, "a").label, "Allow once");
    EXPECT_EQ(option_in(call, "b").label, "Deny");
}

TEST(AcpTranslate, I8_AnUnknownKindCountsAsALastingAllowAndMakesNoGrant) {
    const auto call = made_call(command_call(), native_context(), once + "," + option("new", "allow_for_hour"));
    const auto unknown = option_in(call, "new");
    EXPECT_FALSE(unknown.known);
    EXPECT_EQ(unknown.effect, Effect::allow);
    EXPECT_EQ(unknown.scope, Scope::always);
    EXPECT_FALSE(unknown.grants);
    for (const auto& shown : offered(approval_in(call).options, {})) EXPECT_FALSE(shown.grants && !shown.known);
}

TEST(AcpTranslate, I8_LastingOptionsAreAGrantOfOursUnlessTheOperatorChoseNative) {
    const auto call = made_call(command_call());
    const auto shown = offered(approval_in(call).options, {.always = AlwaysMode::grant});
    EXPECT_THAT(labels_of(shown), ElementsAre("Allow once", "Deny", "This call, session"));
    EXPECT_EQ(*allowed(call, "session"), selected("once"));
    const auto native = made_call(command_call(), native_context());
    EXPECT_THAT(labels_of(offered(approval_in(native).options, {.always = AlwaysMode::native})),
                ElementsAre("Allow once", "Deny", "Always, by agent"));
}

TEST(AcpTranslate, I2_AnOptionThatEndsTheAskingIsNotOffered) {
    const auto call = made_call(command_call(), native_context(),
                                once + "," + option("exit-plan-auto", "allow_once") + "," +
                                    option("bypassPermissions", "allow_always") + "," + reject);
    EXPECT_THAT(labels_of(approval_in(call).options), ElementsAre("Allow once", "Deny"));
}

TEST(AcpTranslate, ARejectThatEndsTheTurnSaysSo) {
    const auto options = once + "," + option("cancel", "reject_once", "No");
    EXPECT_EQ(option_in(made_call(command_call(), context(), options), "cancel").label, "Deny");
    auto with = context();
    with.cancel_ends_turn = true;
    const auto call = made_call(command_call(), with, options);
    EXPECT_EQ(option_in(call, "cancel").label, "Deny, end the turn");
    EXPECT_EQ(option_in(call, "cancel").effect, Effect::deny);
    EXPECT_EQ(*denied(call, "cancel"), selected("cancel"));
}

TEST(AcpTranslate, AnAgentWithoutARejectIsRefusedByTheProtocolsOwnWord) {
    const auto call = made_call(command_call(), context(), once);
    EXPECT_EQ(*denied(call, "deny"), cancelled);
    const auto lasting = made_call(titled_call, context(), once + "," + option("never", "reject_always"));
    EXPECT_EQ(*denied(lasting, "deny"), cancelled);
}

TEST(AcpTranslate, I2_NoOutcomeButAnAllowAllowsAnything) {
    const auto call = made_call(command_call());
    for (const auto outcome : {Outcome::expired, Outcome::undeliverable, Outcome::unlogged, Outcome::lost,
                               Outcome::withdrawn, Outcome::cancelled, Outcome::indeterminate}) {
        EXPECT_EQ(*denied(call, "", outcome), cancelled);
        EXPECT_EQ(*denied(call, "reject", outcome), selected("reject"));
    }
    EXPECT_EQ(answered(call, {}).error().code, Errc::conflict);
}

TEST(AcpTranslate, I9_ADecisionAboutAnotherCallAnswersNothing) {
    const auto one = made_call(command_call());
    const auto other = made_call(command_call("rm -rf /w"));
    EXPECT_EQ(resolution(other->raw, verdict(*one, Outcome::allowed, "once")).error().code, Errc::conflict);
    auto edited = verdict(*one, Outcome::allowed, "once");
    edited.edited_input = "{}";
    EXPECT_FALSE(resolution(one->raw, edited));
}

TEST(AcpTranslate, I13_OptionsAreBounded) {
    const auto many = [](std::size_t count) {
        std::string options = reject;
        for (std::size_t i = 1; i < count; ++i) options += "," + option("a" + std::to_string(i), "allow_once");
        return made_call(command_call(), context(), options);
    };
    EXPECT_TRUE(many(limits::options_max - 1));
    EXPECT_LE(approval_in(many(limits::options_max - 1)).options.size(), limits::options_max);
    EXPECT_EQ(many(limits::options_max).error().code, Errc::too_large);
    const auto id = [](std::size_t size) {
        return made_call(command_call(), context(), option(std::string(size, 'x'), "reject_once"));
    };
    EXPECT_TRUE(id(limits::native_decision_bytes_max - 2));
    EXPECT_EQ(id(limits::native_decision_bytes_max - 1).error().code, Errc::too_large);
}

TEST(AcpTranslate, I2_UnclearOptionsAreNotShown) {
    for (const auto& options : {std::string{}, once + "," + once, std::string{R"({"kind":"allow_once","name":"n"})"},
                                std::string{R"({"optionId":7,"kind":"allow_once","name":"n"})"},
                                std::string{R"({"optionId":"\ud800","kind":"allow_once","name":"n"})"}}) {
        EXPECT_EQ(made_call(command_call(), context(), options).error().code, Errc::malformed) << options;
    }
}

TEST(AcpTranslate, ARequestThatCannotBeReadOnlyInOneWayIsUnreadable) {
    for (const auto& params :
         {std::string{"[]"}, std::string{R"({"sessionId":"s1","options":[]})"},
          std::string{R"({"sessionId":"s1","toolCall":{"title":"x"},"options":[]})"},
          permission_params(R"("title":"ls","title":"rm")"),
          std::string{R"({"sessionId":"s1","title":"x","subject":{"type":"tool_call","toolCall":{"toolCallId":"c"}}})"},
          permission_params(R"("x":1,"toolCallId":")" + std::string(limits::native_id_bytes_max + 1, 'x') + "\"")}) {
        const auto message = read(AskKind::permission, params);
        const auto* bad = std::get_if<Unreadable>(&message);
        ASSERT_NE(bad, nullptr) << params.substr(0, 200);
        EXPECT_EQ(bad->native_id, "0");
    }
}

TEST(AcpTranslate, ArgumentsWithTwoReadingsAreShownAsReceivedAndAskAPerson) {
    const auto call = made_call(R"("kind":"execute","rawInput":{"command":"ls","command":"rm"})");
    ASSERT_TRUE(call);
    EXPECT_FALSE(call->request.args_hash.canonical);
    EXPECT_FALSE(call->request.judgement.may_grant);
    EXPECT_THAT(approval_in(call).display_text, testing::AllOf(HasSubstr("ls"), HasSubstr("rm")));
}

TEST(AcpTranslate, AFormBecomesQuestions) {
    const auto form = made_form(
        R"("question_0":{"type":"string","title":"Color","description":"Which?","oneOf":[{"const":"R","title":"Red",)"
        R"("description":"the red one"},{"const":"B","title":"Blue"}]},"question_0_custom":{"type":"string"},)"
        R"("sizes":{"type":"array","items":{"anyOf":[{"const":"S","title":"S"},{"const":"L","title":"L"}]}},)"
        R"("count":{"type":"integer"},"rate":{"type":"number"},"sure":{"type":"boolean"},"name":{"type":"string"})",
        R"("name")");
    ASSERT_TRUE(form) << describe(form.error());
    const auto questions = questions_in(form);
    ASSERT_EQ(questions.size(), 6U);
    EXPECT_EQ(questions[0].text, "Please answer.\nColor: Which?");
    EXPECT_EQ(questions[0].choices[0].description, "the red one");
    EXPECT_TRUE(questions[0].free_text);
    EXPECT_FALSE(questions[0].required);
    EXPECT_TRUE(questions[1].multiple);
    EXPECT_TRUE(questions[5].required);
    const auto choice = [](const std::string& id, std::vector<std::string> chosen) {
        return Answer{.question_id = id, .choices = std::move(chosen), .text = {}};
    };
    const auto text = [](const std::string& id, const std::string& typed) {
        return Answer{.question_id = id, .choices = {}, .text = typed};
    };
    EXPECT_EQ(*answered(form, {choice("q0", {"Blue"}), choice("q1", {"S", "L"}), text("q2", "7"), text("q3", "0.5"),
                               choice("q4", {"Yes"}), text("q5", "bob")}),
              R"({"action":"accept","content":{"count":7,"name":"bob","question_0":"B","rate":0.5,)"
              R"("sizes":["S","L"],"sure":true}})");
    EXPECT_EQ(*answered(form, {text("q0", "teal")}), R"({"action":"accept","content":{"question_0_custom":"teal"}})");
    EXPECT_EQ(answered(form, {text("q2", "1.5")}).error().code, Errc::malformed);
    EXPECT_EQ(answered(form, {text("q3", "many")}).error().code, Errc::malformed);
    EXPECT_EQ(answered(form, {choice("q0", {"Green"})}).error().code, Errc::unknown_option);
    EXPECT_EQ(answered(form, {choice("q0", {"Red", "Blue"})}).error().code, Errc::conflict);
    EXPECT_EQ(answered(form, {text("q1", "M")}).error().code, Errc::conflict);
    EXPECT_EQ(allowed(form, "x").error().code, Errc::conflict);
    EXPECT_EQ(*denied(form, "", Outcome::denied), R"({"action":"decline"})");
    EXPECT_EQ(*denied(form, "", Outcome::expired), R"({"action":"cancel"})");
}

TEST(AcpTranslate, I13_FormsAreBounded) {
    const auto fields = [](std::size_t count) {
        std::string properties;
        for (std::size_t i = 0; i < count; ++i)
            properties += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + R"(":{"type":"string"})";
        return made_form(properties);
    };
    EXPECT_TRUE(fields(limits::questions_max));
    EXPECT_EQ(fields(limits::questions_max + 1).error().code, Errc::too_large);
    const auto choices = [](std::size_t count) {
        std::string values;
        for (std::size_t i = 0; i < count; ++i) values += (i == 0 ? "\"c" : ",\"c") + std::to_string(i) + "\"";
        return made_form(R"("f":{"type":"string","enum":[)" + values + "]}");
    };
    EXPECT_TRUE(choices(limits::choices_max));
    EXPECT_EQ(choices(limits::choices_max + 1).error().code, Errc::too_large);
    EXPECT_EQ(made_form(R"("f":{"type":"object"})").error().code, Errc::malformed);
    EXPECT_EQ(made_form(R"("f":{"type":"string","enum":["a","a"]})").error().code, Errc::malformed);
}

TEST(AcpTranslate, APageToOpenIsShownWithItsAddressAndAnsweredByAPerson) {
    Rules rules;
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "*"}};
    const auto page = made(AskKind::elicitation, page_params, context(rules));
    ASSERT_TRUE(page);
    EXPECT_EQ(approval_in(page).display_text, "Log in\nto open: https://login.example/x");
    EXPECT_EQ(page->request.judgement.policy.effect, PolicyEffect::ask);
    EXPECT_FALSE(page->request.judgement.may_grant);
    EXPECT_EQ(*allowed(page, "accept"), R"({"action":"accept"})");
    EXPECT_EQ(*denied(page, "decline"), R"({"action":"decline"})");
    EXPECT_EQ(*denied(page, "", Outcome::expired), R"({"action":"cancel"})");
}

TEST(AcpTranslate, AQuestionWithoutFieldsIsAConfirmation) {
    const auto ask = made(AskKind::elicitation, form_params(""));
    ASSERT_TRUE(ask);
    EXPECT_EQ(approval_in(ask).display_text, "Please answer.");
    EXPECT_EQ(*allowed(ask, "accept"), R"({"action":"accept","content":{}})");
}

TEST(AcpTranslate, ElicitationsOfLaterKindsCannotBeAsked) {
    for (const auto* params : {R"({"mode":"voice","message":"x"})", R"({"mode":"url","message":"x"})",
                               R"({"mode":"form","message":"x"})", R"({"message":"x"})"}) {
        EXPECT_FALSE(can_be_asked(ask_of(AskKind::elicitation, params))) << params;
    }
}

}  // namespace
}  // namespace countersign::runtimes::acp
