// SPDX-License-Identifier: Apache-2.0
// Recorded sessions of the real CLI, passed through translate and, with the recorded answers, back through resolution.
// A golden file for each recording has what people would have seen and what we would have sent.
// COUNTERSIGN_UPDATE_GOLDEN=1 rewrites them, so that a person can review the change.
#include "runtimes/claude/outgoing.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace countersign::runtimes::claude {
namespace {

namespace fs = std::filesystem;

const fs::path data = fs::path{COUNTERSIGN_SOURCE_DIR} / "tests/runtimes/data/claude";

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

// One recorded session in our own terms.
class Replay {
public:
    std::string told() const { return out_.str(); }

    void in(const std::string& line) {
        const auto message = read_message(line);
        if (const auto* call = std::get_if<CanUseTool>(&message)) {
            ask(*call);
        } else if (const auto* started = std::get_if<Started>(&message)) {
            session_ = started->session_id;
            cwd_ = started->cwd;
            out_ << "session starts in " << cwd_ << "\n";
        } else if (const auto* said = std::get_if<Said>(&message)) {
            if (!said->text.empty()) out_ << "says: " << said->text << "\n";
            for (const auto& wish : said->calls) out_ << "wants " << wish.tool_name << "\n";
        } else if (const auto* results = std::get_if<ToolResults>(&message)) {
            for (const auto& result : results->results)
                out_ << (result.end == ToolResult::End::done ? "call ended\n" : "call failed\n");
        } else if (const auto* withdrawn = std::get_if<Withdrawn>(&message)) {
            out_ << "withdraws " << (open_.erase(withdrawn->native_id) == 1 ? "the call\n" : "nothing that is open\n");
        } else if (const auto* other = std::get_if<OtherRequest>(&message)) {
            out_ << "asks for " << other->subtype << ", which nobody is shown\n";
        } else if (const auto* end = std::get_if<TurnEnd>(&message)) {
            out_ << "turn ends: " << end->subtype << "\n";
        } else if (const auto* answered = std::get_if<Answered>(&message)) {
            out_ << "our request is answered" << (answered->error.empty() ? "" : ": ") << answered->error << "\n";
        } else if (const auto* bad = std::get_if<Unreadable>(&message)) {
            out_ << "unreadable: " << describe(bad->why) << "\n";
        }
    }

    // A message that the recording's own bridge sent.
    void out(const json::Object& message) {
        if (text_of(message, "type") != "control_response") return;
        const auto* response = find_object(message, "response");
        const auto native_id = json::canonical(*response->find("request_id"));
        const auto found = open_.find(native_id);
        if (found == open_.end()) {
            out_ << "recorded answer to something that is not open: nothing is sent\n";
            return;
        }
        const auto call = std::move(found->second);
        open_.erase(found);
        const auto& body = *find_object(*response, "response");
        const auto line = resolution(call.raw, recorded_verdict(call, body));
        ASSERT_TRUE(line) << describe(line.error());
        const auto ours = json::read(*line);
        ASSERT_TRUE(ours) << *line;
        out_ << "sends: " << *line << "\n";
        if (json::canonical(ours->value) == json::canonical(json::Value{message})) {
            out_ << "  which is what was recorded\n";
        } else {
            const auto why =
                difference(*find_object(*find_object(*ours->value.object(), "response"), "response"), body);
            EXPECT_NE(why, "") << *line;
            out_ << "  recorded: " << json::canonical(json::Value{body}) << "\n  differs: " << why << "\n";
        }
    }

private:
    void ask(const CanUseTool& call) {
        const Rules rules;
        const auto translated = translate(call, {.id = ids_.next(),
                                                 .agent_id = "dev",
                                                 .session_key = session_,
                                                 .requester = {},
                                                 .cwd = cwd_,
                                                 .always = AlwaysMode::native,
                                                 .rules = rules,
                                                 .redactor = test_redactor()});
        ASSERT_TRUE(translated) << describe(translated.error());
        const auto& request = translated->request;
        out_ << "asks, risk " << name(request.judgement.risk.level) << " (" << request.judgement.risk.rule
             << "), argsHash " << request.args_hash.hex << "\n"
             << shown_text(request);
        if (const auto* approval = request.approval()) {
            for (const auto& option : approval->options) {
                out_ << "  [" << option.option_id << "] " << option.label << ": " << name(option.effect) << ", "
                     << name(option.scope) << (option.exact_call ? "" : ", more than this call")
                     << (option.detail.empty() ? "" : "; ") << option.detail << "\n";
            }
        }
        open_.emplace(call.native_id, *translated);
    }

    static Verdict recorded_verdict(const Translated& call, const json::Object& body) {
        if (text_of(body, "behavior") == "deny") {
            return verdict(call, Outcome::denied, "deny", text_of(body, "message"));
        }
        if (call.raw.questions.empty()) return verdict(call, Outcome::allowed, suggested(call, body));
        auto decided = verdict(call, Outcome::answered);
        const auto* answers = find_object(*find_object(body, "updatedInput"), "answers");
        for (const auto& question : call.raw.questions) {
            Answer given{.question_id = question.question_id, .choices = {}, .text = {}};
            std::istringstream parts{text_of(*answers, question.text)};
            for (std::string part; std::getline(parts >> std::ws, part, ',');) given.choices.push_back(part);
            decided.answers.push_back(std::move(given));
        }
        return decided;
    }

    // The option whose suggestion was sent along, or plain allow if there is none.
    static std::string suggested(const Translated& call, const json::Object& body) {
        const auto* permissions = find_array(body, "updatedPermissions");
        for (const auto& option : call.raw.options) {
            if (permissions == nullptr || option.permission.empty()) continue;
            if (json::canonical(json::read(option.permission)->value) == json::canonical(permissions->front())) {
                return option.option_id;
            }
        }
        return "allow";
    }

    static std::string difference(const json::Object& ours, const json::Object& recorded) {
        if (text_of(ours, "behavior") != text_of(recorded, "behavior")) return {};
        if (truth_of(recorded, "interrupt")) return "a deny of ours does not end the turn";
        if (text_of(ours, "behavior") == "deny") return "our words stand before the person's";
        if (recorded.find("updatedPermissions") != nullptr) return "the CLI did not suggest this permission";
        return "an edited input was shown to nobody";
    }

    fakes::FakeIds ids_;
    std::string session_;
    std::string cwd_;
    std::map<std::string, Translated> open_;
    std::ostringstream out_;
};

class ClaudeReplay : public testing::TestWithParam<std::string> {};

TEST_P(ClaudeReplay, ARecordedSessionIsShownAndAnsweredAsItsGoldenFileSays) {
    std::ifstream recording{data / (GetParam() + ".jsonl")};
    Replay replay;
    for (std::string line; std::getline(recording, line);) {
        const auto read = json::read(line);
        ASSERT_TRUE(read) << describe(read.error());
        const auto& entry = *read->value.object();
        const auto& message = *entry.find("msg");
        const auto direction = text_of(entry, "dir");
        if (direction == "in") replay.in(std::string{bytes_of(line, message)});
        if (direction == "out" && message.object() != nullptr) replay.out(*message.object());
    }
    const auto golden = data / (GetParam() + ".golden.txt");
    if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) std::ofstream{golden, std::ios::binary} << replay.told();
    EXPECT_EQ(replay.told(), contents(golden));
    EXPECT_NE(replay.told(), "");
}

std::vector<std::string> recordings() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{data}) {
        if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}
INSTANTIATE_TEST_SUITE_P(Recordings, ClaudeReplay, testing::ValuesIn(recordings()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace countersign::runtimes::claude
