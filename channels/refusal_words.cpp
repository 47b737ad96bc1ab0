// SPDX-License-Identifier: Apache-2.0
#include "channels/refusal_words.hpp"

#include "security/display.hpp"

namespace countersign::channels {

namespace {

std::string shown_line(std::string_view raw) { return security::display(raw, security::DisplayMode::line); }

}  // namespace

std::string refusal_words(const Error& why, std::string_view principal) {
    switch (why.code) {
    case Errc::not_authorised:
        return "You may not decide this. You are " + shown_line(principal) +
               " to me; whoever runs Countersign can add you.";
    case Errc::not_shown:
        return "The whole text was not delivered here, so an allow from here does not count. A deny does.";
    case Errc::late:
        return "Your tap arrived late and does not count. The card is shown again: look, and tap there.";
    case Errc::asked_again:
        return "It was asked again since you looked, " + shown_line(why.detail) +
               ". Read the card, and tap its button: a typed allow counts for one request alone.";
    case Errc::already_decided:
        return "Too late: " + shown_line(why.detail) + ".";
    case Errc::already_voted:
        return "Your vote is counted already; somebody else must vote too.";
    case Errc::unknown_request:
        return "This request is no longer open.";
    case Errc::unknown_option:
        return "That is not on offer: " + shown_line(why.detail) + ".";
    case Errc::unavailable:
        return "The audit log is not available, so nothing can be decided now.";
    case Errc::busy:
        return "Too much is going on; nothing was decided. Try again in a moment.";
    default:
        return "Nothing was decided (" + std::string{name(why.code)} + ").";
    }
}

std::string_view button_words(Errc code) {
    switch (code) {
    case Errc::stale:
        return "This button has expired. Use the newest card.";
    case Errc::bad_signature:
        return "This button does not work here.";
    default:
        return "This is not a button of mine.";
    }
}

std::string_view help_words() {
    return "approve CODE - allow it once\n"
           "approve CODE LABEL - allow it by that button's label\n"
           "session CODE, always CODE - allow it for longer, where that is offered\n"
           "deny CODE [reason] - refuse it, and tell the agent why\n"
           "answer CODE [N] TEXT - answer a question (its number N, if there are several)\n"
           "more CODE - the whole text as a file\n"
           "pending - what is open in this chat\n"
           "\n"
           "CODE is on each card. In a group write a slash in front.";
}

}  // namespace countersign::channels
