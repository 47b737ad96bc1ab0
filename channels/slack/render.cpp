// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/render.hpp"

#include "channels/buttons.hpp"
#include "channels/risk_words.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace countersign::channels::slack {

namespace {

using security::ButtonVerb;

constexpr ButtonRules button_rules{
    .text = text_rules, .label_units_max = limits::slack_label_units, .buttons_max = limits::slack_choices_max};
constexpr std::size_t choice_buttons_max = 5;  // more choices are a list

// What a token is for, by its own letters: "d00" decides for the first option. A press is known by the whole token.
std::string action_of(std::string_view token) {
    return std::string{token.substr(1, 1)} + std::string{token.substr(28, 2)};
}
bool is_choice(const CardButton& button) { return button.data[1] == 'q'; }

std::string_view style_of(CardButton::Tone tone) {
    if (tone == CardButton::Tone::good) return "primary";
    return tone == CardButton::Tone::bad ? "danger" : "";
}

bool allows(CardButton::Tone tone) { return tone == CardButton::Tone::good || tone == CardButton::Tone::lasting; }

class Blocks {
public:
    void header(std::string_view words) {
        blocks_.push_back({{"type", "header"}, {"text", plain_text(words, limits::slack_header_units_max)}});
    }
    // Small lines, each as it is.
    void context(std::span<const TextLine> lines) {
        for (auto rest = lines; !rest.empty();) {
            const auto count = std::min(rest.size(), limits::slack_context_elements_max);
            auto elements = Json::array();
            for (const auto& line : rest.first(count)) {
                elements.push_back(plain_text(line.text(text_rules), limits::slack_context_units_max));
            }
            blocks_.push_back({{"type", "context"}, {"elements", std::move(elements)}});
            rest = rest.subspan(count);
        }
    }
    void rich(const std::vector<TextLine>& lines) {
        if (auto block = rich_text(lines); !block.is_null()) blocks_.push_back(std::move(block));
    }
    void add(Json block) { blocks_.push_back(std::move(block)); }
    [[nodiscard]] Json take() { return std::move(blocks_); }

private:
    Json blocks_ = Json::array();
};

// Only lines that a context block shows whole, and that need no style.
bool is_small(const TextLine& line) {
    return !line.pieces.empty() && !line.is_frame() && !line.has(TextStyle::bold) && !line.has(TextStyle::mention) &&
           text_rules.units(line.text(text_rules)) <= limits::slack_context_units_max;
}

// The title, who asks and where in small letters, all that is to be judged, and how to answer in small letters again.
void lay_out(Blocks& blocks, const Phrase& phrase) {
    const auto all = lines_of(phrase);
    std::span<const TextLine> rest{all};
    const bool has_title = !rest.empty() && rest[0].pieces.size() == 1 && rest[0].has(TextStyle::bold);
    if (has_title) {
        blocks.header(rest[0].text(text_rules));
        rest = rest.subspan(1);
        const auto facts = std::ranges::find_if_not(rest, is_small) - rest.begin();
        blocks.context(rest.first(static_cast<std::size_t>(facts)));
        rest = rest.subspan(static_cast<std::size_t>(facts));
    }
    std::size_t small = 0;  // what can be typed, and the request's id
    while (small < 2 && small < rest.size() && is_small(rest[rest.size() - 1 - small])) ++small;
    blocks.rich({rest.begin(), rest.end() - static_cast<std::ptrdiff_t>(small)});
    blocks.context(rest.last(small));
}

class Actions {
public:
    Actions(const Presentation& presentation, const MessageTarget& spot, const Keys& keys)
        : presentation_{presentation},
          request_{*presentation.request},
          language_{language_of(presentation.audience.language)},
          spot_{spot},
          keys_{keys} {}

    // `shows_all` is false where the card shows a beginning only.
    void add_to(Blocks& blocks, bool may_allow, bool shows_all) {
        const auto rows = card_buttons(presentation_, spot_, keys_, button_rules, may_allow);
        std::vector<CardButton> choices;
        std::vector<Json> group;  // what stands together
        const bool asks = request_.questionnaire() != nullptr;
        const bool gathered = asks && gathers(*request_.questionnaire());
        if (asks && may_allow && takes_words()) group.push_back(opener(Key::open_answer, gathered));
        for (const auto& row : rows) {
            const bool lasts = row.front().tone == CardButton::Tone::lasting;
            if (lasts && !group.empty()) flush(blocks, group);
            for (const auto& button : row) {
                if (!is_choice(button)) {
                    group.push_back(element(button, gathered));
                } else if (!gathered) {
                    choices.push_back(button);
                }
            }
            if (lasts) flush(blocks, group);
        }
        if (!asks && !shows_all) group.push_back(opener(Key::open_whole_text, false));
        pick(blocks, choices);
        flush(blocks, group);
    }

private:
    [[nodiscard]] bool takes_words() const {
        const auto& questions = request_.questionnaire()->questions;
        return gathers(*request_.questionnaire()) || questions.front().free_text || questions.front().choices.empty();
    }

