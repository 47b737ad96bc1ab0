// SPDX-License-Identifier: Apache-2.0
// The check commands as an operator types them: exit code 0 if valid, 1 with one line if not, 2 for wrong usage.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;
using testing_tools::countersign;
using testing_tools::TemporaryDirectory;

// The check fails, and one line on standard error says why.
void expect_refused(const testing_tools::Ran& ran, const std::string& why) {
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(ran.out, "");
}

TEST(CheckCommand, CanonicalPrintsTheBytesOfRfc8785) {
    const auto ran = countersign({"check", "canonical"}, "{\"b\": [1.0, 1e21, -0], \"a\": \"\\u20ac\"}\n");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "{\"a\":\"€\",\"b\":[1,1e+21,0]}");
}

TEST(CheckCommand, CanonicalRoundsFractionsAsTheStandardDoesAndSaysSo) {
    const auto ran = countersign({"check", "canonical"}, "[333333333.33333329]");
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.out, "[333333333.3333333]");
    EXPECT_THAT(ran.err, HasSubstr("more digits"));
}

TEST(CheckCommand, CanonicalRefusesInputThatWouldLoseInformation) {
    expect_refused(countersign({"check", "canonical"}, R"({"a":1,"a":2})"), "duplicate");
    expect_refused(countersign({"check", "canonical"}, R"(["\ud800"])"), "surrogate");
    expect_refused(countersign({"check", "canonical"}, "[1e400]"), "1e400");
    expect_refused(countersign({"check", "canonical"}, "[9007199254740993]"), "9007199254740993");
    expect_refused(countersign({"check", "canonical"}, "[123456789012345678901234567890]"), "inexact");
    expect_refused(countersign({"check", "canonical"}, "{\"a\":"), "malformed");
    expect_refused(countersign({"check", "canonical"}, std::string(65, '[') + std::string(65, ']')), "too_large");
    expect_refused(countersign({"check", "canonical"}, "\"" + std::string(1024 * 1024, 'x') + "\""), "too_large");
}

std::string event(const std::string& more) {
    return R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA1",)"
           R"("approvalSource":"runtime_tool",)"
           R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"t1",)"
           R"("rawInput":{"command":"ls"},"displayArgs":{}},)" +
           more +
           R"("options":[{"optionId":"a","label":"Allow","nativeDecision":"allow_once"},)"
           R"({"optionId":"d","label":"Deny","nativeDecision":"reject_once"}]})";
}

TEST(CheckCommand, RenderPrintsTheCardAsPeopleReadIt) {
    const auto card = countersign({"check", "render", "telegram", "--text", "-"}, event(""));
    EXPECT_EQ(card.exit_code, 0) << card.err;
    EXPECT_THAT(card.out, HasSubstr("\ntool: Bash\n"));
    EXPECT_THAT(card.out, HasSubstr("\nls\n"));
    EXPECT_THAT(card.out, HasSubstr("\n[Allow] [Deny]\n"));
    EXPECT_EQ(card.out.find('{'), std::string::npos) << card.out;
}

TEST(CheckCommand, RenderShowsTheCardOfALocalAgent) {
    const auto asking = [](const std::string& command) {
        auto text = event("");
        return text.replace(text.find("\"ls\""), 4, "\"" + command + "\"");
    };
    const auto card = countersign({"check", "render", "telegram", "--text", "--agent", "ci", "--cwd", "/", "-"},
                                  asking("psql postgres://db.example/app"));
    EXPECT_THAT(card.out, HasSubstr("agent: ci"));
    EXPECT_THAT(card.out, HasSubstr("directory: /"));
    EXPECT_THAT(card.out, Not(HasSubstr("could not be read")));
    const auto script = countersign({"check", "render", "telegram", "--text", "--cwd", "/", "-"}, asking("./missing"));
    EXPECT_THAT(script.out, HasSubstr("./missing could not be read"));
}

