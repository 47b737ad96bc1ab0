// SPDX-License-Identifier: Apache-2.0
// `audit tail`: the last records, and those that come.
#include "app/commands/audit/audit.hpp"
#include "app/process.hpp"
#include "audit/follower.hpp"
#include "audit/print.hpp"
#include "core/limits.hpp"

#include <cstdio>
#include <memory>
#include <thread>

namespace countersign::app {
namespace {

struct TailOptions {
    std::string state;
    std::uint64_t records = 20;
    bool follow = false;
    bool json = false;
};

// False when nobody reads any more.
bool print_all(const std::vector<audit::TailRecord>& records, bool json) {
    for (const auto& entry : records) {
        const auto line = (json ? audit::print_json(entry.json) : audit::print(entry.record)) + "\n";
        if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return false;
    }
    return std::fflush(stdout) == 0;
}

int audit_tail(const TailOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    audit::Follower follower{audit::posix_file_system(), *directory};
    auto records = follower.last(options.records);
    if (!records) return audit_failed(records.error());
    int exit_code = exit_holds;
    while (true) {
        const bool read = print_all(*records, options.json);
        if (follower.damage() && exit_code == exit_holds) {
            exit_code = audit_failed({Errc::damaged, *directory + "/" + *follower.damage() +
                                                         " cannot be read; run `countersign audit verify`"});
        }
        if (!read || !options.follow) return exit_code;
        std::this_thread::sleep_for(limits::audit_follow_interval);
        records = follower.next();
        if (!records) return audit_failed(records.error());
    }
}

}  // namespace

void add_audit_tail(CLI::App& audit, int& exit_code) {
    auto* tail = audit.add_subcommand("tail", "Print the last records, one a line");
    auto options = std::make_shared<TailOptions>();
    add_state_option(*tail, options->state);
    tail->add_option("-n,--records", options->records, "How many")->capture_default_str()->check(whole_number);
    tail->add_flag("-f,--follow", options->follow, "Go on as records come");
    tail->add_flag("--json", options->json, "The records as they stand in the log");
    tail->callback([&exit_code, options] { exit_code = audit_tail(*options); });
}

}  // namespace countersign::app