    // A window with the whole text, or with fields for the answers.
    [[nodiscard]] Json opener(Key key, bool primary) const {
        const auto token = keys_.tokens.mint({.verb = ButtonVerb::more,
                                              .request_id = request_.id,
                                              .generation = generation_digit(presentation_.generation)},
                                             {.channel = spot_.channel, .chat = spot_.chat});
        return element({.tone = primary ? CardButton::Tone::good : CardButton::Tone::plain,
                        .label = std::string{pattern(language_, key)},
                        .data = *token},
                       false);
    }

    [[nodiscard]] Json element(const CardButton& button, bool is_quiet) const {
        Json made{{"type", "button"},
                  {"action_id", action_of(button.data)},
                  {"text", plain_text(button.label, limits::slack_button_units_max)},
                  {"value", button.data}};
        const auto style = style_of(button.tone);
        // One button of a card leads on: where answers are gathered that is the one that opens their window.
        if (!style.empty() && !(is_quiet && button.tone == CardButton::Tone::good)) made["style"] = style;
        if (allows(button.tone) && request_.approval() != nullptr) ask_twice(made, button.label);
        return made;
    }

    // What is of high risk is not allowed by a slip of the thumb.
    void ask_twice(Json& button, const std::string& label) const {
        const auto& risk = request_.judgement.risk;
        if (risk.level != RiskLevel::high) return;
        const auto title = text(
            language_, Key::risk,
            {{"level", std::string{pattern(language_, risk_word(risk.level))}}, {"rule", text_rules.line(risk.rule)}});
        button["confirm"] = {
            {"title", plain_text(title, limits::slack_confirm_title_units_max)},
            {"text", plain_text(text_rules.line(summary_of(request_)), limits::slack_confirm_text_units_max)},
            {"confirm", plain_text(label, limits::slack_confirm_button_units_max)},
            {"deny", plain_text(pattern(language_, Key::cancel), limits::slack_confirm_button_units_max)},
            {"style", "danger"}};
    }

    // One of several choices: buttons, or a list where they are many.
    void pick(Blocks& blocks, const std::vector<CardButton>& choices) {
        if (choices.empty()) return;
        std::vector<Json> elements;
        if (choices.size() <= choice_buttons_max) {
            for (const auto& button : choices) elements.push_back(element(button, false));
        } else {
            auto options = Json::array();
            for (const auto& button : choices) {
                options.push_back(
                    {{"text", plain_text(button.label, limits::slack_choice_units_max)}, {"value", button.data}});
            }
            elements.push_back({{"type", "static_select"}, {"action_id", "q"}, {"options", std::move(options)}});
        }
        flush(blocks, elements);
    }

    void flush(Blocks& blocks, std::vector<Json>& elements) {
        for (std::size_t at = 0; at < elements.size(); at += limits::slack_actions_max) {
            const auto end = std::min(elements.size(), at + limits::slack_actions_max);
            auto part = Json::array();
            for (auto i = at; i < end; ++i) part.push_back(std::move(elements[i]));
            blocks.add({{"type", "actions"},
                        {"block_id", request_.id.str() + "." + std::to_string(presentation_.generation) + "." +
                                         std::to_string(++groups_)},
                        {"elements", std::move(part)}});
        }
        elements.clear();
    }

    const Presentation& presentation_;
    const Request& request_;
    Language language_;
    const MessageTarget& spot_;
    const Keys& keys_;
    std::size_t groups_ = 0;
};

// "Approval wanted: builder, Bash: rm -rf build". On a locked phone this is all that is seen.
std::string notice_of(const Presentation& presentation) {
    const auto& request = *presentation.request;
    const auto language = language_of(presentation.audience.language);
    std::string notice{pattern(language, request.approval() != nullptr ? Key::approval_wanted : Key::question)};
    notice += ": ";
    if (!request.agent_id.empty()) notice += text_rules.line(request.agent_id) + ", ";
    if (request.approval() != nullptr) notice += text_rules.line(tool_name_of(request)) + ": ";
    return notice + text_rules.line(summary_of(request));
}

Content content_of(const Phrase& phrase) {
    Blocks blocks;
    blocks.rich(lines_of(phrase));
    return {.notice = phrase.text(), .blocks = blocks.take()};
}

Content laid_out(const Phrase& phrase, std::string notice) {
    Blocks blocks;
    lay_out(blocks, phrase);
    return {.notice = std::move(notice), .blocks = blocks.take()};
}

Content card_content(const Phrase& phrase, const Presentation& presentation, const MessageTarget& spot,
                     const Keys& keys, bool may_allow, bool shows_all) {
    Blocks blocks;
    lay_out(blocks, phrase);
    Actions{presentation, spot, keys}.add_to(blocks, may_allow, shows_all);
    return {.notice = notice_of(presentation), .blocks = blocks.take()};
}

NewMessage where_of(const MessageTarget& spot) {
    NewMessage where{.chat = spot.target, .thread = spot.thread};
    if (spot.reply_to && is_timestamp(*spot.reply_to)) where.thread = *spot.reply_to;
    return where;
}

// A thread has one level: below a message of a thread is below its first one, which the card itself went to.
NewMessage below(const MessageTarget& spot, const std::string& message) {
    auto where = where_of(spot);
    if (where.thread.empty() && is_timestamp(message)) where.thread = message;
    return where;
}

Call to_person(const std::string& chat, const Private& to, const Phrase& words) {
    return post_ephemeral({.chat = chat, .thread = to.thread}, to.user, content_of(words));
}

}  // namespace

