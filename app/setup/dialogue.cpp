// SPDX-License-Identifier: Apache-2.0
#include "app/setup/dialogue.hpp"

#include "app/channels/registry.hpp"
#include "app/input.hpp"
#include "app/invocation.hpp"
#include "app/open_hub.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "app/setup/additions.hpp"
#include "app/setup/ask.hpp"
#include "app/setup/channel_table.hpp"
#include "app/setup/configured_channel.hpp"
#include "app/setup/files.hpp"
#include "app/setup/test_approval.hpp"
#include "app/system_clock.hpp"
#include "app/system_ids.hpp"
#include "audit/state_directory.hpp"
#include "channels/setup.hpp"
#include "config/config.hpp"
#include "config/fields.hpp"
#include "net/http_client.hpp"
#include "security/display/display.hpp"
#include "security/hmac.hpp"
#include "security/secret_file.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace countersign::app::setup {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

struct SetupOptions {
    std::string config;
    std::string state;
    std::string person;
    std::string channel;
    std::string chat;
    bool force = false;
    bool no_test = false;
    // The platform's own options, by name.
    std::map<std::string, std::string, std::less<>> texts = {};
    std::map<std::string, bool, std::less<>> flags = {};
};

// One run of a platform's half of the setup, and the services it needs.
class PlatformSetup {
public:
    PlatformSetup(const ChannelEntry& entry, const SetupOptions& options)
        : setup_{entry.setup->open({.executor = io_.get_executor(),
                                    .http = http_,
                                    .clock = clock_,
                                    .ids = ids_,
                                    .tell = [](const std::string& text) { tell("{}", text); },
                                    .given = given(options),
                                    .force = options.force,
                                    .command = own_command() + " setup " + std::string{entry.kind.name},
                                    .address = address_of(entry, options)})} {}

    channels::Setup* operator->() { return setup_.get(); }

    // Runs one of its steps to the end.
    template <class Value> Result<Value> finish(asio::awaitable<Result<Value>> step) {
        Result<Value> outcome;
        asio::co_spawn(io_, std::move(step), [&](const std::exception_ptr& failed, Result<Value> result) {
            leave_if_broken(failed);
            outcome = std::move(result);
        });
        io_.run();
        io_.restart();
        return outcome;
    }

private:
    static std::function<Result<std::string>(const std::string&)> address_of(const ChannelEntry& entry,
                                                                             const SetupOptions& options) {
        return [&entry, name = options.channel](const std::string& given) {
            const auto channel = name.empty() ? std::string{entry.setup->channel} : name;
            return webhook_address(std::string{entry.setup->title},
                                   {.name = channel, .kind = std::string{entry.kind.name}}, given);
        };
    }
    static std::map<std::string, std::string, std::less<>> given(const SetupOptions& options) {
        std::map<std::string, std::string, std::less<>> all;
        for (const auto& [name, text] : options.texts) {
            if (!text.empty()) all[name] = text;
        }
        for (const auto& [name, is_given] : options.flags) {
            if (is_given) all[name] = "true";
        }
        return all;
    }

    asio::io_context io_{1};
    net::CurlHttpClient http_{io_.get_executor()};
    SystemClock clock_;
    SystemIds ids_{clock_};
    std::unique_ptr<channels::Setup> setup_;
};

// All paths, known before anything is asked. Full paths, because the configuration names secret files by them.
struct Places {
    std::string config;
    std::string state;

    [[nodiscard]] std::string beside_config(std::string_view file) const {
        return (fs::path{config}.parent_path() / file).string();
    }
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
    return Places{.config = whole.string(), .state = *state};
}

bool is_there(const std::string& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

// An existing configuration is extended. Without one, an existing secret file belongs to another bot.
Result<void> check_secret_files(PlatformSetup& setup, const SetupOptions& options, const Places& places) {
    if (options.force || is_there(places.config)) return {};
    for (const auto& credential : setup->credentials()) {
        const auto file = places.beside_config(credential.file);
        if (!is_there(file)) continue;
        return Error{Errc::conflict, file + " is there already; --force replaces it, --config writes elsewhere"};
    }
    return {};
}

// The existing configuration, if it is to be extended.
struct Existing {
    std::string text;
    Configuration configuration;
};
Result<std::optional<Existing>> existing_configuration(const SetupOptions& options, const Places& places) {
    if (options.force || !is_there(places.config)) return std::optional<Existing>{};
    auto loaded = config::load_config(places.config, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config,
                     places.config + ": invalid configuration; correct it, or replace it with --force"};
    }
    auto text = read_file(places.config);
    if (!text) return text.error();
    return std::optional{Existing{std::move(*text), std::get<Configuration>(std::move(loaded))}};
}

