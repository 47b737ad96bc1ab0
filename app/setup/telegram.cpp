// SPDX-License-Identifier: Apache-2.0
// `setup telegram`: from a bot's token to the first tap, in this terminal.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/input.hpp"
#include "app/config/config.hpp"
#include "app/config/fields.hpp"
#include "app/invocation.hpp"
#include "app/open_hub.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "app/setup/ask.hpp"
#include "app/setup/telegram_additions.hpp"
#include "app/setup/telegram_files.hpp"
#include "app/setup/telegram_pairing.hpp"
#include "app/setup/telegram_switch.hpp"
#include "app/setup/telegram_webhook.hpp"
#include "app/setup/test_approval.hpp"
#include "net/http_client.hpp"
#include "security/display/display.hpp"
#include "security/hmac.hpp"
#include "security/secret_file.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace telegram = channels::telegram;

struct SetupOptions {
    std::string config;
    std::string state;
    std::string person;
    std::string base_url;
    std::string webhook;
    std::string listen;
    std::string channel;
    bool poll = false;
    bool force = false;
    bool no_test = false;
};

// Runs one call of the set-up to its end.
template <class Value> Result<Value> finished(asio::io_context& io, asio::awaitable<Result<Value>> work) {
    Result<Value> outcome;
    asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& failed, Result<Value> result) {
        leave_if_broken(failed);
        outcome = std::move(result);
    });
    io.run();
    io.restart();
    return outcome;
}

// Where everything goes, known before anything is asked. Whole paths: the configuration names the token's file by one.
struct Places {
    std::string config;
    std::string token;
    std::string state;
};

Result<std::string> config_path(const SetupOptions& options) {
    if (!options.config.empty()) return options.config;
    if (auto there = default_config_file()) return there;
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing calls setenv
    if (home == nullptr) return Error{Errc::bad_config, "HOME is not set; say where with --config"};
    return std::string{home} + "/.config/countersign/countersign.toml";
}

Result<Places> places_of(const SetupOptions& options) {
    const auto config = config_path(options);
    if (!config) return config.error();
    const auto state = state_directory(options.state);
    if (!state) return state.error();
    std::error_code failed;
    const auto whole = fs::absolute(*config, failed).lexically_normal();
    if (failed) return Error{Errc::bad_config, *config + ": " + failed.message()};
    return Places{
        .config = whole.string(), .token = (whole.parent_path() / "telegram-token").string(), .state = *state};
}

bool is_there(const std::string& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

// A configuration that exists is added to; a token that exists belongs to another bot.
Result<void> check_token_file(const SetupOptions& options, const Places& places) {
    if (options.force || is_there(places.config) || !is_there(places.token)) return {};
    return Error{Errc::conflict, places.token + " is there already; --force replaces it, --config writes elsewhere"};
}

// The configuration that exists, if it is to be added to.
struct Existing {
    std::string text;
    Configuration configuration;
};
Result<std::optional<Existing>> existing_configuration(const SetupOptions& options, const Places& places) {
    if (options.force || !is_there(places.config)) return std::optional<Existing>{};
    auto loaded = load_config(places.config, known_kinds());
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config,
                     places.config + ": invalid configuration; correct it, or replace it with --force"};
    }
    auto text = read_file(places.config);
    if (!text) return text.error();
    return std::optional{Existing{std::move(*text), std::get<Configuration>(std::move(loaded))}};
}

// The same bot in two channels would take each other's updates.
Result<void> check_new_bot(const Configuration& configuration, const security::Secret& token) {
    for (const auto& [name, channel] : configuration.channels) {
        const auto file = channel.settings.find("token_file");
        if (channel.kind != "telegram" || file == channel.settings.end()) continue;
        const auto there = security::find_secret(file->second, security::credentials_directory());
        if (there && security::is_secret(*there, token.reveal())) {
            return Error{Errc::conflict, "this bot is the channel " + name + " already"};
        }
    }
    return {};
}

Result<std::string> taken_name(Result<std::string> name) {
    if (name && !is_name(*name)) return Error{Errc::bad_config, "a name has a-z, 0-9, - and _ only, 1 to 64 of them"};
    return name;
}

Result<std::string> person_name(const SetupOptions& options, const setup::Paired& paired) {
    if (!options.person.empty()) return options.person;
    const auto usual = setup::name_from(paired.first_name);
    return setup::ask_again<std::string>(
        setup::tries_of_input(), [&] { return taken_name(setup::ask_line("Your name in the configuration:", usual)); });
}

// A bot that Telegram knows, and its name.
struct Bot {
    security::Secret token;
    std::string name;
};

Result<Bot> ask_for_bot(asio::io_context& io, HttpClient& http, const std::string& base_url) {
    return setup::ask_again<Bot>(setup::tries_of_input(), [&]() -> Result<Bot> {
        auto token = setup::ask_secret("The bot's token, as @BotFather gave it (it is not shown): ");
        if (!token) return token.error();
        if (const auto holds = telegram::check_token(*token); !holds) return holds.error();
        auto name = finished(io, setup::bot_name(telegram::TelegramClient{http, base_url, token->duplicate()}));
        if (!name) return name.error();
        return Bot{.token = std::move(*token), .name = std::move(*name)};
    });
}

