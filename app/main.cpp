// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.hpp"
#include "app/process.hpp"

#include "security/display.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <iostream>

int main(int argc, char** argv) {
    using namespace countersign;
    app::settle_descriptors();
    // A closed pipe is an error where it is written to, not the end of the process.
    if (std::signal(SIGPIPE, SIG_IGN) == SIG_ERR) return app::exit_does_not_hold;  // NOLINT(cert-err33-c)

    CLI::App cli{"An agent asks; the right person countersigns; the log proves it.", "countersign"};
    cli.set_version_flag("--version", "countersign " COUNTERSIGN_VERSION);
    cli.require_subcommand(1);
    cli.footer("Exit codes: 0 it holds, 1 it does not (one line says why), 2 wrong usage, 3 a hub refused to start\n"
               "on a damaged log, 4 another hub holds the state directory, 5 the log's disk hangs.\n"
               "Try it: countersign demo");
    int exit_code = 0;
    app::add_demo(cli, exit_code);
    app::add_setup(cli, exit_code);
    app::add_run(cli, exit_code);
    app::add_check(cli, exit_code);
    app::add_audit(cli, exit_code);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::RequiredError& error) {
        // An unknown command is not a missing one, though CLI11 says so.
        const auto unknown = cli.remaining(true);
        if (unknown.empty() || unknown.front().starts_with('-')) return cli.exit(error) == 0 ? 0 : app::exit_usage;
        fmt::print(stderr, "There is no command {}.\nRun with --help for more information.\n",
                   security::display(unknown.front(), security::DisplayMode::line));
        return app::exit_usage;
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? 0 : app::exit_usage;
    }
    return exit_code;
}
