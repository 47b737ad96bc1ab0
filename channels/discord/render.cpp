// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/render.hpp"

#include "channels/buttons.hpp"
#include "channels/discord/views.hpp"
#include "channels/risk_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

namespace countersign::channels::discord {

namespace {

using security::ButtonVerb;

constexpr ButtonRules button_rules{.text = text_rules,
                                   .label_units_max = limits::discord_label_units,
                                   .buttons_max = limits::questions_max * limits::choices_max};

// The platform's numbers.
constexpr int row_type = 1;
constexpr int button_type = 2;
constexpr int list_type = 3;
constexpr int text_type = 10;
constexpr int file_type = 13;
constexpr int separator_type = 14;
constexpr int container_type = 17;
constexpr int plain_style = 2;
constexpr int good_style = 3;
constexpr int bad_style = 4;

constexpr int red = 0xED4245;
constexpr int orange = 0xF0A020;
constexpr int green = 0x57F287;
constexpr int blue = 0x5865F2;
constexpr int grey = 0x80848E;

struct RiskLook {
    std::string_view mark;
    int colour;
};
RiskLook look_of(RiskLevel level) {
    if (level == RiskLevel::low) return {"🟢", green};
    return level == RiskLevel::medium ? RiskLook{"🟠", orange} : RiskLook{"🔴", red};
}

int colour_of(const Request& request) {
    return request.approval() == nullptr ? blue : look_of(request.judgement.risk.level).colour;
}

int colour_of(Outcome outcome) {
    if (outcome == Outcome::allowed || outcome == Outcome::answered) return green;
    return outcome == Outcome::denied ? red : grey;
}

int style_of(CardButton::Tone tone) {
    if (tone == CardButton::Tone::good) return good_style;
    return tone == CardButton::Tone::bad ? bad_style : plain_style;
}

Json text_of(std::string content) { return {{"type", text_type}, {"content", std::move(content)}}; }

Json element_of(const CardButton& button) {
    return {{"type", button_type},
            {"style", style_of(button.tone)},
            {"label", fitted(button.label, limits::discord_button_units_max)},
            {"custom_id", button.data}};
}

// Components in the order they are read, in a frame of one colour.
class Layout {
public:
    void text(const std::string& content) {
        if (content.empty()) return;
        units_ += sent_units(content);
        components_.push_back(text_of(content));
    }
    void separator() {
        if (!components_.empty()) components_.push_back({{"type", separator_type}});
    }
    void row(Json elements) {
        if (elements.empty()) return;
        components_.push_back({{"type", row_type}, {"components", std::move(elements)}});
    }
    void buttons(std::vector<CardButton>& buttons) {
        for (std::size_t at = 0; at < buttons.size(); at += limits::discord_row_buttons_max) {
            const auto end = std::min(buttons.size(), at + limits::discord_row_buttons_max);
            auto elements = Json::array();
            for (auto i = at; i < end; ++i) elements.push_back(element_of(buttons[i]));
            row(std::move(elements));
        }
        buttons.clear();
    }
    [[nodiscard]] std::size_t units() const { return units_; }
    [[nodiscard]] Json take(int colour) {
        return Json::array(
            {Json{{"type", container_type}, {"accent_color", colour}, {"components", std::move(components_)}}});
    }

private:
    Json components_ = Json::array();
    std::size_t units_ = 0;
};

using Lines = std::vector<TextLine>;

bool is_small(const TextLine& line) {
    return !line.pieces.empty() && !line.is_frame() && !line.has(TextStyle::bold) && !line.has(TextStyle::mention);
}

// Small print: one paragraph, because a line for each would push the call out of sight on a phone.
std::string small_print(std::span<const TextLine> lines) {
    std::string made;
    for (const auto& line : lines) made += (made.empty() ? "-# " : " · ") + markdown(line);
    return made;
}

// A card's lines by what they are for.
struct Parts {
    Lines head;   // the title, or how it ended
    Lines facts;  // who asks, and where
    Lines body;   // all that is to be judged, of an approval beginning with its risk
    Lines foot;   // until when, and what can be typed
};
Parts parts_of(const Phrase& phrase, bool has_ended) {
    const auto all = lines_of(phrase);
    const auto from = [](auto begin, auto end) { return Lines{begin, end}; };
    auto body = all.begin() + (all.empty() ? 0 : 1);
    if (has_ended) body = std::ranges::find_if(all, [](const TextLine& line) { return line.pieces.empty(); });
    Parts parts{.head = from(all.begin(), body)};
    while (body != all.end() && body->pieces.empty()) ++body;
    const auto facts = std::find_if_not(body, all.end(), is_small);
    parts.facts = from(body, facts);
    auto foot = all.end();
    const std::ptrdiff_t foot_max = has_ended ? 1 : 3;
    while (foot != facts && all.end() - foot < foot_max && is_small(*(foot - 1))) --foot;
    parts.body = from(facts, foot);
    parts.foot = from(foot, all.end());
    return parts;
}

// What the call is written in, so that it is coloured like that.
std::string_view syntax_of(const Request& request) {
    const auto* approval = request.approval();
    if (approval == nullptr) return {};
    if (approval->display_text.starts_with('{') || approval->display_text.starts_with('[')) return "json";
    constexpr std::array<std::string_view, 4> shells{"shell", "Bash", "bash", "run_shell_command"};
    return std::ranges::find(shells, tool_name_of(request)) == shells.end() ? "" : "sh";
}

// The call is the first frame of an approval's card.
void set_syntax(Lines& lines, std::string_view syntax) {
    const auto call = std::ranges::find_if(lines, [](const TextLine& line) { return line.is_frame(); });
    if (call != lines.end() && call->pieces.front().detail.empty()) call->pieces.front().detail = syntax;
}

// "## Approval wanted", and loudly what is of high risk: there is no second question before a button counts.
std::string heading(Parts& parts, const Request& request, bool has_ended) {
    const auto first = parts.head.empty() ? TextLine{} : parts.head.front();
    auto made = has_ended ? "### " + markdown(first) : "## " + escaped(first.text(text_rules), false);
    if (parts.head.size() > 1) made += "\n" + markdown(Lines{parts.head.begin() + 1, parts.head.end()});
    if (request.approval() == nullptr || parts.body.empty()) return made;
    const auto level = request.judgement.risk.level;
    const bool loud = level == RiskLevel::high && !has_ended;
    made += (loud ? "\n### " : "\n") + std::string{look_of(level).mark} + " " + markdown(parts.body.front());
    parts.body.erase(parts.body.begin());
    return made;
}

bool begins_question(const TextLine& line) {
    return !line.pieces.empty() && line.pieces.front().style == TextStyle::bold;
}

class Card {
public:
    Card(const Presentation& presentation, const MessageTarget& spot, const Keys* keys)
        : presentation_{presentation},
          request_{*presentation.request},
          language_{language_of(presentation.audience.language)},
          spot_{spot},
          keys_{keys} {}