// Two channels with the same bot would take each other's updates.
Result<void> check_new_bot(const Configuration& configuration, const ChannelKind& kind,
                           const channels::Credential& credential, const security::Secret& value) {
    for (const auto& [name, channel] : configuration.channels) {
        const auto file = channel.settings.find(std::string{credential.setting});
        if (channel.kind != kind.name || file == channel.settings.end()) continue;
        const auto there = security::find_secret(file->second, security::credentials_directory());
        if (there && security::is_secret(*there, value.reveal())) {
            return Error{Errc::conflict, "this bot is the channel " + name + " already"};
        }
    }
    return {};
}

Result<std::string> taken_name(Result<std::string> name) {
    if (name && !config::is_name(*name))
        return Error{Errc::bad_config, "a name has a-z, 0-9, - and _ only, 1 to 64 of them"};
    return name;
}

Result<std::string> person_name(const SetupOptions& options, const channels::PairedPerson& paired) {
    if (!options.person.empty()) return options.person;
    const auto usual = name_from(paired.first_name);
    return ask_again<std::string>(tries_of_input(),
                                  [&] { return taken_name(ask_line("Your name in the configuration:", usual)); });
}

// The private chat, or a chat that the platform can show requests in.
Result<std::string> usable_chat(PlatformSetup& setup, std::string chat) {
    if (chat.empty()) return chat;
    const auto usable = setup.finish(setup->check_chat(chat));
    if (!usable) return usable.error();
    return chat;
}

// Where to show requests: the private chat, unless the person chooses a group that the bot is in. Without a person to
// ask, --chat decides.
Result<std::string> chat_to_ask_in(PlatformSetup& setup, const SetupOptions& options,
                                   const channels::PairedPerson& paired) {
    if (!options.chat.empty() || paired.groups.empty() || !input_is_terminal()) {
        return usable_chat(setup, options.chat);
    }
    std::vector<std::string> chats{""};
    tell("\nWhere should requests be shown?\n    1  your private chat with the bot\n");
    for (const auto& [id, title] : paired.groups) {
        chats.push_back(id);
        tell("    {}  {} ({}), where everyone reads them\n", chats.size(),
             security::display(title, security::DisplayMode::line), id);
    }
    return ask_again<std::string>(tries_of_input(), [&]() -> Result<std::string> {
        const auto answer = ask_line("Number:", "1");
        if (!answer) return answer.error();
        for (std::size_t at = 0; at < chats.size(); ++at) {
            if (*answer == std::to_string(at + 1)) return usable_chat(setup, chats[at]);
        }
        return Error{Errc::bad_config, fmt::format("not a number of the list; write 1 to {}", chats.size())};
    });
}

// An entered credential, with the file that it will be written to.
struct TakenSecret {
    std::string setting;
    std::string file;
    security::Secret value;
};

Result<std::vector<TakenSecret>> ask_for_credentials(PlatformSetup& setup, const Places& places) {
    std::vector<TakenSecret> taken;
    for (const auto& credential : setup->credentials()) {
        auto value = ask_credential(credential, [&](const security::Secret& secret) {
            return setup.finish(setup->check(credential, secret.duplicate()));
        });
        if (!value) return value.error();
        taken.push_back({.setting = std::string{credential.setting},
                         .file = places.beside_config(credential.file),
                         .value = std::move(*value)});
    }
    return taken;
}

// Pairing takes minutes, and the operator may have edited the file meanwhile.
Result<void> check_unchanged(const Existing& existing, const std::string& config) {
    const auto now = read_file(config);
    if (!now) return now.error();
    if (*now == existing.text) return {};
    return Error{Errc::conflict, config + " changed meanwhile; run the command again"};
}

// The paths of the secret files are settings of the channel, like those that the platform found out.
void add_settings(NewChannel& made, PlatformSetup& setup, const std::vector<TakenSecret>& secrets) {
    for (const auto& secret : secrets) made.settings.emplace_back(secret.setting, secret.file);
    for (auto& setting : setup->settings()) made.settings.push_back(std::move(setting));
}

// Adds the channel to an existing configuration.
Result<std::string> added_to(const Existing& existing, const NewChannel& made) {
    auto added = with_channel(existing.text, existing.configuration, made);
    if (!added) return added.error();
    tell("Added to the configuration:\n");
    for (const auto& line : added->lines) tell("{}\n", line);
    return std::move(added->text);
}

