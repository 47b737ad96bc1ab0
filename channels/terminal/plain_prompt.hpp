// SPDX-License-Identifier: Apache-2.0
// PlainPrompt: one request answered by lines, for pipes and screen readers. An option is taken by its number or its
// whole label and by nothing else: "ok" and "yes" do not say to what.
#pragma once

#include "channels/terminal/approval_prompt.hpp"
#include "channels/terminal/word.hpp"
#include "core/request.hpp"
#include "core/time.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::terminal {

struct PlainReply {
    std::optional<Decided> decided;
    bool repeat = false;  // show the card again
    std::string say;      // lines to print, each with its newline
};

class PlainPrompt {
public:
    PlainPrompt(std::shared_ptr<const Request> request, std::vector<Option> offered, std::chrono::milliseconds dwell,
                Language language);

    // As for Prompt: a line that was typed before the card could be read decides nothing.
    void shown(BootTime now) { shown_ = now; }
    void hidden() { shown_.reset(); }

    // What can be typed now. Printed after each line that decided nothing.
    [[nodiscard]] std::string choices() const;
    // The same right below the card, which has just listed what can be chosen.
    [[nodiscard]] std::string below_card() const;
    [[nodiscard]] PlainReply answer(std::string_view line, BootTime now);
    // How many of the session wait behind the request now.
    void behind(std::uint32_t waiting) { offers_ = offers_of(offered_, waiting, language_); }
    // The decision settled nothing: begin again at the first question.
    void reopen();
    // Whether the line that is typed now must not be seen.
    [[nodiscard]] bool secret() const;

private:
    [[nodiscard]] PlainReply answer_approval(std::string_view line);
    [[nodiscard]] PlainReply answer_question(std::string_view line);
    [[nodiscard]] PlainReply finish(std::string_view line);
    [[nodiscard]] PlainReply take(Answer answer);
    [[nodiscard]] PlainReply cancel() const;
    [[nodiscard]] PlainReply unclear(Word why) const;
    [[nodiscard]] const Question* question() const;
    [[nodiscard]] std::string summary() const;
    [[nodiscard]] std::string hint() const;
    [[nodiscard]] Submit submission() const;

    std::shared_ptr<const Request> request_;
    std::vector<Option> offered_;
    std::chrono::milliseconds dwell_;
    Language language_;
    std::vector<Offer> offers_;
    std::optional<BootTime> shown_;
    std::vector<std::optional<Answer>> answers_;  // one a question so far; empty where an optional one was passed over
    bool waiting_ = false;
};

}  // namespace countersign::channels::terminal