std::string query_name(const Query& query) {
    return query.chat + (query.quiet ? " quiet " : " heard ") + private_name(query.to);
}

std::optional<Query> query_of(std::string_view name) {
    const auto first = name.find(' ');
    const auto second = first == name.npos ? first : name.find(' ', first + 1);
    if (second == name.npos) return std::nullopt;
    const auto to = private_of(name.substr(second + 1));
    if (!to) return std::nullopt;
    return Query{.chat = std::string{name.substr(0, first)},
                 .to = *to,
                 .quiet = name.substr(first + 1, second - first - 1) == "quiet"};
}

bool SlackRenderer::calls_people(const Presentation& /*presentation*/, const MessageTarget& spot) const {
    return is_channel(spot.chat);
}

Outgoing SlackRenderer::post_card(const Presentation& presentation, const MessageTarget& spot, const Phrase& words,
                                  Buttons buttons) const {
    return post_message(where_of(spot),
                        card_content(words, presentation, spot, keys(), buttons.may_allow, buttons.shows_all));
}

Outgoing SlackRenderer::edit_card(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message, const Phrase& words, Buttons buttons) const {
    return update_message({spot.target, message},
                          card_content(words, presentation, spot, keys(), buttons.may_allow, buttons.shows_all));
}

Outgoing SlackRenderer::end_card(const Presentation& presentation, const MessageTarget& spot,
                                 const std::string& message, const Phrase& words, const Conclusion& conclusion) const {
    auto notice = conclusion_text(conclusion, language_of(presentation.audience.language), text_rules).text();
    return update_message({spot.target, message}, laid_out(words, std::move(notice)));
}

Outgoing SlackRenderer::conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                         const std::string& document, const Conclusion& conclusion) const {
    return message_of(below(spot, document),
                      conclusion_text(conclusion, language_of(presentation.audience.language), text_rules));
}

Outgoing message_of(const NewMessage& where, const Phrase& words) { return post_message(where, content_of(words)); }

Outgoing SlackRenderer::note(const MessageTarget& spot, const Note& note) const {
    return message_of(where_of(spot), note.words);
}

Outgoing SlackRenderer::note_below(const MessageTarget& spot, const std::string& message, const Note& note) const {
    return message_of(below(spot, message), note.words);
}

Outgoing SlackRenderer::replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                std::optional<Outcome> /*ended*/) const {
    return update_message({spot.target, message}, content_of(words));
}

Outgoing SlackRenderer::file(const MessageTarget& spot, File file) const {
    return upload(where_of(spot), {std::move(file.name), std::move(file.text), file.caption.text()});
}

Outgoing SlackRenderer::reply(const MessageTarget& spot, const Phrase& words) const {
    const auto to = private_of(spot.reply_to.value_or(""));
    return to ? to_person(spot.target, *to, words) : message_of(where_of(spot), words);
}

Outgoing SlackRenderer::answer(const std::string& query, const Phrase& words, bool alert) const {
    const auto to = query_of(query);
    return !to || (to->quiet && !alert) ? no_call() : to_person(to->chat, to->to, words);
}

Reply SlackRenderer::in_slot(const Phrase& words, bool /*alert*/) const { return command_reply(words); }

Reply command_reply(const Phrase& words) {
    const auto content = content_of(words);
    const Json body{{"response_type", "ephemeral"},
                    {"text", escaped(fitted(content.notice, limits::slack_notice_units_max))},
                    {"blocks", content.blocks}};
    return {.status = 200, .content_type = "application/json", .body = dumped(body)};
}

Outgoing SlackRenderer::reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted, Language language) const {
    return message_of(below(spot, wanted.card), reason_wanted_text(wanted, language));
}

Outgoing SlackRenderer::reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                     Language language) const {
    auto content = content_of(Phrase{language, Key::reply_decides_nothing});
    auto elements = Json::array();
    for (const auto& row : offer_button(presentation, spot, keys(), button_rules, language)) {
        for (const auto& button : row) {
            elements.push_back({{"type", "button"},
                                {"action_id", action_of(button.data)},
                                {"text", plain_text(button.label, limits::slack_button_units_max)},
                                {"value", button.data},
                                {"style", "danger"}});
        }
    }
    content.blocks.push_back({{"type", "actions"},
                              {"block_id", presentation.request->id.str() + ".offer"},
                              {"elements", std::move(elements)}});
    return post_message(where_of(spot), content);
}

}  // namespace countersign::channels::slack