// The name of the new channel. Gives its secrets other file names if the usual ones are taken.
Result<std::string> place_channel(const SetupOptions& options, const std::optional<Existing>& existing,
                                  const std::string& usual, std::vector<TakenSecret>& secrets) {
    if (!existing) return options.channel.empty() ? usual : options.channel;
    auto name = options.channel.empty() ? free_channel_name(existing->configuration, usual) : options.channel;
    if (existing->configuration.channels.contains(name)) {
        return Error{Errc::conflict, "there is a channel " + name + " already: choose another --channel"};
    }
    for (auto& secret : secrets) {
        if (is_there(secret.file)) secret.file += "-" + name;
    }
    return name;
}

// The channel that was configured, and the files that were written.
struct Configured {
    NewChannel made;
    std::vector<std::string> files;
};

Result<Configured> configure(PlatformSetup& setup, const ChannelEntry& entry, const SetupOptions& options,
                             const Places& places, const std::optional<Existing>& existing) {
    auto secrets = ask_for_credentials(setup, places);
    if (!secrets) return secrets.error();
    if (existing) {
        const auto fresh =
            check_new_bot(existing->configuration, entry.kind, setup->credentials().front(), secrets->front().value);
        if (!fresh) return fresh.error();
    }
    const auto paired = setup.finish(setup->pair());
    if (!paired) return paired.error();
    tell("You are {}:{}.\n", entry.kind.principal.name, paired->id);
    const auto person = person_name(options, *paired);
    if (!person) return person.error();
    const auto chat = chat_to_ask_in(setup, options, *paired);
    if (!chat) return chat.error();
    if (existing) {
        if (const auto same = check_unchanged(*existing, places.config); !same) return same.error();
    }
    const auto channel = place_channel(options, existing, std::string{entry.setup->channel}, *secrets);
    if (!channel) return channel.error();
    NewChannel made{.kind = &entry.kind,
                    .title = std::string{entry.setup->title},
                    .person = *person,
                    .id = paired->id,
                    .channel = *channel,
                    .chat = *chat,
                    .groups = paired->groups};
    add_settings(made, setup, *secrets);
    const auto text = existing ? added_to(*existing, made) : Result<std::string>{configuration_toml(made)};
    if (!text) return text.error();
    if (const auto kept = keep_old_configuration(places.config); !kept) return kept.error();
    std::vector<std::string> files{places.config};
    for (const auto& secret : *secrets) {
        if (const auto kept = write_private(secret.file, secret.value.reveal(), options.force); !kept) {
            return kept.error();
        }
        files.push_back(secret.file);
    }
    if (const auto kept = write_private(places.config, *text, existing || options.force); !kept) return kept.error();
    return Configured{.made = std::move(made), .files = std::move(files)};
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

asio::awaitable<int> try_with(Host& host, const ChannelEntry& entry, const Places& places, const NewChannel& made) {
    if (const auto opened = co_await open_fronts(host, {}, AccessLog::left_out); !opened) {
        co_return co_await give_up(host, opened.error());
    }
    tell("A test is on its way to you. Tap one of its buttons in {} …\n", entry.setup->title);
    const auto answer = co_await test_approval(host);
    if (!answer) co_return report(answer.error());
    tell("It ended as: {}.\n", name(answer->outcome));
    say_where_the_proof_is(places.state);
    const auto why = unproved(*answer, made.person, made.channel);
    if (why.empty()) co_return exit_holds;
    tell("{}, so this is not proved to work; {} run {} tries again.\n", why, own_command(), example_runtime());
    co_return exit_does_not_hold;
}

int try_it(const ChannelEntry& entry, const Places& places, const NewChannel& made) {
    auto loaded = config::load_config(places.config, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return exit_does_not_hold;
    }
    Host host;
    host.say = [](const std::string& line) { tell("{}\n", security::display(line, security::DisplayMode::block)); };
    auto bridge = Bridge::open(
        host.io, {.state = places.state,
                  .configuration = std::make_shared<const Configuration>(std::get<Configuration>(std::move(loaded))),
                  .command = "setup " + std::string{entry.kind.name}});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    return run_on(host, try_with(host, entry, places, made));
}

Result<std::string> change(PlatformSetup& setup, ChannelInFile::Wanted wanted) {
    auto channel = ChannelInFile::find(std::move(wanted));
    if (!channel) return channel.error();
    return setup.finish(setup->change(*channel));
}

ChannelInFile::Wanted channel_meant(const ChannelEntry& entry, const SetupOptions& options, const Places& places) {
    return {.config = places.config,
            .state = places.state,
            .kind = std::string{entry.kind.name},
            .title = std::string{entry.setup->title},
            .channel = options.channel};
}

// Connects a new channel and writes it down. Then applies the options that change a configured channel.
Result<NewChannel> connect(PlatformSetup& setup, const ChannelEntry& entry, const SetupOptions& options,
                           const Places& places) {
    if (const auto free = check_secret_files(setup, options, places); !free) return free.error();
    const auto existing = existing_configuration(options, places);
    if (!existing) return existing.error();
    if (const auto alone = no_hub_runs(places.state); !alone) return alone.error();
    auto configured = configure(setup, entry, options, places, *existing);
    if (!configured) return configured.error();
    tell("Wrote these files, readable by you alone:\n    {}\n", fmt::join(configured->files, "\n    "));
    for (const auto& [id, title] : configured->made.groups) {
        if (input_is_terminal()) break;  // they were offered for choice
        tell("The bot is in the group {} ({}).\n", id, security::display(title, security::DisplayMode::line));
    }
    if (setup->changes_channel(true)) {
        auto wanted = channel_meant(entry, options, places);
        wanted.channel = configured->made.channel;
        wanted.keep_old = false;  // the old file has been saved already
        if (const auto changed = change(setup, std::move(wanted)); !changed) return changed.error();
    }
    return std::move(configured->made);
}

std::string complaint_about_chat(const ChannelKind& kind, const std::string& chat) {
    if (chat.empty() || kind.check_chat == nullptr) return {};
    const auto wrong = kind.check_chat(chat);
    return wrong.what.empty() ? std::string{} : wrong.what + "; " + wrong.instead;
}

int set_up(const ChannelEntry& entry, const SetupOptions& options) {
    keep_memory_private();
    if (const auto name = taken_name(options.person.empty() ? "me" : options.person); !name) {
        report({name.error().code, "--person: " + name.error().detail});
        return exit_usage;
    }
    if (const auto wrong = complaint_about_chat(entry.kind, options.chat); !wrong.empty()) {
        report({Errc::bad_config, "--chat: " + wrong});
        return exit_usage;
    }
    const auto places = places_of(options);
    if (!places) return report(places.error());
    std::optional<PlatformSetup> setup;
    setup.emplace(entry, options);
    if (const auto text = (*setup)->printed()) {
        if (!*text) return report(text->error());
        show("{}", **text);
        return exit_holds;
    }
    if ((*setup)->changes_channel(is_there(places->config))) {
        const auto changed = change(*setup, channel_meant(entry, options, *places));
        if (!changed) return report(changed.error());
        tell("{}\n", *changed);
        return exit_holds;
    }
    const auto made = connect(*setup, entry, options, *places);
    if (!made) return report(made.error());
    setup.reset();
    if (options.no_test) {
        // Creates the state directory, so that `countersign halt` finds it before a hub has run.
        const auto directory = audit::StateDirectory::open(places->state);
        if (!directory) return report(directory.error());
        return exit_holds;
    }
    const auto code = try_it(entry, *places, *made);
    if (code == exit_holds) {
        tell("Now: {} run {} --prompt 'create the file hello.txt'\n", own_command(), example_runtime());
    }
    return code;
}

void add_platform_options(Command& command, const channels::SetupKind& kind,
                          const std::shared_ptr<SetupOptions>& options) {
    std::map<std::string_view, Parameter> added;
    for (const auto& option : kind.options) {
        const std::string name{option.name};
        const std::string help{option.help};
        auto parameter = option.is_flag ? command.flag(name, options->flags[name], help)
                                        : command.option(name, options->texts[name], help);
        if (!option.excludes.empty()) parameter.excludes(added.at(option.excludes));
        added.emplace(option.name, parameter);
    }
}

}  // namespace

void add_dialogue(Command& setup, const ChannelEntry& entry) {
    const auto& kind = *entry.setup;
    auto command = setup.subcommand(std::string{entry.kind.name}, std::string{kind.help});
    auto options = std::make_shared<SetupOptions>();
    command.option("--config", options->config,
                   fmt::format("The file to write (default: ~/.config/countersign/countersign.toml). If it exists, {} "
                               "and the person are added to it",
                               kind.what));
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.option("--person", options->person,
                   "Your name in the configuration; without this option, you are asked for it");
    add_platform_options(command, kind, options);
    command.option("--channel", options->channel, std::string{kind.channel_help});
    command.option("--chat", options->chat,
                   "The id of a group or channel where requests are shown, instead of your private chat");
    command.flag("--force", options->force,
                 fmt::format("Replace a configuration that exists instead of adding to it; the old one is kept as "
                             "FILE.bak, or FILE.bak.1 and so on{}{}",
                             kind.force_help.empty() ? "" : ". ", kind.force_help));
    command.flag("--no-test", options->no_test, "Don't send a test approval");
    command.footer(std::string{kind.footer});
    command.runs([options, &entry] { return set_up(entry, *options); });
}

}  // namespace countersign::app::setup