// One that was set before would take the code that we wait for; whose it is, we cannot know.
Result<void> take_webhook_away(asio::io_context& io, const telegram::TelegramClient& client, bool force) {
    const auto info = finished(io, setup::webhook_info(client));
    if (!info) return info.error();
    if (info->url.empty()) return {};
    const auto url = security::display(info->url, security::DisplayMode::line);
    if (!force) {
        return Error{Errc::conflict, "a webhook is set for this bot, to " + url +
                                         ": if no other program of yours uses it, take it away with " + own_command() +
                                         " setup telegram --force"};
    }
    tell("The bot's webhook to {} is taken away.\n", url);
    return finished(io, setup::remove_webhook(client));
}

Result<setup::Paired> find_person(asio::io_context& io, const telegram::TelegramClient& client,
                                  const std::string& bot) {
    bool again = false;
    const auto new_code = [&] {
        auto code = setup::pairing_code();
        if (!std::exchange(again, true)) {
            tell("\nThis is {}. Add it to a group now, if you want one. Write to it in a private chat, within ten "
                 "minutes:\n",
                 bot);
        } else {
            tell("\nThe code was seen in another chat, so it counts no more. Write this one, in the private chat:\n");
        }
        tell("\n    /start {0}\n\nor open https://t.me/{1}?start={0} and press Start.\nWaiting …\n", code,
             bot.substr(1));
        return code;
    };
    const auto wrong_code = [] { tell("Somebody sent a wrong code.\n"); };
    SystemClock clock;
    return finished(io, setup::pair(client, clock, {.new_code = new_code, .wrong_code = wrong_code}));
}

// Pairing takes minutes, in which the operator may edit the file.
Result<void> check_unchanged(const Existing& existing, const std::string& config) {
    const auto now = read_file(config);
    if (!now) return now.error();
    if (*now == existing.text) return {};
    return Error{Errc::conflict, config + " changed meanwhile; run the command again"};
}

// Where the configuration and its bot's token exist already, the new channel has a name and a token file of its own.
Result<std::string> add_to(const Existing& existing, const SetupOptions& options, setup::TelegramSetup& made) {
    made.channel = options.channel.empty() ? setup::free_channel_name(existing.configuration) : options.channel;
    if (existing.configuration.channels.contains(made.channel)) {
        return Error{Errc::conflict, "there is a channel " + made.channel + " already: choose another --channel"};
    }
    if (is_there(made.token_file)) made.token_file += "-" + made.channel;
    auto added = setup::with_telegram(existing.text, existing.configuration, made);
    if (!added) return added.error();
    tell("Added to the configuration:\n");
    for (const auto& line : added->lines) tell("{}\n", line);
    return std::move(added->text);
}

Result<setup::TelegramSetup> configure(const SetupOptions& options, const Places& places,
                                       const std::optional<Existing>& existing) {
    asio::io_context io{1};
    net::CurlHttpClient http{io.get_executor()};
    const auto base_url = options.base_url.empty() ? std::string{"https://api.telegram.org"} : options.base_url;
    const auto bot = ask_for_bot(io, http, base_url);
    if (!bot) return bot.error();
    if (existing) {
        if (const auto fresh = check_new_bot(existing->configuration, bot->token); !fresh) return fresh.error();
    }
    const telegram::TelegramClient client{http, base_url, bot->token.duplicate()};
    if (const auto free = take_webhook_away(io, client, options.force); !free) return free.error();
    const auto paired = find_person(io, client, bot->name);
    if (!paired) return paired.error();
    tell("You are telegram:{}.\n", paired->person);
    const auto person = person_name(options, *paired);
    if (!person) return person.error();
    setup::TelegramSetup made{.person = *person,
                              .telegram_id = paired->person,
                              .token_file = places.token,
                              .base_url = options.base_url,
                              .groups = paired->groups};
    if (!options.channel.empty()) made.channel = options.channel;
    auto text = setup::telegram_toml(made);
    if (existing) {
        if (const auto same = check_unchanged(*existing, places.config); !same) return same.error();
        auto added = add_to(*existing, options, made);
        if (!added) return added.error();
        text = std::move(*added);
    }
    if (const auto kept = keep_old_configuration(places.config); !kept) return kept.error();
    if (const auto kept = setup::write_private(made.token_file, bot->token.reveal(), options.force); !kept) {
        return kept.error();
    }
    if (const auto kept = setup::write_private(places.config, text, existing || options.force); !kept) {
        return kept.error();
    }
    return made;
}

void say_where_the_proof_is(const std::string& state) {
    tell("The log has it: {} audit tail --state {}\n", own_command(), shell_word(state));
    const auto key = read_file(state + "/audit/log.vkey");
    if (!key) return;
    tell(
        "Note the log's public key somewhere else; with it, audit verify --vkey proves that nobody wrote another log:\n"
        "    {}",
        security::display(*key, security::DisplayMode::block));
}

