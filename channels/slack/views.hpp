// SPDX-License-Identifier: Apache-2.0
// Windows that a button opens: the reason of a refusal, the whole text, and fields for the answers to questions. Pure.
//
// What is typed into one comes back as commands of a chat, so it takes the same way as if it had been typed there.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/slack/text.hpp"
#include "core/json/value.hpp"
#include "core/option.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::slack {

// What a window knows of the card that opened it. Slack keeps it for us; a client cannot change it. It is checked again
// all the same.
struct Opener {
    std::string token;    // of the button
    std::string chat;     // by the platform's id
    std::string message;  // the card
    friend bool operator==(const Opener&, const Opener&) = default;
};
[[nodiscard]] std::string metadata_of(const Opener& opener);
[[nodiscard]] std::optional<Opener> opener_of(std::string_view metadata);

enum class Window { reason, whole_text, answers };
[[nodiscard]] std::string_view name(Window window);  // the callback_id
[[nodiscard]] std::optional<Window> window_named(std::string_view callback);

[[nodiscard]] Json reason_view(const Request& request, const Option& refusal, const Opener& opener, Language language);
[[nodiscard]] Json whole_text_view(const Request& request, const std::vector<Option>& offered, Language language);
// Precondition: a questionnaire.
[[nodiscard]] Json answers_view(const Request& request, const Opener& opener, Language language);
// In the place of a window: words, and a button that closes it.
[[nodiscard]] Json words_view(const Json& blocks, Language language);

// What was typed, from the `state.values` of a window that was submitted.
[[nodiscard]] std::string typed_reason(const json::Object& values);
// The answer to each question as a person would type it, empty where there is none: "1,3", or their own words.
[[nodiscard]] std::vector<std::string> typed_answers(const Questionnaire& questionnaire, const json::Object& values);
// The block that an error about this question stands below.
[[nodiscard]] std::string answer_block(const Questionnaire& questionnaire, std::size_t question);

}  // namespace countersign::channels::slack
