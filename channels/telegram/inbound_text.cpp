// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/inbound.hpp"
#include "channels/telegram/words.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <ranges>

namespace countersign::channels::telegram {

namespace {

Say say(std::string_view words) { return {StyledText{}.plain(words)}; }

class Reader {
public:
    Reader(const Text& text, const Sight& sight, const Arrival& arrival)
        : text_{text},
          sight_{sight},
          arrival_{arrival},
          names_{sight.chats.names(std::to_string(text.chat))},
          principal_{"telegram:" + std::to_string(text.from ? text.from->id : 0)} {}

    Meaning meaning() {
        const auto command = parse_command(text_.text, {.bare_words = text_.direct, .bot_name = sight_.bot.username});
        if (text_.anonymous) {
            if (!command) return Nothing{};
            return say("I cannot tell who you are: you write in the name of a chat. Write as yourself.");
        }
        if (text_.from->is_bot) return Nothing{};
        if (text_.second_hand) {
            if (!command) return Nothing{};
            return say("A forwarded message decides nothing. Write it yourself.");
        }
        if (command) return of(*command);
        if (text_.reply_to) {
            if (const auto request = sight_.cards.request_of(names_, std::to_string(*text_.reply_to)))
                return reply_to(*request);
        }
        return text_.direct ? Meaning{help()} : Nothing{};
    }

    [[nodiscard]] const std::string& principal() const { return principal_; }

private:
    Meaning of(const Command& command) {
        switch (command.verb) {
        case Verb::help:
            return help();
        case Verb::start:
            return text_.direct ? Meaning{Begin{command.rest}} : Nothing{};
        case Verb::unavailable:
            return say("\"" + command.word + "\" is not available yet.");
        case Verb::pending:
            return pending("Open in this chat:");
        default:
            return about_a_request(command);
        }
    }

    // With the two ids that a configuration needs.
    Meaning help() const {
        return Say{StyledText{}
                       .plain(help_words())
                       .plain("\n\nThis chat is ")
                       .code(std::to_string(text_.chat))
                       .plain(", and you are ")
                       .code(principal_)
                       .plain(".")};
    }

    Meaning about_a_request(const Command& command) {
        const auto request = find_request(command.id, sight_.cards.shown_in(names_), names_, sight_.keys.codes);
        if (!request) return pending("No request of this chat has that code. Open here:");
        const auto open = sight_.open.open_request(*request);
        if (command.verb == Verb::more) {
            if (!is_known()) return stranger();
            return open ? Meaning{ShowAll{*request}} : say("This request is no longer open.");
        }
        auto attempt = attempt_on(*request);
        if (!open) {
            attempt.what = Choose{};  // the hub remembers how it ended, and says so
            return Decide{std::move(attempt)};
        }
        if (open->request->questionnaire() != nullptr) return on_question(command, std::move(attempt));
        if (command.verb == Verb::answer) return say("This is no question: approve or deny it.");
        const auto option = option_for(command, open->offered);
        if (!option) return Say{StyledText{}.plain("Nothing was decided: ").code(shown_line(option.error().detail))};
        // The hub asks it of the channel; here it is asked of this very chat (I7).
        const bool refuses = option->known && option->effect != Effect::allow;
        if (!refuses && !sight_.cards.whole_in(*request, names_)) {
            return say(refusal_words({Errc::not_shown, ""}, principal_));
        }
        attempt.what = Choose{option->option_id};
        if (command.verb == Verb::deny) attempt.reason = reason_of(command.rest);
        return Decide{std::move(attempt)};
    }

    static Meaning on_question(const Command& command, Attempt attempt) {
        if (command.verb == Verb::answer) return Write{std::move(attempt), command.rest};
        if (command.verb != Verb::deny) return say("This is a question: answer it, or deny it to cancel.");
        attempt.what = Cancel{};
        attempt.reason = reason_of(command.rest);
        return Decide{std::move(attempt)};
    }

    // Whole sentences on a card are an answer where one was asked for, and never a decision.
    Meaning reply_to(const Ulid& request) {
        const auto open = sight_.open.open_request(request);
        if (!open) return say("This request is no longer open.");
        if (open->request->questionnaire() != nullptr) return Write{attempt_on(request), text_.text};
        const auto code = sight_.keys.codes.code(request, names_.front());
        return Say{StyledText{}
                       .plain("That decides nothing. Use a button, or write ")
                       .code("/approve " + code)
                       .plain(" or ")
                       .code("/deny " + code + " why")};
    }

    Meaning pending(std::string_view title) {
        if (!is_known()) return stranger();
        Say list{StyledText{}.plain(title).plain("\n")};
        std::size_t listed = 0;
        for (const auto& id : sight_.cards.shown_in(names_)) {
            const auto open = sight_.open.open_request(id);
            if (!open) continue;
            if (++listed > limits::telegram_listed_max) continue;
            list.words.code(sight_.keys.codes.code(id, names_.front())).plain(" ").code(summary_of(*open->request));
            list.words.plain("\n");
        }
        if (listed == 0) list.words.plain("nothing");
        if (listed > limits::telegram_listed_max) {
            list.words.plain("and " + std::to_string(listed - limits::telegram_listed_max) + " more");
        }
        return list;
    }

    [[nodiscard]] bool is_known() const { return sight_.known && sight_.known(principal_); }
    [[nodiscard]] Say stranger() const {
        return {StyledText{}
                    .plain("I do not know you. To me you are ")
                    .code(principal_)
                    .plain("; whoever runs Countersign can add you.")};
    }

    static std::string summary_of(const Request& request) {
        const auto* approval = request.approval();
        const std::string_view text =
            approval != nullptr ? approval->display_text : request.questionnaire()->questions.front().text;
        constexpr std::size_t summary_units = 80;
        const auto line = guarded_line(request.agent_id + ", " + tool_name_of(request) + ": " + std::string{text});
        const auto head = head_units(line, summary_units);
        return std::string{head} + (head.size() < line.size() ? "…" : "");
    }

    // A reason that is too long is cut: a deny must never be harder than an allow.
    static std::string reason_of(const std::string& typed) {
        return std::string{utf8::head(typed, limits::reason_bytes_max)};
    }

    [[nodiscard]] Attempt attempt_on(const Ulid& request) const {
        Attempt attempt;
        attempt.request_id = request;
        attempt.principal = principal_;
        // Under the name by which the card went there: the hub compares it with where the whole text was shown.
        attempt.where = {.channel = sight_.channel,
                         .chat = sight_.cards.chat_of(request, names_).value_or(names_.front()),
                         .thread = {},
                         .message = std::to_string(text_.message)};
        attempt.assurance = Assurance::chat;
        attempt.arrived = arrival_.at;
        attempt.after_gap = arrival_.after_gap;
        attempt.made = WallTime{std::chrono::seconds{std::clamp<std::int64_t>(text_.date, 0, 1'000'000'000'000)}};
        return attempt;
    }

    const Text& text_;
    const Sight& sight_;
    const Arrival& arrival_;
    std::vector<std::string> names_;
    std::string principal_;
};

}  // namespace

Incoming read(const Text& text, const Sight& sight, const Arrival& arrival) {
    Reader reader{text, sight, arrival};
    Incoming incoming;
    incoming.asker = {.query = {}, .text = {std::to_string(text.chat), text.message}, .principal = reader.principal()};
    incoming.meaning = reader.meaning();
    return incoming;
}

}  // namespace countersign::channels::telegram
