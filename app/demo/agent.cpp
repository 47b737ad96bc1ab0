// SPDX-License-Identifier: Apache-2.0
#include "app/demo/agent.hpp"

#include "app/system_clock.hpp"
#include "app/system_ids.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

namespace countersign::app::demo {
namespace {

namespace fs = std::filesystem;

using json::Array;
using json::Object;
using json::Value;

void send(Object message) { std::cout << json::canonical(Value{std::move(message)}) << std::endl; }

void tell(std::string text) { send({{"type", "message"}, {"text", std::move(text)}}); }

// The answer to one request.
struct Answer {
    std::string outcome;
    std::string native_decision;
    std::string reason;
    std::vector<std::string> chosen;
    std::string text;
    [[nodiscard]] bool allowed() const { return outcome == "allowed"; }
};

const Object* first_entry(const Object& message, std::string_view list, const std::string& id) {
    const auto& array = array_in(message, list);
    const auto* entry = array.empty() ? nullptr : array.front().object();
    return entry != nullptr && text_of(*entry, "approvalId") == id ? entry : nullptr;
}

void read_choices(const Object& entry, Answer& answer) {
    const auto* answers = entry.find("answers");
    if (answers == nullptr || answers->array() == nullptr || answers->array()->empty()) return;
    const auto* first = answers->array()->front().object();
    if (first == nullptr) return;
    answer.text = text_of(*first, "text");
    const auto* choices = first->find("choices");
    if (choices == nullptr || choices->array() == nullptr) return;
    for (const auto& choice : *choices->array()) {
        if (choice.string() != nullptr) answer.chosen.push_back(*choice.string());
    }
}

// Waits for the answer to this request; empty if the bridge is gone. Only a clear allow is treated as one.
std::optional<Answer> wait_for(const std::string& id) {
    for (std::string line; std::getline(std::cin, line);) {
        const auto document = json::read(line);
        const auto* message = document ? document->value.object() : nullptr;
        if (message == nullptr) continue;
        if (const auto* refused = first_entry(*message, "refusedEvents", id)) {
            return Answer{.outcome = "refused", .reason = text_of(*refused, "error")};
        }
        const auto* entry = first_entry(*message, "resolvedApprovals", id);
        if (entry == nullptr) entry = first_entry(*message, "resolvedQuestions", id);
        if (entry == nullptr) continue;
        Answer answer{.outcome = text_of(*entry, "outcome"),
                      .native_decision = text_of(*entry, "nativeDecision"),
                      .reason = text_of(*entry, "reason")};
        read_choices(*entry, answer);
        return answer;
    }
    return std::nullopt;
}

Array usual_options() {
    const auto option = [](const char* id, const char* label, const char* native, const char* role) {
        return Value{Object{{"optionId", id}, {"label", label}, {"nativeDecision", native}, {"role", role}}};
    };
    return {option("allow", "Allow once", "allow_once", "primary"),
            option("session", "Allow this session", "allow_session", "secondary"),
            option("deny", "Deny", "reject_once", "destructive")};
}

class Agent {
public:
    explicit Agent(std::string directory) : directory_{std::move(directory)} {}

    // Runs the script once. False if the bridge is gone.
    bool work() { return list() && clean() && edit() && deploy() && question(); }

private:
    std::optional<Answer> ask(const std::string& tool, Object input, const std::string& why) {
        const auto id = ids_.next().str();
        send({{"type", "approval_request"},
              {"approvalId", id},
              {"approvalSource", "runtime_tool"},
              {"subject", Object{{"kind", "tool_use"},
                                 {"toolName", tool},
                                 {"toolId", "demo-" + std::to_string(++calls_)},
                                 {"rawInput", std::move(input)},
                                 {"displayArgs", Object{}}}},
              {"options", usual_options()},
              {"untrustedReason", why}});
        return wait_for(id);
    }

    // Says what happened to a call, in the same words each time.
    static void report(const Answer& answer, const std::string& call, const std::string& done) {
        if (answer.allowed()) return tell("ran " + call + ": " + done);
        tell("did not run " + call + " (" + answer.outcome + (answer.reason.empty() ? "" : ": " + answer.reason) + ")");
    }

    bool list() {
        const auto answer = ask("Bash", {{"command", "ls"}}, "I want to see what is here.");
        if (!answer) return false;
        std::vector<std::string> names;
        if (answer->allowed()) {
            for (const auto& entry : fs::directory_iterator{directory_})
                names.push_back(entry.path().filename().string());
            std::ranges::sort(names);
        }
        std::string found;
        for (const auto& name : names) found += (found.empty() ? "" : " ") + name;
        report(*answer, "ls", found);
        return true;
    }

    bool clean() {
        const auto answer = ask("Bash", {{"command", "rm -rf build"}}, "The build directory is stale.");
        if (!answer) return false;
        std::uintmax_t removed = 0;
        if (answer->allowed()) removed = fs::remove_all(fs::path{directory_} / "build");
        report(*answer, "rm -rf build",
               removed == 1 ? "1 file or directory is gone"
                            : std::to_string(removed) + " files and directories are gone");
        return true;
    }

    bool edit() {
        const auto path = (fs::path{directory_} / "src/price.py").string();
        const std::string before = "    return sum(prices)\n";
        const std::string after =
            "    # Prices are in cents; tax is 19 percent.\n    return round(sum(prices) * 1.19)\n";
        const auto answer = ask("Edit", {{"file_path", path}, {"old_string", before}, {"new_string", after}},
                                "Totals must include tax.");
        if (!answer) return false;
        if (answer->allowed()) std::ofstream{path} << "def total(prices):\n" << after;
        report(*answer, "the edit of src/price.py", "two lines instead of one");
        return true;
    }

    bool deploy() {
        // A token that looks real but opens nothing, to show the redactor at work.
        const std::string token = std::string{"ghp_"} + "0123456789abcdefghijABCDEFGHIJ012345";
        const std::string command =
            "curl -fsS -X POST -H \"Authorization: Bearer " + token + "\" https://deploy.example/shop";
        const auto answer = ask("Bash", {{"command", command}}, "Ready to deploy.");
        if (!answer) return false;
        report(*answer, "curl", "not really: the demonstration uses no network");
        return true;
    }

    bool question() {
        const auto id = ids_.next().str();
        const auto choice = [](const char* label, const char* description) {
            return Value{Object{{"label", label}, {"description", description}}};
        };
        const Object database{{"questionId", "database"},
                              {"text", "Which database shall the shop use?"},
                              {"choices", Array{choice("SQLite", "one file, nothing to run"),
                                                choice("PostgreSQL", "a server, for more than one machine")}},
                              {"freeText", true}};
        send({{"type", "question_request"}, {"approvalId", id}, {"questions", Array{Value{database}}}});
        const auto answer = wait_for(id);
        if (!answer) return false;
        if (answer->outcome != "answered") {
            tell("got no answer (" + answer->outcome + ") and leaves the database as it is");
            return true;
        }
        tell("will use " + (answer->chosen.empty() ? answer->text : answer->chosen.front()));
        return true;
    }

    SystemClock clock_;
    SystemIds ids_{clock_};
    std::string directory_;
    int calls_ = 0;
};

}  // namespace

int run_agent(bool once) {
    std::error_code failed;
    const auto directory = fs::current_path(failed);
    if (failed) return 1;
    Agent agent{directory.string()};
    while (agent.work() && !once) {
        fs::create_directories(directory / "build", failed);  // gives the next round something to remove
    }
    return 0;
}

}  // namespace countersign::app::demo