    // `keys` is null where it has ended: no buttons.
    Layout lay_out(const Phrase& phrase, bool may_allow) {
        const bool has_ended = keys_ == nullptr;
        auto parts = parts_of(phrase, has_ended);
        Layout layout;
        const auto head = heading(parts, request_, has_ended);
        const auto facts = small_print(parts.facts);
        layout.text(facts.empty() ? head : head + "\n" + facts);
        layout.separator();
        set_syntax(parts.body, syntax_of(request_));
        if (!has_ended) sort_buttons(may_allow);
        body(layout, parts.body);
        layout.text(small_print(parts.foot) + (has_ended ? std::string{} : countdown()));
        for (auto& row : rows_) layout.buttons(row);
        return layout;
    }

private:
    // "in 5 minutes", which the app keeps right.
    [[nodiscard]] std::string countdown() const {
        if (!presentation_.expires) return {};
        const auto end = std::chrono::floor<std::chrono::seconds>(presentation_.expires->time_since_epoch());
        return " · <t:" + std::to_string(end.count()) + ":R>";
    }

    // An approval's go below it; a question's choices below the question.
    void sort_buttons(bool may_allow) {
        const auto* questionnaire = request_.questionnaire();
        const auto rows = card_buttons(presentation_, spot_, *keys_, button_rules, may_allow);
        std::vector<CardButton> group;
        if (questionnaire != nullptr) {
            choices_.resize(questionnaire->questions.size());
            if (may_allow) add_openers(group, *questionnaire);
        }
        std::vector<CardButton> choices;
        for (const auto& row : rows) {
            const bool lasts = row.front().tone == CardButton::Tone::lasting;
            if (lasts) flush(group);
            for (const auto& button : row) {
                const bool is_choice = button.data[1] == 'q';
                (is_choice ? choices : group).push_back(button);
            }
            if (lasts) flush(group);
        }
        flush(group);
        std::size_t next = 0;
        for (std::size_t at = 0; at < choices_.size() && !choices.empty(); ++at) {
            const auto count = questionnaire->questions[at].choices.size();
            for (std::size_t i = 0; i < count; ++i) choices_[at].push_back(choices[next++]);
        }
    }

