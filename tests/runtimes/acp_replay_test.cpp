// SPDX-License-Identifier: Apache-2.0
// Recorded sessions of real ACP agents, replayed through the adapter and the hub: the agent's side word for word, and
// in place of the recorded client ours, which decides as that one did. A golden file for each recording has what people
// would have seen and what we sent. COUNTERSIGN_UPDATE_GOLDEN=1 rewrites them, so that a person can review the change.
#include "runtimes/acp/adapter.hpp"
#include "tests/fakes/message_pipe.hpp"
#include "tests/fakes/world.hpp"
#include "tests/runtimes/acp_sample.hpp"

#include <boost/asio/detached.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace countersign::runtimes::acp {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

const fs::path data = fs::path{COUNTERSIGN_SOURCE_DIR} / "tests/runtimes/data/acp";

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

Configuration native_configuration() {
    auto configuration = fakes::small_configuration();
    configuration.always["acp"] = AlwaysMode::native;
    return configuration;
}

class Replay {
public:
    Replay() {
        auto [stream, server] = fakes::MessagePipe::pair(world_.io.get_executor());
        agent_ = std::move(server);
        stream_ = std::move(stream);
    }
    ~Replay() {
        agent_->close();
        world_.settle();
        EXPECT_TRUE(ended_ || adapter_ == nullptr);
    }
    [[nodiscard]] std::string told() const { return out_.str(); }

