// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/views.hpp"

#include "channels/card_text.hpp"
#include "channels/slack/bounds.hpp"
#include "channels/slack/message.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels::slack {

namespace {

constexpr std::array<std::pair<Window, std::string_view>, 3> windows{
    {{Window::reason, "reason"}, {Window::whole_text, "whole_text"}, {Window::answers, "answers"}}};

// The choices of a question, and its own words: the names of two blocks. One field each, always of the same name.
std::string choice_block(std::size_t question) { return "q" + std::to_string(question); }
std::string words_block(std::size_t question) { return "w" + std::to_string(question); }
constexpr auto field = "field";

Json title_of(std::string_view words) { return plain_text(words, limits::slack_view_title_units_max); }

Json view_of(std::string_view title, Json blocks, Language language) {
    return {{"type", "modal"},
            {"title", title_of(title)},
            {"close", title_of(pattern(language, Key::close_window))},
            {"blocks", std::move(blocks)}};
}

void make_form(Json& view, Window window, const Opener& opener, std::string_view submit, Language language) {
    view["callback_id"] = name(window);
    view["private_metadata"] = metadata_of(opener);
    view["submit"] = title_of(submit);
    view["close"] = title_of(pattern(language, Key::cancel));
}

struct Input {
    std::string block;
    std::string label;
    bool optional = false;
};
Json input_of(const Input& input, Json element) {
    element["action_id"] = field;
    return {{"type", "input"},
            {"block_id", input.block},
            {"label", plain_text(input.label, limits::slack_label_units_max)},
            {"optional", input.optional},
            {"element", std::move(element)}};
}

Json text_field(std::size_t units_max) {
    return {{"type", "plain_text_input"}, {"multiline", true}, {"max_length", units_max}};
}

// Short lists stay open, where a choice is seen with all the others.
Json choice_field(const Question& question) {
    auto options = Json::array();
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        const auto& [label, description] = question.choices[i];
        Json option{{"text", plain_text(text_rules.line(label), limits::slack_choice_units_max)},
                    {"value", std::to_string(i + 1)}};
        if (!description.empty()) {
            option["description"] = plain_text(text_rules.line(description), limits::slack_choice_units_max);
        }
        options.push_back(std::move(option));
    }
    const bool open = question.choices.size() <= limits::slack_boxes_max;
    const auto* const one = open ? "radio_buttons" : "static_select";
    const auto* const many = open ? "checkboxes" : "multi_static_select";
    return {{"type", question.multiple ? many : one}, {"options", std::move(options)}};
}

// Frames of at most so much, cut between lines where that is possible.
void add_pages(Json& blocks, std::string_view text, std::size_t blocks_max) {
    while (!text.empty() && blocks.size() < blocks_max) {
        auto head = text_rules.head(text, limits::slack_page_units_max);
        if (head.size() < text.size()) {
            if (const auto end = head.rfind('\n'); end != head.npos && end > 0) head = head.substr(0, end + 1);
        }
        blocks.push_back(frame(head));
        text.remove_prefix(head.size());
    }
}

// What this is about, in one line.
Json summary_block(const Request& request) {
    Phrase phrase;
    phrase.code(tool_name_of(request)).plain(" ").code(summary_of(request));
    return rich_text(phrase);
}

std::string chosen(const json::Object& state) {
    if (const auto& one = object_in(state, "selected_option"); !one.empty()) return text_of(one, "value");
    std::string all;
    for (const auto& option : array_in(state, "selected_options")) {
        const auto* object = option.object();
        if (object == nullptr) continue;
        all += (all.empty() ? "" : ",") + text_of(*object, "value");
    }
    return all;
}

const json::Object& state_of(const json::Object& values, const std::string& block) {
    return object_in(object_in(values, block), field);
}

}  // namespace

std::string_view name(Window window) {
    return std::ranges::find(windows, window, &std::pair<Window, std::string_view>::first)->second;
}

std::optional<Window> window_named(std::string_view callback) {
    const auto* const found = std::ranges::find(windows, callback, &std::pair<Window, std::string_view>::second);
    return found == windows.end() ? std::nullopt : std::optional{found->first};
}

