// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <vector>

namespace countersign::security {
namespace {

json::Value read(std::string_view text) {
    auto document = json::read(text);
    EXPECT_TRUE(document) << text;
    return document ? document->value : json::Value{};
}

std::string redacted(std::string_view text) { return json::canonical(redactor().value(read(text))); }

void expect_json_hidden(std::string_view text, std::string_view secret) {
    ASSERT_TRUE(contains(text, secret)) << text;
    const auto once = redactor().value(read(text));
    EXPECT_FALSE(contains(json::canonical(once), secret)) << json::canonical(once);
    EXPECT_EQ(redactor().value(once), once) << json::canonical(once);
}

TEST(RedactorJson, I6_EverythingBelowASecretMemberIsMasked) {
    for (const std::string_view text : {
             R"({"password":"hunter2"})",
             R"({"Passwd":"hunter2"})",
             R"({"API-Key":"hunter2"})",
             R"({"apiKey":"hunter2"})",
             R"({"x":{"client_secret":"hunter2"}})",
             R"({"authorization":"Bearer hunter2"})",
             R"({"Cookie":"hunter2"})",
             R"({"privateKey":["a","hunter2"]})",
             R"({"credentials":{"user":"bob","pw":"hunter2"}})",
             R"({"secrets":[{"a":{"b":["hunter2"]}}]})",
             R"({"access_token":"hunter2"})",
             R"({"refreshTokens":["hunter2"]})",
             R"([{"name":"DB_PASSWORD","value":"hunter2"}])",
             R"({"key":"X-Api-Key","value":"hunter2"})",
             R"([["Authorization","Bearer hunter2"]])",
             R"({"headers":{"X-Auth-Token":"hunter2"}})",
             R"({"env":{"GITHUB_TOKEN":"hunter2","HOME":"/root"}})",
             R"({"passphrase":"correct horse hunter2"})",
         }) {
        expect_json_hidden(text, "hunter2");
    }
    expect_json_hidden(R"({"password":12345678})", "12345678");
    expect_json_hidden(R"({"otp":123456})", "123456");
    EXPECT_EQ(redacted(R"({"password":null,"secret":true,"token":"","apiKey":"${API_KEY}"})"),
              R"({"apiKey":"${API_KEY}","password":null,"secret":true,"token":""})");
}

TEST(RedactorJson, I6_AnArgumentListIsReadAsACommandLine) {
    for (const std::string_view text : {
             R"(["curl","-H","Authorization: Bearer hunter2","https://example.com"])",
             R"(["tool","--password","hunter2"])",
             R"(["tool","--password","hunter2 with words"])",
             R"(["tool","--password=hunter2"])",
             R"(["mysql","-phunter2","app"])",
             R"(["curl","-u","bob:hunter2","https://example.com"])",
             R"(["docker","login","-u","bob","-p","hunter2"])",
             R"(["sshpass","-p","hunter2","ssh","host"])",
             R"(["bash","-lc","export TOKEN=hunter2; make"])",
             R"(["env","API_KEY=hunter2","make"])",
             R"({"argv":["docker","run","-e","DB_PASSWORD=my hunter2","x"]})",
             R"(["vault","login","s.hunter2hunter2"])",
             R"(["aws","configure","set","aws_secret_access_key","hunter2"])",
             R"(["curl","-H","Cookie: a=1; b=hunter2","https://example.com"])",
             R"(["rabbitmqctl","add_user","bob","hunter2"])",
             R"(["htpasswd","-bc",".htpasswd","bob","hunter2"])",
         }) {
        expect_json_hidden(text, "hunter2");
    }
}

TEST(RedactorJson, TheOtherWordsOfAnArgumentListAreUnchanged) {
    const auto text = redacted(R"(["tool","--password","hunter2","--host","db"])");
    EXPECT_TRUE(text.starts_with(R"(["tool","--password","«redacted:password:)")) << text;
    EXPECT_TRUE(text.ends_with(R"(»","--host","db"])")) << text;
    for (const std::string_view same :
         {R"(["docker","run","-p","8080:80","nginx"])", R"(["grep","-r","token","src/"])",
          R"(["git","log","--oneline"])", R"(["username","password","token"])",
          R"({"command":"ls -la","description":"List files","timeout":120000})", R"({"max_tokens":4096,"tokens":12})",
          R"({"file_path":"/etc/passwd","limit":10})", R"({"auth":{"type":"basic"},"sessionKey":"abc"})"}) {
        EXPECT_EQ(redactor().value(read(same)), read(same)) << same;
    }
}

TEST(RedactorJson, I6_EveryOtherStringAndEveryNameIsReadAsText) {
    const auto token = "ghp_" + body(36);
    const auto hidden = token.substr(8);
    expect_json_hidden(R"({"command":"git clone https://x:)" + token + R"(@github.com/x"})", hidden);
    expect_json_hidden(R"({")" + token + R"(":1})", hidden);
    expect_json_hidden(R"(["only )" + token + R"("])", hidden);
    expect_json_hidden(R"({"a":[1,"x )" + token + R"("]})", hidden);
    expect_json_hidden(R"({"arguments":"{\"password\":\"hunter2\"}"})", "hunter2");
    EXPECT_FALSE(contains(redacted(R"({"command":"x gh\u200bp_)" + body(36) + R"("})"), body(36)));
}

TEST(RedactorJson, I13_AStringOrArgumentListOverTheBoundIsWithheld) {
    const std::string fits(limits::redact_bytes_max, 'a');
    const auto same = redactor().value(json::Value{json::Object{{"x", fits}}});
    EXPECT_EQ(*same.object()->find("x")->string(), fits);
    const auto over = redactor().value(json::Value{json::Object{{"x", fits + "a"}, {"password", fits + "a"}}});
    EXPECT_TRUE(over.object()->find("x")->string()->starts_with("«withheld: 262145 bytes, sha256 "));
    EXPECT_TRUE(over.object()->find("password")->string()->starts_with("«withheld: "));
    const auto list = redactor().value(json::Value{json::Array{fits, "x"}});
    ASSERT_NE(list.string(), nullptr);
    EXPECT_TRUE(list.string()->starts_with("«withheld: "));
}

TEST(RedactorJson, I13_ValuesBelowTheMaximumDepthAreMasked) {
    json::Value value{"hunter2"};
    for (std::size_t depth = 0; depth < limits::json_depth_max; ++depth) value = json::Value{json::Array{value}};
    EXPECT_TRUE(contains(json::canonical(redactor().value(value)), "hunter2"));
    value = json::Value{json::Array{value}};
    EXPECT_FALSE(contains(json::canonical(redactor().value(value)), "hunter2"));
}

}  // namespace
}  // namespace countersign::security
