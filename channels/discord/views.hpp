// SPDX-License-Identifier: Apache-2.0
// Windows that a button opens: the reason of a refusal, and fields for the answers to questions. Pure.
//
// A window's custom_id has the token of the button that opened it, and the platform tells the message that has the
// button.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/discord/ids.hpp"
#include "channels/discord/text.hpp"
#include "core/request.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

// The modal of "Deny…". `token` is that of the button.
[[nodiscard]] Json reason_modal(std::string_view token, Language language);

// The questions that want words: those with free text or without choices. A modal has room for
// discord_modal_fields_max of them, so a card opens one for each page.
[[nodiscard]] std::vector<std::size_t> written_questions(const Questionnaire& questionnaire);
[[nodiscard]] std::size_t answer_pages(const Questionnaire& questionnaire);
// Precondition: page < answer_pages. The opener's token has the page as its question.
[[nodiscard]] Json answers_modal(const Questionnaire& questionnaire, std::size_t page, std::string_view token,
                                 Language language);

// What was typed into a window that was submitted.
[[nodiscard]] std::string typed_reason(const Fields& fields);
struct TypedAnswer {
    std::size_t question = 0;
    std::string text;
    friend bool operator==(const TypedAnswer&, const TypedAnswer&) = default;
};
// In the order of the questions; a field that was left empty is not there.
[[nodiscard]] std::vector<TypedAnswer> typed_answers(const Questionnaire& questionnaire, const Fields& fields);

}  // namespace countersign::channels::discord
