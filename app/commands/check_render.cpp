// SPDX-License-Identifier: Apache-2.0
// `check render <kind>`: prints what a channel would send for an event, byte for byte, without sending it.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "channels/catalogue.hpp"
#include "channels/preview.hpp"
#include "runtimes/event/translate.hpp"
#include "security/display/display.hpp"
#include "security/redact/redactor.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace countersign::app {
namespace {

struct RenderOptions {
    std::string file;
    std::string chat;
    std::string channel;
    std::string language = "en";
    std::string agent = "agent";
    std::string cwd;
    bool text = false;
};

// A fixed key instead of a hub's own, so that two runs can be compared. No channel accepts it.
security::Secret example_key() { return security::Secret{std::string(32, '\0')}; }

Result<Presentation> presentation_of(const RenderOptions& options, WallTime now) {
    auto input = read_file(options.file);
    if (!input) return input.error();
    while (!input->empty() && (input->back() == '\n' || input->back() == '\r')) input->pop_back();
    const Rules rules;
    // As in `run event`: what a card says about paths and scripts depends on the directory.
    const security::Redactor redactor{example_key(), {}};
    auto translated =
        runtimes::event::translate(*input, {.agent_id = options.agent,
                                            .session_key = "default",
                                            .requester = {},
                                            .cwd = options.cwd.empty() ? working_directory() : options.cwd,
                                            .rules = rules,
                                            .redactor = redactor,
                                            .files = agent_files()});
    if (!translated) return translated.error();
    Presentation presentation{.request = std::make_shared<const Request>(std::move(translated->request)),
                              .to = {.chat = options.chat, .principal = {}},
                              .audience = {.language = options.language}};
    if (const auto* approval = presentation.request->approval()) {
        presentation.offered = offered(approval->options, {.may_grant = presentation.request->judgement.may_grant,
                                                           .grant_note = presentation.request->grant_note});
    }
    if (const auto timeout = presentation.request->timeout) presentation.expires = now + *timeout;
    return presentation;
}

// A file is sent as a form; prints its text fields and the file's name.
void print_call(const channels::Outgoing& call) {
    tell("{}\n", call.path);
    if (const auto* body = std::get_if<std::string>(&call.body)) {
        show("{}\n", *body);
        return;
    }
    for (const auto& part : std::get<Form>(call.body)) {
        show("{}{}{}: {}\n", part.name, part.file_name.empty() ? "" : " ", part.file_name, part.data);
    }
}

// Prints one line for each row of buttons.
Result<void> print_card(const channels::Outgoing& card, const channels::Preview& preview) {
    const auto read = preview.read(card);
    if (!read) return read.error();
    show("{}\n", security::display(read->words, security::DisplayMode::block));
    for (const auto& row : read->buttons) {
        show("{}\n", security::display(fmt::format("[{}]", fmt::join(row, "] [")), security::DisplayMode::line));
    }
    return {};
}

int check_render(const RenderOptions& options, const channels::Preview& preview) {
    const auto now = SystemClock{}.wall();
    const auto presentation = presentation_of(options, now);
    if (!presentation) return report(presentation.error());
    const security::ButtonTokens tokens{example_key()};
    const security::ShortCodes codes{example_key()};
    const auto parcel =
        preview.render(*presentation, {.channel = options.channel, .chat = options.chat, .target = options.chat},
                       {tokens, codes}, now);
    if (parcel.document) print_call(*parcel.document);
    if (!options.text) {
        print_call(parcel.card);
    } else if (const auto printed = print_card(parcel.card, preview); !printed) {
        return report(printed.error());
    }
    return exit_holds;
}

void add_kind(Command& render, const std::string& kind, const channels::Preview& preview) {
    auto command = render.subcommand(kind, std::string{preview.help});
    auto options = std::make_shared<RenderOptions>(RenderOptions{.chat = std::string{preview.chat}, .channel = kind});
    command.option("EVENT.json", options->file, "The event; - is standard input").required();
    command.option("--chat", options->chat, "The chat it would go to").shows_default();
    command.option("--channel", options->channel, "The channel's name").shows_default();
    command.option("--agent", options->agent, "Who asks").shows_default();
    command.option("--cwd", options->cwd, "Where the agent was started (default: here)").type_name("DIR");
    std::vector<std::string> languages;
    for (const auto tag : channels::language_tags()) languages.emplace_back(tag);
    command.option("--language", options->language, "The language of our own words").one_of(languages).shows_default();
    command.flag("--text", options->text, "The card as people read it, without styles, and its buttons");
    command.footer("Buttons are made with an example key: no bot accepts them.\n\n"
                   "Example: countersign check render " +
                   kind + " --text EVENT.json");
    command.runs([options, &preview] { return check_render(*options, preview); });
}

}  // namespace

void add_check_render(Command& check) {
    auto render = check.subcommand("render", "Print what a channel would send for an event");
    render.needs_subcommand();
    for (const auto& entry : channel_registry()) {
        if (entry.preview != nullptr) add_kind(render, std::string{entry.kind.name}, *entry.preview);
    }
}

}  // namespace countersign::app
