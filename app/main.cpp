// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.hpp"
#include "app/config/channel_kind.hpp"
#include "app/config/nearest.hpp"
#include "app/help.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "security/display.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {
namespace {

// An unknown command is not a missing one, though CLI11 says so.
int explain_missing(const CLI::App& cli, const CLI::RequiredError& error) {
    const auto unknown = cli.remaining(true);
    const auto begun = cli.get_subcommands();
    if (unknown.empty() && begun.empty()) {
        tell("{}", cli.help());
        return exit_usage;
    }
    if (unknown.empty() || unknown.front().starts_with('-')) return cli.exit(error) == 0 ? exit_holds : exit_usage;
    const auto& word = unknown.front();
    if (!begun.empty() && begun.front()->get_name() == "setup" && kind_named(word) != nullptr) {
        tell("setup {} comes with a later release.\n", word);
        return exit_usage;
    }
    std::vector<std::string> owned;
    const auto* above = begun.empty() ? &cli : begun.front();
    for (const auto* command : above->get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) owned.push_back(command->get_name());
    }
    const std::vector<std::string_view> names{owned.begin(), owned.end()};
    tell("There is no command {}; {}\n", security::display(word, security::DisplayMode::line),
         did_you_mean(word, names, "run with --help for more information"));
    return exit_usage;
}

// Of these commands the output is the result: one that nobody got does not hold.
int settled(const CLI::App& cli, int exit_code) {
    if (!cli.got_subcommand("check") && !cli.got_subcommand("audit")) return exit_code;
    if (result_written()) return exit_code;
    tell("standard output could not be written\n");
    return exit_code == exit_holds ? exit_does_not_hold : exit_code;
}

int run(int argc, char** argv) {
    CLI::App cli{"An agent asks; the right person countersigns; the log proves it.", "countersign"};
    cli.set_version_flag("-V,--version", "countersign " COUNTERSIGN_VERSION);
    cli.require_subcommand(1);
    cli.formatter(help_format());
    cli.footer("Exit codes: 0 it holds, 1 it does not (one line says why), 2 wrong usage, 3 a hub refused to start "
               "on a damaged log, 4 another hub holds the state directory, 5 the log's disk hangs.\n"
               "Try it: countersign demo");
    int exit_code = exit_holds;
    add_demo(cli, exit_code);
    add_setup(cli, exit_code);
    add_run(cli, exit_code);
    add_serve(cli, exit_code);
    add_reload(cli, exit_code);
    add_check(cli, exit_code);
    add_audit(cli, exit_code);
    add_witness(cli, exit_code);
    add_help(cli, exit_code);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::RequiredError& error) {
        return explain_missing(cli, error);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? exit_holds : exit_usage;
    }
    return settled(cli, exit_code);
}

}  // namespace
}  // namespace countersign::app

int main(int argc, char** argv) {
    using namespace countersign;
    app::settle_descriptors();
    // A closed pipe, or a limit on the size of files, is an error where it is written to, not the end of the process.
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
        if (std::signal(signal, SIG_IGN) == SIG_ERR) return app::exit_does_not_hold;  // NOLINT(cert-err33-c)
    }
    try {
        return app::run(argc, argv);
    } catch (const std::exception& error) {
        app::tell("It ended unexpectedly: {}\n", security::display(error.what(), security::DisplayMode::line));
    } catch (...) {
        app::tell("It ended unexpectedly.\n");
    }
    return app::exit_does_not_hold;
}
