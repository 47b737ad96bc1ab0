// SPDX-License-Identifier: Apache-2.0
#include "app/channels/registry.hpp"
#include "app/command_line/command_line.hpp"
#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "config/nearest.hpp"
#include "runtimes/look_threads.hpp"
#include "security/display/display.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace countersign::app {
namespace {

void explain_unknown(const CommandLine::Unknown& unknown) {
    if (unknown.above == "setup" && channel_entry(unknown.word) != nullptr) {
        tell("setup {} comes with a later release.\n", unknown.word);
        return;
    }
    const std::vector<std::string_view> names{unknown.names.begin(), unknown.names.end()};
    const bool misspelt = config::nearest(unknown.word, names).has_value();
    const auto meant = config::did_you_mean(unknown.word, names, "run with --help for more information");
    const auto word = security::display(unknown.word, security::DisplayMode::line);
    if (!unknown.option) return tell("There is no command {}; {}\n", word, meant);
    tell("countersign {}{}has no option {}; {}\n", unknown.above, unknown.above.empty() ? "" : " ", word, meant);
    if (unknown.above.starts_with("run ") && !misspelt) {
        tell("Options of the agent go after --: countersign {} … -- {} …\n", unknown.above, word);
    }
}

// For commands whose output is their result: failing to write it is an error. If the reader, e.g. head, has closed the
// pipe, the exit code says so without a message.
int settled(const CommandLine& line, int exit_code) {
    constexpr std::array print_results{"check",   "audit",  "outbox", "policy",  "status",
                                       "pending", "grants", "help",   "version", "completion"};
    if (std::ranges::none_of(print_results, [&](const char* name) { return line.ran(name); })) return exit_code;
    if (result_written()) return exit_code;
    if (reader_left()) return exit_reader_left;
    tell("standard output could not be written\n");
    return exit_code == exit_holds ? exit_does_not_hold : exit_code;
}

int run(int argc, char** argv) {
    const std::string version = "countersign " COUNTERSIGN_VERSION;
    CommandLine line{{
        .name = "countersign",
        .help = "An agent asks; the right person countersigns; the log proves it.",
        .version = version,
        .footer =
            "The hub is the process that asks people, decides by your rules and writes the log. Each run starts one, "
            "or joins the one that runs already.\n\n"
            "Exit codes: 0 success, 1 check failed or error (stderr says why), 2 wrong usage, 3 damaged log, "
            "4 another hub holds the state directory, 5 the log's disk doesn't respond, 141 stdout was closed.\n"
            "Try it: countersign demo",
    }};
    auto program = line.program();
    add_demo(program);
    add_setup(program);
    add_run(program);
    add_hook(program);
    add_serve(program);
    add_reload(program);
    add_halt(program);
    add_resume(program);
    add_status(program);
    add_pending(program);
    add_grants(program);
    add_outbox(program);
    add_check(program);
    add_policy(program);
    add_audit(program);
    add_witness(program);
    add_version(program, version);
    add_completion(line);
    add_help(line, version);
    const int exit_code = line.run(argc, argv, explain_unknown);
    return settled(line, exit_code);
}

}  // namespace
}  // namespace countersign::app

int main(int argc, char** argv) {
    using namespace countersign;
    app::settle_descriptors();
    // A closed pipe or a file size limit must be an error of the write, not the end of the process.
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
        if (std::signal(signal, SIG_IGN) == SIG_ERR) return app::exit_does_not_hold;  // NOLINT(cert-err33-c)
    }
    try {
        const int exit_code = app::run(argc, argv);
        if (!runtimes::LookThreads::left_behind()) return exit_code;
        // A thread still hangs in a file system that does not respond.
        std::fflush(nullptr);  // NOLINT(cert-err33-c): no one is left to read it
        ::_exit(exit_code);
    } catch (const std::exception& error) {
        app::tell("It ended unexpectedly: {}\n", security::display(error.what(), security::DisplayMode::line));
    } catch (...) {
        app::tell("It ended unexpectedly.\n");
    }
    return app::exit_does_not_hold;
}