std::string metadata_of(const Opener& opener) {
    return dumped({{"token", opener.token}, {"chat", opener.chat}, {"message", opener.message}});
}

std::optional<Opener> opener_of(std::string_view metadata) {
    const auto document = json::read(metadata, limits::slack_metadata_bytes_max);
    const auto* object = document ? document->value.object() : nullptr;
    if (object == nullptr) return std::nullopt;
    return Opener{
        .token = text_of(*object, "token"), .chat = text_of(*object, "chat"), .message = text_of(*object, "message")};
}

Json reason_view(const Request& request, const Option& refusal, const Opener& opener, Language language) {
    auto blocks = Json::array({summary_block(request)});
    // The log keeps so many bytes; a letter may take several.
    const Input input{.block = "reason", .label = std::string{pattern(language, Key::reason_hint)}, .optional = true};
    auto typed = text_field(limits::reason_bytes_max);
    typed["focus_on_load"] = true;
    blocks.push_back(input_of(input, std::move(typed)));
    auto view = view_of(pattern(language, Key::deny_and_say_why), std::move(blocks), language);
    make_form(view, Window::reason, opener, text_rules.line(refusal.label), language);
    return view;
}

Json whole_text_view(const Request& request, const std::vector<Option>& offered, Language language) {
    auto blocks = Json::array();
    const auto text = document_text(request, offered, text_rules);
    const auto shown = text_rules.head(text, limits::slack_view_units_max);
    add_pages(blocks, shown, limits::slack_view_blocks_max - 1);
    if (shown.size() < text.size()) blocks.push_back(rich_text(Phrase{language, Key::was_too_long}));
    return view_of(pattern(language, Key::open_whole_text), std::move(blocks), language);
}

Json answers_view(const Request& request, const Opener& opener, Language language) {
    auto blocks = Json::array();
    const auto& questions = request.questionnaire()->questions;
    for (std::size_t at = 0; at < questions.size(); ++at) {
        const auto& question = questions[at];
        const auto number = questions.size() == 1
                                ? std::string{pattern(language, Key::question_alone)}
                                : text(language, Key::question_number, {{"number", std::to_string(at + 1)}});
        blocks.push_back(frame(text_rules.head(text_rules.block(question.text), limits::slack_page_units_max)));
        const bool writes = question.free_text || question.choices.empty();
        // More choices than a list takes are answered by their number.
        const bool chooses = !question.choices.empty() && question.choices.size() <= limits::slack_choices_max;
        if (chooses) {
            const Input input{.block = choice_block(at), .label = number, .optional = writes || !question.required};
            blocks.push_back(input_of(input, choice_field(question)));
        }
        if (!writes && chooses) continue;
        const auto label = chooses ? std::string{pattern(language, Key::own_answer)} : number;
        const Input input{.block = words_block(at), .label = label, .optional = chooses || !question.required};
        blocks.push_back(input_of(input, text_field(limits::slack_input_units_max)));
    }
    auto view = view_of(pattern(language, Key::question), std::move(blocks), language);
    make_form(view, Window::answers, opener, pattern(language, Key::submit), language);
    return view;
}

Json words_view(const Json& blocks, Language language) { return view_of("Countersign", blocks, language); }

std::string typed_reason(const json::Object& values) { return text_of(state_of(values, "reason"), "value"); }

// Their own words come before a choice: whoever wrote some meant them.
std::vector<std::string> typed_answers(const Questionnaire& questionnaire, const json::Object& values) {
    std::vector<std::string> answers;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        auto words = text_of(state_of(values, words_block(at)), "value");
        const bool blank = words.find_first_not_of(" \t\r\n") == words.npos;
        answers.push_back(blank ? chosen(state_of(values, choice_block(at))) : std::move(words));
    }
    return answers;
}

std::string answer_block(const Questionnaire& questionnaire, std::size_t question) {
    const auto& asked = questionnaire.questions[question];
    const bool chooses = !asked.choices.empty() && asked.choices.size() <= limits::slack_choices_max;
    return chooses ? choice_block(question) : words_block(question);
}

}  // namespace countersign::channels::slack