TEST(CheckCommand, RenderShowsTheTimeLimitOfTheEvent) {
    const auto limited = countersign({"check", "render", "telegram", "-"}, event(R"("timeoutMs":600000,)"));
    EXPECT_EQ(limited.exit_code, 0) << limited.err;
    EXPECT_THAT(limited.out, HasSubstr(" UTC, in 10 min"));
    EXPECT_THAT(countersign({"check", "render", "telegram", "-"}, event("")).out, HasSubstr("no time limit"));
    EXPECT_THAT(countersign({"check", "render", "telegram", "--language", "de", "-"}, event("")).out,
                HasSubstr("ohne Frist"));
    EXPECT_NE(countersign({"check", "render", "telegram", "--language", "tlh", "-"}, event("")).exit_code, 0);
}

TEST(CheckCommand, ArgsHashSaysWhichBytesItHashed) {
    const auto canonical = countersign({"check", "args-hash", "--tool", "Bash"}, R"({"command":"ls"})");
    EXPECT_EQ(canonical.exit_code, 0);
    EXPECT_THAT(canonical.out, MatchesRegex("[0-9a-f]{64} canonical\n"));
    const auto spaced = countersign({"check", "args-hash", "--tool", "Bash"}, "{ \"command\" : \"ls\" }");
    EXPECT_EQ(spaced.out, canonical.out) << "white space is not part of a call";
    const auto other_tool = countersign({"check", "args-hash", "--tool", "Sh"}, R"({"command":"ls"})");
    EXPECT_NE(other_tool.out, canonical.out);
    for (const auto* lossy : {R"({"a":1,"a":2})", R"({"a":9007199254740993})", R"({"a":"\udc00"})", R"({"a":1e400})"}) {
        const auto raw = countersign({"check", "args-hash", "--tool", "Bash"}, lossy);
        EXPECT_EQ(raw.exit_code, 0);
        EXPECT_THAT(raw.out, MatchesRegex("[0-9a-f]{64} raw\n")) << lossy;
    }
    expect_refused(countersign({"check", "args-hash", "--tool", "Bash"}, "{"), "malformed");
}

TEST(CheckCommand, WrongUsageExitsWithTwo) {
    EXPECT_EQ(countersign({}).exit_code, 2);
    EXPECT_EQ(countersign({"frobnicate"}).exit_code, 2);
    EXPECT_THAT(countersign({"frobnicate"}).err, HasSubstr("There is no command frobnicate"));
    EXPECT_THAT(countersign({"check", "frob\x1b[2J"}).err, HasSubstr("There is no command frob\\u{1B}"));
    EXPECT_EQ(countersign({"audit", "tail", "-n", "-1"}).exit_code, 2);
    EXPECT_EQ(countersign({"check"}).exit_code, 2);
    EXPECT_EQ(countersign({"check", "args-hash"}).exit_code, 2);
    EXPECT_EQ(countersign({"check", "signature", "slack", "--timestamp", "1"}).exit_code, 2);
    EXPECT_EQ(countersign({"demo", "--answer", "maybe"}).exit_code, 2);
    EXPECT_EQ(countersign({"run", "event", "--answer", "allow", "--", "true"}).exit_code, 2)
        << "--answer is the demo's alone";
    EXPECT_EQ(countersign({"--help"}).exit_code, 0);
    EXPECT_EQ(countersign({"--version"}).exit_code, 0);
}