    void flush(std::vector<CardButton>& group) {
        if (!group.empty()) rows_.push_back(std::exchange(group, {}));
    }

    void add_openers(std::vector<CardButton>& group, const Questionnaire& questionnaire) const {
        const auto pages = answer_pages(questionnaire);
        for (std::size_t page = 0; page < pages; ++page) {
            const auto token = keys_->tokens.mint({.verb = ButtonVerb::more,
                                                   .request_id = request_.id,
                                                   .question = static_cast<std::uint8_t>(page),
                                                   .generation = generation_digit(presentation_.generation)},
                                                  {.channel = spot_.channel, .chat = spot_.chat});
            if (!token) return;
            std::string label{pattern(language_, Key::open_answer)};
            if (pages > 1) label += " (" + std::to_string(page + 1) + "/" + std::to_string(pages) + ")";
            group.push_back({CardButton::Tone::plain, std::move(label), *token});
        }
    }

    void body(Layout& layout, const Lines& lines) {
        auto begin = lines.begin();
        std::size_t question = 0;
        while (begin != lines.end()) {
            const bool asks = request_.questionnaire() != nullptr;
            const auto end = asks ? std::find_if(begin + 1, lines.end(), begins_question) : lines.end();
            layout.text(markdown(Lines{begin, end}));
            if (begins_question(*begin) && question < choices_.size()) pick(layout, question++);
            begin = end;
        }
        while (question < choices_.size()) pick(layout, question++);
    }

    // Where a tap is the whole answer, a few choices are buttons. Else they are a list, which tells all that is taken.
    void pick(Layout& layout, std::size_t at) {
        auto& choices = choices_[at];
        if (choices.empty()) return;
        const bool gathered = gathers(*request_.questionnaire());
        if (!gathered && choices.size() <= limits::discord_choice_buttons_max) return layout.buttons(choices);
        if (choices.size() <= limits::discord_list_options_max) layout.row(Json::array({list(at)}));
    }

