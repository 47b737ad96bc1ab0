// SPDX-License-Identifier: Apache-2.0
// `check render telegram`: the call to the Bot API for an event, byte for byte, without sending it.
#include "app/channels/open.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "channels/catalogue.hpp"
#include "channels/telegram/render.hpp"
#include "core/json/read.hpp"
#include "runtimes/event/translate.hpp"
#include "security/display/display.hpp"
#include "security/redact/redactor.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace countersign::app {
namespace {

namespace telegram = channels::telegram;

struct RenderOptions {
    std::string file;
    std::string chat = "77";
    std::string channel = "telegram";
    std::string language = "en";
    bool text = false;
};

// A hub has its own keys. These are the same every time, so that two runs can be compared, and no bot believes them.
security::Secret example_key() { return security::Secret{std::string(32, '\0')}; }

Result<Presentation> presentation_of(const RenderOptions& options, WallTime now) {
    auto input = read_file(options.file);
    if (!input) return input.error();
    while (!input->empty() && (input->back() == '\n' || input->back() == '\r')) input->pop_back();
    const Rules rules;
    const security::Redactor redactor{example_key(), {}};
    auto translated = runtimes::event::translate(
        *input, {.agent_id = "agent", .session_key = "default", .rules = rules, .redactor = redactor});
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

// A file goes as a form, of which the text fields and the file's name are shown.
void print_call(const telegram::Call& call) {
    tell("{}\n", call.path);
    if (const auto* body = std::get_if<std::string>(&call.body)) {
        show("{}\n", *body);
        return;
    }
    for (const auto& part : std::get<Form>(call.body)) {
        show("{}{}{}: {}\n", part.name, part.file_name.empty() ? "" : " ", part.file_name, part.data);
    }
}

const json::Value* member(const json::Value* value, std::string_view name) {
    const auto* object = value == nullptr ? nullptr : value->object();
    return object == nullptr ? nullptr : object->find(name);
}

std::string text_of(const json::Value& value) {
    const auto* text = member(&value, "text");
    return text == nullptr || text->string() == nullptr ? std::string{} : *text->string();
}

// As a person reads it: the text without its styles, then a line a row of buttons.
Result<void> print_card(const telegram::Call& card) {
    const auto body = json::read(std::get<std::string>(card.body));
    if (!body) return body.error();
    show("{}\n", security::display(text_of(body->value), security::DisplayMode::block));
    const auto* keyboard = member(member(&body->value, "reply_markup"), "inline_keyboard");
    if (keyboard == nullptr || keyboard->array() == nullptr) return {};
    for (const auto& row : *keyboard->array()) {
        if (row.array() == nullptr) continue;
        std::string line;
        for (const auto& button : *row.array()) line += (line.empty() ? "[" : " [") + text_of(button) + "]";
        show("{}\n", security::display(line, security::DisplayMode::line));
    }
    return {};
}

int check_render_telegram(const RenderOptions& options) {
    const auto now = SystemClock{}.wall();
    const auto presentation = presentation_of(options, now);
    if (!presentation) return report(presentation.error());
    const security::ButtonTokens tokens{example_key()};
    const security::ShortCodes codes{example_key()};
    const auto rendering =
        telegram::render(*presentation, {.channel = options.channel, .chat = options.chat, .target = options.chat},
                         {tokens, codes}, now);
    if (rendering.document) print_call(*rendering.document);
    if (!options.text) {
        print_call(rendering.card);
    } else if (const auto printed = print_card(rendering.card); !printed) {
        return report(printed.error());
    }
    return exit_holds;
}

}  // namespace

void add_render_telegram(Command& render) {
    auto telegram = render.subcommand("telegram", "The body of the Bot API call; its method on standard error");
    auto options = std::make_shared<RenderOptions>();
    telegram.option("EVENT.json", options->file, "The event; - is standard input").required();
    telegram.option("--chat", options->chat, "The chat it would go to").shows_default();
    telegram.option("--channel", options->channel, "The channel's name").shows_default();
    std::vector<std::string> languages;
    for (const auto tag : channels::language_tags()) languages.emplace_back(tag);
    telegram.option("--language", options->language, "The language of our own words").one_of(languages).shows_default();
    telegram.flag("--text", options->text, "The card as people read it, without styles, and its buttons");
    telegram.footer("Buttons are made with an example key: no bot accepts them.\n\n"
                    "Example: countersign check render telegram --text EVENT.json");
    telegram.runs([options] { return check_render_telegram(*options); });
}

}  // namespace countersign::app