TEST(CheckSignature, SlacksOwnExampleIsValidAndEveryChangeIsNot) {
    const TemporaryDirectory files;
    const auto secret = files.file("secret", "8f742231b10e8888abcd99yyyzzz85a5");
    const std::string body =
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name="
        "foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2F"
        "hooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015."
        "47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const std::string signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    const auto check = [&](const std::string& signed_as, const std::string& now, const std::string& with_body) {
        return countersign({"check", "signature", "slack", "--secret-file", secret, "--timestamp", "1531420618",
                            "--signature", signed_as, "--now", now},
                           with_body);
    };
    EXPECT_EQ(check(signature, "1531420618", body).exit_code, 0);
    EXPECT_EQ(check(signature, "1531420918", body).exit_code, 0) << "300 s is fresh";
    expect_refused(check(signature, "1531420919", body), "stale");
    expect_refused(check(signature, "1531420317", body), "stale");
    expect_refused(check(signature, "1531420618", body + "x"), "bad_signature");
    expect_refused(check("v0=00", "1531420618", body), "64 lower-case hexadecimal digits");
    const auto token = files.file("token", "xoxb-1-2-FakeTokenOfTheTestsAlone");
    expect_refused(countersign({"check", "signature", "slack", "--secret-file", token, "--timestamp", "1531420618",
                                "--signature", signature, "--now", "1531420618"},
                               body),
                   "this is a token, not the signing secret");
}