    // A message of the recorded client.
    void out(const json::Object& message) {
        const auto method = text_of(message, "method");
        if (message.find("method") != nullptr) {
            if (message.find("id") != nullptr) recorded_calls_[json::canonical(*message.find("id"))] = method;
            if (method == "initialize") start();
            if (method == "session/prompt") prompt(*find_object(message, "params"));
            if (method == "session/cancel")
                asio::co_spawn(world_.io, adapter_->interrupt({}, "as recorded"), asio::detached);
            world_.settle();
            tell_sent();
        } else {
            answer(json::canonical(*message.find("id")), message);
        }
    }
    // A message of the agent.
    void in(const std::string& line, const json::Object& message) {
        if (message.find("method") != nullptr) return deliver(line, message);
        const auto ours = our_calls_.find(recorded_calls_[json::canonical(*message.find("id"))]);
        if (ours == our_calls_.end()) return;  // ours had no reason to call this
        agent_->push(with_id(line, message, ours->second));
        world_.settle();
        tell_sent();
    }

private:
    void start() {
        Adapter::Options options;
        options.agent_id = "dev";
        options.session_key = "before";
        options.version = "0";
        options.cwd = "/w";
        options.rules = [] { return Rules{}; };
        options.always = [] { return AlwaysMode::native; };
        options.end = [this] { out_ << "the agent's input ends\n"; };
        options.message = [this](const std::string& text) { out_ << "says: " << text << "\n"; };
        options.turn_ended = [this](const TurnEnd& end) {
            out_ << "turn ends: " << end.why << (end.failed ? " (failed)" : "") << "\n";
        };
        options.unasked = [this](const UnaskedCall& call) {
            out_ << "not asked: " << call.tool_name << " " << call.summary << (call.failed ? " (failed)" : "") << "\n";
        };
        options.refused = [this](const Error& why) { out_ << "refused: " << describe(why) << "\n"; };
        adapter_ = std::make_unique<Adapter>(std::move(options), std::move(stream_), world_.io.get_executor(),
                                             world_.hub.asking(), world_.ids, redactor_);
        asio::co_spawn(world_.io, adapter_->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            ended_ = true;
        });
    }
    void prompt(const json::Object& params) {
        const auto text = text_of(*find_array(params, "prompt")->front().object(), "text");
        asio::co_spawn(world_.io, adapter_->say(text), asio::detached);
    }

    static std::string with_id(std::string line, const json::Object& message, const std::string& id) {
        const auto span = message.find("id")->span();
        return line.replace(span.begin, span.end - span.begin, id);
    }

    void deliver(const std::string& line, const json::Object& message) {
        const auto before = world_.ops.presented.size();
        const auto concluded = world_.ops.concluded.size();
        agent_->push(line);
        world_.settle();
        for (auto i = before; i < world_.ops.presented.size(); ++i) {
            tell_shown(world_.ops.presented[i]);
            if (const auto* id = message.find("id")) shown_.emplace(json::canonical(*id), i);
        }
        for (auto i = concluded; i < world_.ops.concluded.size(); ++i)
            out_ << "the card says: " << name(world_.ops.concluded[i].outcome) << "\n";
        tell_sent();
    }
    void tell_shown(const Presentation& presentation) {
        const auto& request = *presentation.request;
        out_ << "asks, risk " << name(request.judgement.risk.level) << " (" << request.judgement.risk.rule
             << "), argsHash " << request.args_hash.hex << "\n"
             << shown_text(request);
        const auto* approval = request.approval();
        if (approval == nullptr) return;
        for (const auto& option : approval->options) {
            out_ << "  [" << option.option_id << "] " << option.label << ": " << name(option.effect) << ", "
                 << name(option.scope) << (option.exact_call ? "" : ", more than this call")
                 << (option.detail.empty() ? "" : "; ") << option.detail << "\n";
        }
    }
    std::vector<std::string> sent_now() {
        std::vector<std::string> lines;
        for (const auto& message : std::exchange(agent_->arrived(), {})) lines.push_back(*message);
        return lines;
    }
    void tell_sent() {
        for (const auto& message : sent_now()) {
            const auto read = json::read(message);
            ASSERT_TRUE(read) << message;
            const auto& object = *read->value.object();
            const auto method = text_of(object, "method");
            if (!method.empty() && object.find("id") != nullptr) {
                our_calls_[method] = json::canonical(*object.find("id"));
            }
            out_ << "sends: " << message << "\n";
        }
    }

    // In the order of the form.
    static std::vector<Answer> answers_in(const json::Object& result) {
        std::vector<Answer> answers;
        for (const auto& [name, value] : object_in(result, "content").members()) {
            Answer one{.question_id = "q" + std::to_string(answers.size()), .choices = {}, .text = {}};
            if (value.array() != nullptr) {
                for (const auto& element : *value.array()) one.choices.push_back(*element.string());
            } else if (answers.empty() && *value.string() != "Blue") {
                one.text = *value.string();
            } else {
                one.choices = {*value.string()};
            }
            answers.push_back(std::move(one));
        }
        return answers;
    }
    // Clicks what the recorded client sent; a cancel is a deny here.
    void answer(const std::string& native_id, const json::Object& message) {
        const auto found = shown_.find(native_id);
        const auto* result = find_object(message, "result");
        if (found == shown_.end() || result == nullptr) {
            out_ << "recorded answer to something that no person was asked: nothing is sent\n";
            return;
        }
        const auto& request = *world_.ops.presented[found->second].request;
        auto attempt = world_.submit(request.id, {});
        if (request.approval() != nullptr) {
            const auto chosen = text_of(object_in(*result, "outcome"), "optionId");
            const auto* refusal = refusal_of(request.approval()->options);
            attempt = world_.click(request.id, chosen.empty() ? refusal->option_id : chosen);
        } else {
            attempt = world_.submit(request.id, answers_in(*result));
        }
        const auto decided = world_.decide(std::move(attempt));
        world_.settle();
        if (!decided) {
            out_ << "too late: " << name(decided.error().code) << "\n";
            return;
        }
        const auto sent = sent_now();
        ASSERT_EQ(sent.size(), 1U);
        const auto ours = json::read(sent.front());
        ASSERT_TRUE(ours);
        out_ << "sends: " << sent.front() << "\n";
        const auto& body = *find_object(*ours->value.object(), "result");
        EXPECT_EQ(json::canonical(*ours->value.object()->find("id")), native_id);
        const bool same = json::canonical(json::Value{body}) == json::canonical(json::Value{*result});
        out_ << (same ? "  which is what was recorded\n"
                      : "  recorded: " + json::canonical(json::Value{*result}) + "\n");
    }

    fakes::World world_{native_configuration()};
    security::CurrentRedactor redactor_{test_key(), {}};
    std::unique_ptr<fakes::MessagePipe> stream_;
    std::unique_ptr<fakes::MessagePipe> agent_;
    std::unique_ptr<Adapter> adapter_;
    std::map<std::string, std::string> recorded_calls_;  // the method of each id of the recorded client
    std::map<std::string, std::string> our_calls_;       // our id of each method
    std::map<std::string, std::size_t> shown_;           // the card of each native id
    std::ostringstream out_;
    bool ended_ = false;
};

class AcpReplay : public testing::TestWithParam<std::string> {};

TEST_P(AcpReplay, ARecordedSessionIsShownAndAnsweredAsItsGoldenFileSays) {
    std::ifstream recording{data / (GetParam() + ".jsonl")};
    Replay replay;
    for (std::string line; std::getline(recording, line);) {
        const auto read = json::read(line);
        ASSERT_TRUE(read) << describe(read.error());
        const auto& entry = *read->value.object();
        const auto text = std::string{bytes_of(line, *entry.find("msg"))};
        const auto message = json::read(text);
        ASSERT_TRUE(message && message->value.object() != nullptr) << text;
        if (text_of(entry, "dir") == "in") replay.in(text, *message->value.object());
        if (text_of(entry, "dir") == "out") replay.out(*message->value.object());
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
INSTANTIATE_TEST_SUITE_P(Recordings, AcpReplay, testing::ValuesIn(recordings()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace countersign::runtimes::acp