    [[nodiscard]] Json list(std::size_t at) const {
        const auto& questions = request_.questionnaire()->questions;
        const auto& question = questions[at];
        const auto& chosen = presentation_.state.chosen;
        auto options = Json::array();
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            const auto& [label, description] = question.choices[i];
            const auto units_max =
                questions.size() > 1 ? limits::discord_choice_units_max : limits::discord_option_units_max;
            Json option{{"label", fitted(std::to_string(i + 1) + ". " + text_rules.line(label), units_max)},
                        {"value", choices_[at][i].data}};
            if (!description.empty() && questions.size() == 1) {
                option["description"] = fitted(text_rules.line(description), limits::discord_option_units_max);
            }
            if (at < chosen.size() && chosen[at].contains(i)) option["default"] = true;
            options.push_back(std::move(option));
        }
        auto hint = questions.size() == 1
                        ? std::string{pattern(language_, Key::question_alone)}
                        : channels::text(language_, Key::question_number, {{"number", std::to_string(at + 1)}});
        if (question.multiple) hint += pattern(language_, Key::question_multiple);
        return {{"type", list_type},
                {"custom_id", custom_id(Part::list, choices_[at].front().data)},
                {"placeholder", fitted(hint, limits::discord_placeholder_units_max)},
                {"min_values", question.multiple ? 0 : 1},
                {"max_values", question.multiple ? question.choices.size() : 1},
                {"options", std::move(options)}};
    }

    const Presentation& presentation_;
    const Request& request_;
    Language language_;
    const MessageTarget& spot_;
    const Keys* keys_;
    std::vector<std::vector<CardButton>> choices_;  // by question
    std::vector<std::vector<CardButton>> rows_;
};

// The ids of those whom a phrase calls.
std::vector<std::string> calls_of(const Phrase& phrase) {
    std::vector<std::string> users;
    for (const auto& piece : phrase.pieces()) {
        const auto user = piece.style == TextStyle::mention ? user_of(piece.detail) : std::nullopt;
        if (user && std::ranges::find(users, *user) == users.end()) users.push_back(*user);
    }
    return users;
}

Content card_content(const Phrase& words, const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                     bool may_allow) {
    auto layout = Card{presentation, spot, &keys}.lay_out(words, may_allow);
    return {.components = layout.take(colour_of(*presentation.request)), .calls = calls_of(words)};
}

// All texts of the card's message together, as the platform counts them. Buttons do not count.
std::size_t card_units(const Phrase& words, const CardText& card, const MessageTarget& spot, const Keys& keys) {
    const auto* of = card.conclusion == nullptr ? &keys : nullptr;
    return Card{card.presentation, spot, of}.lay_out(words, !card.allow_is_missing).units();
}

// Words alone, in lines. What does not fit is left out, and that is said.
Json words_of(const Phrase& phrase) {
    auto lines = lines_of(phrase);
    auto all = markdown(lines);
    constexpr std::string_view mark = "\n…";
    const auto most = limits::discord_text_units_max - mark.size();
    if (sent_units(all) > most) {
        while (lines.size() > 1 && sent_units(markdown(lines)) > most) lines.pop_back();
        all = markdown(lines);
        // One line that is too long: what others wrote stays code.
        if (sent_units(all) > most) all = code_block(text_rules.head(lines.front().text(text_rules), most / 2));
        all += mark;
    }
    return text_of(all.empty() ? "…" : std::move(all));
}

Content content_of(const Phrase& phrase) {
    return {.components = Json::array({words_of(phrase)}), .calls = calls_of(phrase)};
}

Content framed(const Phrase& phrase, int colour) {
    auto content = content_of(phrase);
    content.components = Json::array(
        {Json{{"type", container_type}, {"accent_color", colour}, {"components", std::move(content.components)}}});
    return content;
}

// The messages of a session go into the thread of its first one. In a person's direct messages there are no threads.
NewMessage in_session(const MessageTarget& spot, std::string thread_name) {
    NewMessage where{.chat = spot.target};
    const auto above = message_name(spot.reply_to.value_or(""));
    if (!above || is_direct(where.chat)) return where;
    where.thread = above->thread.empty() ? above->message : above->thread;
    where.thread_name = std::move(thread_name);
    return where;
}

// A reply to this very message, where it is.
NewMessage below(const MessageTarget& spot, const std::string& message) {
    NewMessage where{.chat = spot.target};
    if (auto above = message_name(message)) {
        where.thread = std::move(above->thread);
        where.reply_to = std::move(above->message);
    }
    return where;
}

std::string thread_name(const Request& request) {
    auto name = text_rules.line(request.agent_id);
    if (!request.session_key.empty()) name += (name.empty() ? "" : " · ") + text_rules.line(request.session_key);
    return name.empty() ? request.id.str() : name;
}

SentMessage sent(const MessageTarget& spot, const std::string& message) {
    return {.chat = spot.target, .message = message_name(message).value_or(MessageName{})};
}

// `identity` begins with what kind of message it is.
std::string nonce_for(const MessageTarget& spot, const std::vector<std::string>& identity) {
    std::vector<std::string_view> parts{identity.front(), spot.channel, spot.chat};
    parts.insert(parts.end(), identity.begin() + 1, identity.end());
    return nonce_of(parts);
}

// A card that is tried again is the same message; a later one of the same request is another.
NewMessage place_of(const Presentation& presentation, const MessageTarget& spot, std::string kind) {
    auto where = in_session(spot, thread_name(*presentation.request));
    where.nonce = nonce_for(spot, {std::move(kind), presentation.request->id.str(),
                                   std::to_string(presentation.generation), std::to_string(presentation.id)});
    return where;
}

// A reply to what a person wrote.
NewMessage reply_below(const MessageTarget& spot, std::string kind, std::string what) {
    const auto to = spot.reply_to.value_or("");
    auto where = below(spot, to);
    if (!to.empty()) where.nonce = nonce_for(spot, {std::move(kind), to, std::move(what)});
    return where;
}

Content file_content(const Phrase& caption, const std::string& name) {
    auto content = content_of(caption);
    content.components.push_back({{"type", file_type}, {"file", {{"url", "attachment://" + name}}}});
    return content;
}

}  // namespace

