// SPDX-License-Identifier: Apache-2.0
// `setup telegram`: from a bot's token to the first tap, in this terminal.
#include "app/channels/open.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/input.hpp"
#include "app/config/config.hpp"
#include "app/config/fields.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/setup/ask.hpp"
#include "app/setup/files.hpp"
#include "app/setup/telegram_pairing.hpp"
#include "app/setup/test_approval.hpp"
#include "net/http_client.hpp"
#include "security/display.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
namespace telegram = channels::telegram;

struct SetupOptions {
    std::string config;
    std::string state;
    std::string person;
    std::string base_url;
    bool force = false;
    bool no_test = false;
};

// Runs one call of the set-up to its end.
template <class Value> Result<Value> finished(asio::io_context& io, asio::awaitable<Result<Value>> work) {
    Result<Value> outcome;
    asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& failed, Result<Value> result) {
        if (failed) std::rethrow_exception(failed);
        outcome = std::move(result);
    });
    io.run();
    io.restart();
    return outcome;
}

Result<std::string> config_path(const SetupOptions& options) {
    if (!options.config.empty()) return options.config;
    if (auto there = default_config_file()) return there;
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing calls setenv
    if (home == nullptr) return Error{Errc::bad_config, "HOME is not set; say where with --config"};
    return std::string{home} + "/.config/countersign/countersign.toml";
}

Result<std::string> person_name(const SetupOptions& options) {
    const char* user = std::getenv("USER");  // NOLINT(concurrency-mt-unsafe): nothing calls setenv
    auto name = options.person.empty()
                    ? setup::ask_line("Your name in the configuration:", user != nullptr && is_name(user) ? user : "me")
                    : Result<std::string>{options.person};
    if (name && !is_name(*name)) return Error{Errc::bad_config, "a name has a-z, 0-9, - and _ only"};
    return name;
}

Result<setup::Paired> find_person(asio::io_context& io, const telegram::Client& client, Clock& clock,
                                  const std::string& bot) {
    const auto code = setup::pairing_code();
    tell("\nThis is {0}. Write to it in a private chat, within ten minutes:\n\n"
         "    /start {1}\n\n"
         "or open https://t.me/{2}?start={1} and press Start. Add the bot to a group now, if you want one.\n"
         "Waiting …\n",
         bot, code, bot.substr(1));
    return finished(io, setup::pair(client, clock, code));
}

Result<setup::TelegramSetup> configure(const SetupOptions& options, const std::string& config) {
    auto token = setup::ask_secret("The bot's token, as @BotFather gave it (it is not shown): ");
    if (!token) return token.error();
    if (const auto holds = telegram::check_token(*token); !holds) return holds.error();
    asio::io_context io{1};
    SystemClock clock;
    net::CurlHttpClient http{io.get_executor()};
    const telegram::Client client{http, options.base_url.empty() ? "https://api.telegram.org" : options.base_url,
                                  token->duplicate()};
    const auto bot = finished(io, setup::bot_name(client));
    if (!bot) return bot.error();
    const auto paired = find_person(io, client, clock, *bot);
    if (!paired) return paired.error();
    tell("You are telegram:{}.\n", paired->person);
    const auto person = person_name(options);
    if (!person) return person.error();
    setup::TelegramSetup made{.person = *person,
                              .telegram_id = paired->person,
                              .token_file = std::filesystem::path{config}.parent_path().string() + "/telegram-token",
                              .base_url = options.base_url,
                              .groups = paired->groups};
    if (const auto kept = setup::write_private(made.token_file, token->reveal(), true); !kept) return kept.error();
    if (const auto kept = setup::write_private(config, setup::telegram_toml(made), options.force); !kept) {
        return kept.error();
    }
    return made;
}

int try_it(const SetupOptions& options, const std::string& config) {
    auto loaded = load_config(config);
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return exit_does_not_hold;
    }
    const auto state = options.state.empty() ? default_state_directory() : Result<std::string>{options.state};
    if (!state) return report(state.error());
    Host host;
    host.say = [](const std::string& line) { tell("{}\n", line); };
    auto bridge = Bridge::open(
        host.io, {.state = *state,
                  .configuration = std::make_shared<const Configuration>(std::get<Configuration>(std::move(loaded))),
                  .command = "setup telegram"});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    if (const auto opened = open_channels(host, {}); !opened) return give_up(host, opened.error());
    tell("A test is on its way to you. Tap one of its buttons …\n");
    const auto outcome = setup::test_approval(host);
    if (!outcome) return report(outcome.error());
    tell("It ended as: {}. The log has it: countersign audit tail --state {}\n", *outcome, *state);
    return exit_holds;
}

int setup_telegram(const SetupOptions& options) {
    keep_memory_private();
    const auto config = config_path(options);
    if (!config) return report(config.error());
    if (!options.force && std::filesystem::exists(*config)) {
        return report({Errc::conflict, *config + " is there already; --force replaces it, --config writes elsewhere"});
    }
    const auto made = configure(options, *config);
    if (!made) return report(made.error());
    tell("Wrote {} and {}, readable by you alone.\n", *config, made->token_file);
    for (const auto& [id, title] : made->groups) {
        tell("The bot is in the group {} ({}).\n", id, security::display(title, security::DisplayMode::line));
    }
    if (options.no_test) return exit_holds;
    const auto code = try_it(options, *config);
    if (code == exit_holds) tell("Now: countersign run claude --prompt 'list the files here'\n");
    return code;
}

}  // namespace

void add_setup(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("setup", "Connect a chat platform, step by step");
    command->require_subcommand(1);
    auto* bot = command->add_subcommand("telegram", "A bot of yours, your person, and a first approval to tap");
    auto options = std::make_shared<SetupOptions>();
    bot->add_option("--config", options->config, "The file to write (default: ~/.config/countersign/countersign.toml)");
    bot->add_option("--state", options->state, "The state directory (default: ~/.local/state/countersign)");
    bot->add_option("--person", options->person, "Your name in the configuration; asked for without it");
    bot->add_option("--base-url", options->base_url, "Of another Bot API server than Telegram's own");
    bot->add_flag("--force", options->force, "Replace a configuration that is there");
    bot->add_flag("--no-test", options->no_test, "Send no test approval");
    bot->footer("docs/channels/telegram.md begins at @BotFather. The token is asked for, never an argument.");
    bot->callback([&exit_code, options] { exit_code = setup_telegram(*options); });
}

}  // namespace countersign::app