TEST(CheckSignature, DiscordsZeroKeyIsRefused) {
    const std::string key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const std::string signature =
        "1695961a47c91a1ec033b819b7e87e3dbc583dd0cee6d1fd0216f58ac87b6228ae531ddbf91fb7bc28d7edf7f08604da1"
        "6f54624f38a6bc0614e4dc13cd47f0f";
    const auto check = [&](const std::string& public_key, const std::string& body) {
        return countersign({"check", "signature", "discord", "--public-key", public_key, "--timestamp", "1700000000",
                            "--signature", signature, "--now", "1700000000"},
                           body);
    };
    EXPECT_EQ(check(key, "{\"type\":1}").exit_code, 0);
    expect_refused(check(key, "{\"type\":2}"), "bad_signature");
    EXPECT_EQ(check(std::string(64, '0'), "{\"type\":1}").exit_code, 1);
    expect_refused(check(key.substr(1), "{\"type\":1}"), "64 hexadecimal digits");
    expect_refused(check("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "{\"type\":1}"),
                   "is another one");
}

TEST(CheckSignature, AChangedBodyIsExplained) {
    const TemporaryDirectory files;
    const auto check = [&](const std::string& body) {
        return countersign({"check", "signature", "discord", "--public-key",
                            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "--timestamp",
                            "1700000000", "--signature",
                            "1695961a47c91a1ec033b819b7e87e3dbc583dd0cee6d1fd0216f58ac87b6228"
                            "ae531ddbf91fb7bc28d7edf7f08604da16f54624f38a6bc0614e4dc13cd47f0f",
                            "--now", "1700000000", "--body", files.file("body", body)});
    };
    EXPECT_EQ(check("{\"type\":1}").exit_code, 0);
    expect_refused(check("{\"type\":1}\n"), "without the line break");
    expect_refused(check("{\n  \"type\": 1\n}"), "as compact JSON");
    expect_refused(check("{\"type\":2}"), "byte for byte");
}

TEST(CheckSignature, TelegramTwilioAndMetaExamplesAreValid) {
    const TemporaryDirectory files;
    const auto telegram = files.file("telegram", "a-secret-token_1234\n");
    EXPECT_EQ(
        countersign({"check", "signature", "telegram", "--secret-file", telegram, "--header", "a-secret-token_1234"})
            .exit_code,
        0);
    expect_refused(
        countersign({"check", "signature", "telegram", "--secret-file", telegram, "--header", "a-secret-token_123"}),
        "bad_signature");
    const auto twilio = files.file("twilio", "12345");
    const std::vector<std::string> twilio_check{"check",
                                                "signature",
                                                "twilio",
                                                "--secret-file",
                                                twilio,
                                                "--url",
                                                "https://mycompany.com/myapp.php?foo=1&bar=2",
                                                "--signature",
                                                "RSOYDt4T1cUTdK1PDd93/VVr8B8="};
    EXPECT_EQ(
        countersign(twilio_check,
                    "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212")
            .exit_code,
        0);
    expect_refused(countersign(twilio_check, "CallSid=CA1234567890ABCDE"), "bad_signature");
    const auto meta = files.file("meta", "It's a Secret to Everybody");
    EXPECT_EQ(countersign({"check", "signature", "meta", "--secret-file", meta, "--signature",
                           "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
                          "Hello, World!")
                  .exit_code,
              0);
}

TEST(CheckSignature, I2_ASecretThatOthersCanReadIsRefusedWithAHint) {
    const TemporaryDirectory files;
    const auto open_to_all = files.file("secret", "a-secret-token_1234", 0644);
    expect_refused(countersign({"check", "signature", "telegram", "--secret-file", open_to_all, "--header", "x"}),
                   "chmod 600");
    const auto empty = files.file("empty", "");
    expect_refused(countersign({"check", "signature", "telegram", "--secret-file", empty, "--header", ""}), "empty");
}

TEST(CheckCommand, RedactAndDisplayShowTheTextThatPeopleWouldSee) {
    const std::string token = std::string{"ghp_"} + "0123456789abcdefghijABCDEFGHIJ012345";
    const auto redacted =
        countersign({"check", "redact"}, "curl -H 'Authorization: Bearer " + token + "' https://x.example/");
    EXPECT_EQ(redacted.exit_code, 0);
    EXPECT_THAT(redacted.out, testing::Not(HasSubstr(token)));
    EXPECT_THAT(redacted.out, HasSubstr("«redacted:"));
    const auto displayed = countersign({"check", "display"}, "a\u202Eb\x1b[2J");
    EXPECT_EQ(displayed.exit_code, 0);
    EXPECT_EQ(displayed.out, "a\\u{202E}b\\u{1B}[2J");
}

TEST(CheckCommand, EventNamesTheFieldThatBreaksALimit) {
    const TemporaryDirectory files;
    const auto event = [&](const std::string& label) {
        return files.file("event.json",
                          R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAAA","approvalSource":)"
                          R"("runtime_tool","subject":{"kind":"tool_use","toolName":"Bash","toolId":"t","rawInput":)"
                          R"({"command":"ls"},"displayArgs":{}},"options":[{"optionId":"a","label":")" +
                              label + R"(","nativeDecision":"allow"}]})" + "\n");
    };
    const auto holds = countersign({"check", "event", event("Allow")});
    EXPECT_EQ(holds.exit_code, 0) << holds.err;
    EXPECT_THAT(holds.out, StartsWith("holds: 01HZX"));
    EXPECT_THAT(holds.out, HasSubstr("\n  option a \"Allow\": allow, once\n"));
    EXPECT_EQ(countersign({"check", "event", event(std::string(20, 'x'))}).exit_code, 0);
    expect_refused(countersign({"check", "event", event(std::string(21, 'x'))}), "options[0].label");
    expect_refused(countersign({"check", "event", files.path() + "/missing"}), "missing");
}

TEST(CheckCommand, ConfigPrintsFileLineKeyAndASuggestion) {
    const TemporaryDirectory files;
    const auto good = files.file("good.toml", "[people.alice]\nterminal = 1000\nroles = [\"approve\"]\n"
                                              "[channels.desk]\nkind = \"terminal\"\n"
                                              "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n");
    const auto holds = countersign({"check", "config", good});
    EXPECT_EQ(holds.exit_code, 0) << holds.err;
    const auto bad = files.file("bad.toml", "[people.alice]\nterminal = 1000\nroles = [\"approve\"]\n"
                                            "[channels.desk]\nkind = \"terminal\"\n"
                                            "[[routes]]\nask = [{ channel = \"desk\" }]\ndecider = [\"alice\"]\n");
    const auto refused = countersign({"check", "config", bad});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr(bad + ":8:"));
    EXPECT_THAT(refused.err, HasSubstr("deciders"));
}

}  // namespace
}  // namespace countersign
