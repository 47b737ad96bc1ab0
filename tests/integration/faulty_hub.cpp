// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/faulty_hub.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

namespace countersign::testing_tools {

namespace fs = std::filesystem;

bool DiskCall::looks() const {
    constexpr std::array names{"open", "list", "pread", "statx", "fstat", "lstat"};
    return std::ranges::find(names, name) != names.end();
}

void FaultyHub::keep_log() {
    fs::remove_all(kept_);
    fs::remove(state_ + "/hub.sock");
    fs::rename(state_, kept_);
    const auto last = countersign({"audit", "tail", "--json", "-n", "1", "--state", kept_}).out;
    const auto at = last.find("\"seq\":");
    if (at == std::string::npos) throw std::runtime_error{"the log that is to be kept has no record"};
    last_seq_ = last.substr(at + 6, last.find(',', at) - at - 6);
}

void FaultyHub::find_log() const {
    fs::remove_all(state_);
    fs::remove(calls_);
    agent_.forget();
    if (fs::exists(kept_)) fs::copy(kept_, state_, fs::copy_options::recursive);
}

std::vector<std::string> FaultyHub::environment() const {
    return {"LD_PRELOAD=" FAULTY_DISK, "FAULTY_DISK=" + state_, "FAULTY_DISK_CALLS=" + calls_,
            "FAULTY_DISK_HEARD=" + agent_.answers_file()};
}

int FaultyHub::talk(std::vector<std::string> argv, const std::vector<std::string>& environment) {
    Talk talk{std::move(argv), environment};  // its input stays open
    const auto code = talk.finish();
    said_ = talk.said();
    return code;
}

int FaultyHub::run(const std::string& script, const std::optional<DiskFault>& fault) {
    find_log();
    auto variables = environment();
    if (fault) {
        variables.push_back("FAULTY_DISK_AT=" + fault->call);
        variables.push_back("FAULTY_DISK_HOW=" + fault->how);
    }
    return talk(agent_.command(script, state_), variables);
}

int FaultyHub::go_on(const std::string& script, const std::vector<std::string>& environment) {
    return talk(agent_.command(script, state_), environment);
}

int FaultyHub::run_with_short_writes(const std::string& script) {
    find_log();
    auto variables = environment();
    variables.emplace_back("FAULTY_DISK_SHORT=1");
    return talk(agent_.command(script, state_), variables);
}

int FaultyHub::run_traced(const std::string& script, const std::string& file) {
    find_log();
    std::vector<std::string> argv{"strace", "-f", "-qq", "-y", "-s", "0", "-o", file, "-e", "trace=file,desc"};
    for (const auto& variable : environment()) argv.insert(argv.end(), {"-E", variable});
    const auto command = agent_.command(script, state_);
    argv.insert(argv.end(), command.begin(), command.end());
    return talk(argv, {});
}

std::vector<DiskCall> FaultyHub::calls() const {
    std::vector<DiskCall> calls;
    std::map<std::string, int> counts;
    std::istringstream lines{contents(calls_)};
    for (DiskCall call; lines >> call.thread >> call.name >> call.path;) {
        if (call.name == "struck") continue;
        call.nth = ++counts[call.name + " " + call.path];
        calls.push_back(call);
    }
    return calls;
}

std::optional<FaultyHub::Struck> FaultyHub::struck() const {
    std::istringstream lines{contents(calls_)};
    std::string name;
    Struck struck;
    std::string rest;
    while (lines >> struck.thread >> name && std::getline(lines, rest)) {
        if (name == "struck") return Struck{.thread = struck.thread, .heard = std::stoul(rest)};
    }
    return std::nullopt;
}

std::string FaultyHub::new_records() const {
    std::vector<std::string> arguments{"audit", "tail", "--json", "--state", state_};
    if (last_seq_.empty()) {
        arguments.insert(arguments.end(), {"-n", "1000"});
    } else {
        arguments.insert(arguments.end(), {"--after", last_seq_});
    }
    return countersign(arguments).out;
}

Ran FaultyHub::verify() const { return countersign({"audit", "verify", "--state", state_}); }

}  // namespace countersign::testing_tools