Outgoing message_of(const NewMessage& where, const Phrase& words) { return post_message(where, content_of(words)); }

Reply command_reply(const Phrase& words, bool alert) {
    auto content = content_of(words);
    content.silent = !alert;
    return json_reply(message_response(content));
}

bool DiscordRenderer::calls_people(const Presentation& /*presentation*/, const MessageTarget& spot) const {
    return !is_direct(spot.chat);
}

std::optional<Phrase> DiscordRenderer::whole_words(const CardText& card, const MessageTarget& spot) const {
    auto words = TextRenderer::whole_words(card, spot);
    if (!words) return std::nullopt;
    // For the lines that may be added later.
    const auto kept_free = card_rules.units_max - card_units_max(card.presentation, card_rules);
    const auto room = limits::discord_text_units_max - (card.is_edit ? 0 : kept_free);
    if (card_units(*words, card, spot, keys()) > room) return std::nullopt;
    return words;
}

// A text that is full of what must be escaped is cut again until it fits.
Phrase DiscordRenderer::brief_words(const CardText& card, const MessageTarget& spot) const {
    auto rules = card_rules;
    while (true) {
        auto words = brief_card(card, rules);
        const auto units = card_units(words, card, spot, keys());
        const auto over = units - std::min(units, limits::discord_text_units_max);
        if (over == 0 || rules.units_max < over + limits::discord_card_units_max / 2) return words;
        rules.units_max -= over;
    }
}

Outgoing DiscordRenderer::post_card(const Presentation& presentation, const MessageTarget& spot, const Phrase& words,
                                    Buttons buttons) const {
    return post_message(place_of(presentation, spot, buttons.may_allow ? "card" : "refusal"),
                        card_content(words, presentation, spot, keys(), buttons.may_allow));
}

Outgoing DiscordRenderer::edit_card(const Presentation& presentation, const MessageTarget& spot,
                                    const std::string& message, const Phrase& words, Buttons buttons) const {
    return edit_message(sent(spot, message), card_content(words, presentation, spot, keys(), buttons.may_allow));
}

Outgoing DiscordRenderer::marks(const Presentation& /*presentation*/, const MessageTarget& /*spot*/,
                                const std::string& /*message*/) const {
    return no_call();
}