asio::awaitable<int> try_with(Host& host, const Places& places, const setup::TelegramSetup& made) {
    if (const auto opened = co_await open_fronts(host, {}, AccessLog::left_out); !opened) {
        co_return co_await give_up(host, opened.error());
    }
    tell("A test is on its way to you. Tap one of its buttons in Telegram …\n");
    const auto answer = co_await setup::test_approval(host);
    if (!answer) co_return report(answer.error());
    tell("It ended as: {}.\n", name(answer->outcome));
    say_where_the_proof_is(places.state);
    const auto why = setup::unproved(*answer, made.person, made.channel);
    if (why.empty()) co_return exit_holds;
    tell("{}, so this is not proved to work; {} run {} tries again.\n", why, own_command(), example_runtime());
    co_return exit_does_not_hold;
}

int try_it(const Places& places, const setup::TelegramSetup& made) {
    auto loaded = load_config(places.config, known_kinds());
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return exit_does_not_hold;
    }
    Host host;
    host.say = [](const std::string& line) { tell("{}\n", security::display(line, security::DisplayMode::block)); };
    auto bridge = Bridge::open(
        host.io, {.state = places.state,
                  .configuration = std::make_shared<const Configuration>(std::get<Configuration>(std::move(loaded))),
                  .command = "setup telegram"});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    return run_on(host, try_with(host, places, made));
}

WebhookSwitch switch_of(const SetupOptions& options, const Places& places) {
    return {.config = places.config,
            .state = places.state,
            .channel = options.channel,
            .url = options.webhook,
            .listen = options.listen,
            .force = options.force};
}

// A bot that is configured already: only the way that its updates come in changes.
int switch_configured(const SetupOptions& options, const Places& places) {
    if (const auto switched = switch_updates(switch_of(options, places)); !switched) return report(switched.error());
    tell("{}\n", options.poll ? "The next start polls." : "The next start, or countersign reload, uses it.");
    return exit_holds;
}

int setup_telegram(const SetupOptions& options) {
    keep_memory_private();
    if (const auto name = taken_name(options.person.empty() ? "me" : options.person); !name) {
        report({name.error().code, "--person: " + name.error().detail});
        return exit_usage;
    }
    const auto places = places_of(options);
    if (!places) return report(places.error());
    const bool configured = is_there(places->config);
    if (options.poll || (!options.webhook.empty() && configured)) return switch_configured(options, *places);
    if (const auto free = check_token_file(options, *places); !free) return report(free.error());
    const auto existing = existing_configuration(options, *places);
    if (!existing) return report(existing.error());
    if (const auto alone = no_hub_runs(places->state); !alone) return report(alone.error());
    const auto made = configure(options, *places, *existing);
    if (!made) return report(made.error());
    tell("Wrote {} and {}, readable by you alone.\n", places->config, made->token_file);
    for (const auto& [id, title] : made->groups) {
        tell("The bot is in the group {} ({}).\n", id, security::display(title, security::DisplayMode::line));
    }
    if (!options.webhook.empty()) {
        auto wanted = switch_of(options, *places);
        wanted.keep_old = false;  // what was there before is kept already
        if (const auto set = switch_updates(wanted); !set) return report(set.error());
    }
    if (options.no_test) return exit_holds;
    const auto code = try_it(*places, *made);
    if (code == exit_holds) {
        tell("Now: {} run {} --prompt 'create the file hello.txt'\n", own_command(), example_runtime());
    }
    return code;
}

}  // namespace

void add_setup_telegram(Command& setup) {
    auto bot = setup.subcommand("telegram", "Connect a bot, pair your account, send a test approval");
    auto options = std::make_shared<SetupOptions>();
    bot.option(
        "--config", options->config,
        "The file to write (default: ~/.config/countersign/countersign.toml). If it exists, the bot and the person "
        "are added to it");
    bot.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)");
    bot.option("--person", options->person, "Your name in the configuration; asked for without it");
    bot.option("--base-url", options->base_url, "Of another Bot API server than Telegram's own");
    const auto webhook = bot.option("--webhook", options->webhook,
                                    "Telegram brings updates to this https address of yours; a bot that is configured "
                                    "already is switched over");
    bot.flag("--poll", options->poll, "Takes the webhook away again: updates are polled, no address is needed")
        .excludes(webhook);
    bot.option("--listen", options->listen,
               "Where this machine waits for them, behind a proxy that has the TLS (default: 127.0.0.1:8080)");
    bot.option("--channel", options->channel,
               "The channel's name: of the new bot (default: phone), or with --webhook and --poll which bot is meant");
    bot.flag(
        "--force", options->force,
        "Replace a configuration that exists instead of adding to it; the old one is kept as FILE.bak, or FILE.bak.1 "
        "and so on. Also removes a webhook that another program set");
    bot.flag("--no-test", options->no_test, "Send no test approval");
    bot.footer("docs/channels/telegram.md begins at @BotFather. The token is asked for, never an argument.\n\n"
               "Example: countersign setup telegram --person alice\n"
               "Later, with an address of yours: countersign setup telegram --webhook https://your.host\n"
               "and back again: countersign setup telegram --poll");
    bot.runs([options] { return setup_telegram(*options); });
}

}  // namespace countersign::app
