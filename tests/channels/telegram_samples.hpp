// SPDX-License-Identifier: Apache-2.0
// Requests, ends and golden files for the tests of Telegram's cards.
#pragma once

#include "channels/telegram/render.hpp"
#include "core/utf8.hpp"
#include "tests/channels/telegram_fakes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace countersign::channels::telegram::samples {

using namespace std::chrono_literals;
using fakes::Json;

inline const WallTime now{1'763'258'400'000ms};
inline const MessageTarget spot{.channel = "ops", .chat = "-100", .target = "-100"};

class TelegramRender : public ::testing::Test {
protected:
    fakes::TestKeys keys;
    TelegramRenderer renderer{{keys.tokens, keys.codes}};
};

inline Json body(const Call& call) { return Json::parse(std::get<std::string>(call.body)); }

inline void expect_golden(const std::vector<Call>& calls, const std::string& name) {
    const auto path = std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/channels/golden/" + name + ".json";
    Json text = Json::array();
    for (const auto& call : calls) {
        Json made{{"method", call.path}};
        if (const auto* form = std::get_if<Form>(&call.body)) {
            for (const auto& part : *form) made["form"][part.name] = part.data;
        } else {
            made["body"] = body(call);
        }
        text.push_back(made);
    }
    const auto printed = text.dump(2) + "\n";
    if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) std::ofstream{path, std::ios::binary} << printed;
    std::ifstream file{path, std::ios::binary};
    ASSERT_TRUE(file) << path;
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(printed, expected.str()) << name;
}

inline Ulid id_of(std::uint8_t number) {
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, number}};
}

inline Request approval() {
    Request request;
    request.id = id_of(1);
    request.agent_id = "builder";
    request.runtime = "claude";
    request.session_key = "s-7";
    request.cwd = "/srv/app";
    request.judgement.risk = {.level = RiskLevel::high, .rule = "removes-files"};
    request.body = Approval{
        .subject = ToolUse{.tool_name = "Bash", .tool_id = "t1"},
        .display_text = "rm -rf build\nmake all",
        .diff = "",
        .untrusted_reason = "I need a clean build.",
        .options = {
            {.option_id = "allow", .label = "Allow once", .detail = "runs this call", .effect = Effect::allow},
            {.option_id = "deny", .label = "Deny", .effect = Effect::deny},
            {.option_id = "session",
             .label = "This call, session",
             .effect = Effect::allow,
             .scope = Scope::session,
             .grants = true}}};
    return request;
}

inline Request questions() {
    auto request = approval();
    request.id = id_of(2);
    Question notes{.question_id = "Notes", .text = "Anything else?", .choices = {}, .free_text = true};
    notes.required = false;
    request.body = Questionnaire{
        {{.question_id = "Stack",
          .text = "Pick a framework",
          .choices = {{"React", "the usual"}, {"Vue", ""}},
          .free_text = true},
         {.question_id = "Targets", .text = "Which targets?", .choices = {{"web", ""}, {"ios", ""}}, .multiple = true},
         notes}};
    return request;
}

inline Presentation presentation(Request request) {
    Presentation made;
    made.id = 1;
    if (const auto* body = request.approval()) made.offered = body->options;
    made.request = std::make_shared<const Request>(std::move(request));
    made.to.chat = "-100";
    return made;
}

inline Presentation edit() {
    auto request = approval();
    request.requester = "alice";
    request.judgement.risk = {.level = RiskLevel::medium, .rule = "edits-files"};
    auto& body = std::get<Approval>(request.body);
    body.subject = ToolUse{.tool_name = "Edit", .tool_id = "t2"};
    body.display_text = "/srv/app/設定.toml";
    body.diff = "--- a/設定.toml\n+++ b/設定.toml\n@@ -1 +1 @@\n-port = 80\n+port = 8080 🎉";
    body.untrusted_reason = "";
    auto made = presentation(std::move(request));
    made.state.required = 2;
    made.expires = now + 29min + 5s;
    return made;
}

inline Conclusion denied() {
    Conclusion made;
    made.request_id = id_of(1);
    made.outcome = Outcome::denied;
    made.decided_by = "alice";
    made.channel = "ops-slack";
    made.option_label = "Deny";
    made.reason = "not on a Friday";
    made.forwarded = true;
    made.at = now + 12s;
    made.took = 12'300ms;
    made.seq = 42;
    made.root = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";
    made.size = 44;
    return made;
}

inline std::u16string utf16(std::string_view text) {
    std::u16string units;
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        if (!next) {
            ADD_FAILURE() << "not UTF-8";
            break;
        }
        if (next->value > 0xFFFF) {
            units += static_cast<char16_t>(0xD800 + ((next->value - 0x10000) >> 10U));
            units += static_cast<char16_t>(0xDC00 + ((next->value - 0x10000) & 0x3FFU));
        } else {
            units += static_cast<char16_t>(next->value);
        }
        text.remove_prefix(next->length);
    }
    return units;
}

// What a person's app makes of it: the pieces under each entity, cut out of UTF-16 as Telegram does.
inline std::vector<std::pair<std::string, std::u16string>> pieces(const Json& message) {
    std::vector<std::pair<std::string, std::u16string>> found;
    const auto units = utf16(message["text"].get<std::string>());
    if (!message.contains("entities")) return found;
    for (const auto& entity : message["entities"]) {
        const auto offset = entity["offset"].get<std::size_t>();
        const auto length = entity["length"].get<std::size_t>();
        EXPECT_LE(offset + length, units.size());
        found.emplace_back(entity["type"], units.substr(offset, length));
    }
    return found;
}

inline bool has_piece(const Json& message, const std::string& type, std::string_view text) {
    const auto all = pieces(message);
    return std::ranges::find(all, std::pair{type, utf16(text)}) != all.end();
}

}  // namespace countersign::channels::telegram::samples
