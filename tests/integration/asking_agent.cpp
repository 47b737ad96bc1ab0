// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/asking_agent.hpp"

#include <filesystem>
#include <sstream>

namespace countersign::testing_tools {
namespace {

constexpr const char* id_prefix = "01HZXAAAAAAAAAAAAAAA";
constexpr int id_offset = 100'000;  // six digits for any number

// For the shell's printf: the number is in the id and in the command, and the description makes the call long.
std::string event_format() {
    return R"({"type":"approval_request","approvalId":")" + std::string{id_prefix} +
           R"(%s","approvalSource":"runtime_tool",)"
           R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"t","rawInput":)"
           R"({"command":"ls %s","description":"%s"},"displayArgs":{}},"options":[)"
           R"({"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
           R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]}\n)";
}

}  // namespace

AskingAgent::AskingAgent()
    // The terminal of the catch-all route has no user, so the rule decides.
    : config_{files_.file("countersign.toml", "[people.alice]\nterminal = 4294967294\nroles = [\"approve\"]\n"
                                              "[channels.desk]\nkind = \"terminal\"\n"
                                              "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n"
                                              "[[policy]]\neffect = \"allow\"\ncommand = \"ls *\"\n")} {}

std::string AskingAgent::script(int first, int end, const std::string& before) const {
    return files_.file("agent.sh",
                       "#!/bin/sh\ni=" + std::to_string(id_offset + first) + "\nwhile [ $i -lt " +
                           std::to_string(id_offset + end) + " ]; do\n  more=\n" + before + "\n  printf '" +
                           event_format() +
                           "' $i $i \"$more\"\n  read -r answer || exit 0\n  printf '%s\\n' \"$answer\" >> " +
                           answers_ + "\n  i=$((i + 1))\ndone\n",
                       0700);
}

std::string AskingAgent::longer(int bytes) {
    return "[ ${#long} = " + std::to_string(bytes) + " ] || long=$(head -c " + std::to_string(bytes) +
           " /dev/zero | tr '\\0' x); more=$long";
}

std::string AskingAgent::only(int number, const std::string& then) {
    return "if [ $i = " + std::to_string(id_offset + number) + " ]; then " + then + "; fi\n";
}

std::string AskingAgent::idle() const { return files_.file("idle.sh", "#!/bin/sh\nexit 0\n", 0700); }

std::vector<std::string> AskingAgent::command(const std::string& agent, const std::string& state) const {
    return {countersign_path(), "run", "event", "--plain", "--state", state, "--config", config_, "--", agent};
}

std::vector<bool> AskingAgent::answers() const {
    std::vector<bool> given;
    std::istringstream lines{contents(answers_)};
    for (std::string line; std::getline(lines, line);) given.push_back(line.find("allow_once") != std::string::npos);
    return given;
}

void AskingAgent::forget() const { std::filesystem::remove(answers_); }

std::string AskingAgent::id(int number) { return id_prefix + std::to_string(id_offset + number); }

bool allowed_in(const std::string& log, const std::string& id) {
    std::istringstream lines{log};
    for (std::string line; std::getline(lines, line);) {
        const bool about_it = line.find(id) != std::string::npos;
        if (about_it && line.find(R"("kind":"decision")") != std::string::npos) {
            return line.find(R"("decision":"allowed")") != std::string::npos;
        }
    }
    return false;
}

}  // namespace countersign::testing_tools