Outgoing DiscordRenderer::end_card(const Presentation& presentation, const MessageTarget& spot,
                                   const std::string& message, const Phrase& words,
                                   const Conclusion& conclusion) const {
    auto layout = Card{presentation, spot, nullptr}.lay_out(words, false);
    return edit_message(sent(spot, message),
                        {.components = layout.take(colour_of(conclusion.outcome)), .calls = calls_of(words)});
}

Outgoing DiscordRenderer::conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                           const std::string& document, const Conclusion& conclusion) const {
    auto where = below(spot, document);
    where.nonce = nonce_for(spot, {"end", document});
    const auto words = conclusion_text(conclusion, language_of(presentation.audience.language), text_rules);
    return post_message(where, framed(words, colour_of(conclusion.outcome)));
}

Outgoing DiscordRenderer::replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                  std::optional<Outcome> ended) const {
    return edit_message(sent(spot, message), framed(words, ended ? colour_of(*ended) : grey));
}

Outgoing DiscordRenderer::note(const MessageTarget& spot, const Note& note) const {
    auto where = in_session(spot, {});  // no thread is opened for it
    where.nonce = nonce_for(spot, note.identity);
    auto content = content_of(note.words);
    content.silent = true;
    return post_message(where, content);
}

Outgoing DiscordRenderer::note_below(const MessageTarget& spot, const std::string& message, const Note& note) const {
    auto where = below(spot, message);
    where.nonce = nonce_for(spot, note.identity);
    return message_of(where, note.words);
}

Outgoing DiscordRenderer::file_of_card(const Presentation& presentation, const MessageTarget& spot, File file) const {
    return post_file(place_of(presentation, spot, "file"), file_content(file.caption, file.name),
                     {file.name, std::move(file.text)});
}

Outgoing DiscordRenderer::file(const MessageTarget& spot, File file) const {
    const auto content = file_content(file.caption, file.name);
    const discord::File attached{file.name, std::move(file.text)};
    if (const auto interaction = interaction_of(spot.reply_to.value_or(""))) {
        return words_to(*interaction, content, attached);
    }
    return post_file(reply_below(spot, "more", file.name), content, attached);
}

Outgoing DiscordRenderer::reply(const MessageTarget& spot, const Phrase& words) const {
    if (const auto interaction = interaction_of(spot.reply_to.value_or(""))) {
        return words_to(*interaction, content_of(words));
    }
    return message_of(reply_below(spot, "reply", words.text()), words);
}

Reply DiscordRenderer::in_slot(const Phrase& words, bool alert) const { return command_reply(words, alert); }

Outgoing DiscordRenderer::answer(const std::string& query, const Phrase& words, bool /*alert*/) const {
    const auto interaction = interaction_of(query);
    return interaction ? words_to(*interaction, content_of(words)) : no_call();
}

Outgoing DiscordRenderer::reason_modal(const std::string& query, const MessageTarget& /*spot*/,
                                       const ReasonWanted& wanted, Language language) const {
    return answer(query, Phrase{language, Key::prompt_there, {{"command", "/deny " + wanted.code}}}, true);
}

std::optional<Reply> DiscordRenderer::reason_modal_in_slot(const MessageTarget& /*spot*/, const ReasonWanted& wanted,
                                                           Language language) const {
    return json_reply(modal_response(discord::reason_modal(wanted.button, language)));
}

Outgoing DiscordRenderer::reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                       Language language) const {
    auto content = content_of(Phrase{language, Key::reply_decides_nothing});
    auto elements = Json::array();
    for (const auto& row : offer_button(presentation, spot, keys(), button_rules, language)) {
        for (const auto& button : row) elements.push_back(element_of(button));
    }
    if (!elements.empty()) {
        content.components.push_back({{"type", row_type}, {"components", std::move(elements)}});
    }
    return post_message(reply_below(spot, "offer", presentation.request->id.str()), content);
}

}  // namespace countersign::channels::discord
