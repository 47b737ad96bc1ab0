// SPDX-License-Identifier: Apache-2.0
#include "channels/typed.hpp"

#include "channels/commands.hpp"
#include "channels/refusal_words.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display.hpp"

#include <string_view>
#include <vector>

namespace countersign::channels {

namespace {

Say say(std::string_view words) { return {Phrase{words}}; }

// So many characters from the beginning.
std::string cut(std::string_view text, std::size_t characters) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < characters && bytes < text.size(); ++i) {
        const auto next = utf8::decode(text.substr(bytes));
        bytes += next ? next->length : 1;
    }
    return std::string{text.substr(0, bytes)} + (bytes < text.size() ? "…" : "");
}

// What it is about, on one line. All of it was sanitised; only its newlines are to be shown.
std::string summary_of(const Request& request) {
    constexpr std::size_t characters = 80;
    const auto* approval = request.approval();
    std::string text = approval != nullptr ? approval->display_text : request.questionnaire()->questions.front().text;
    text = request.agent_id + ", " + tool_name_of(request) + ": " + text;
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "⏎");
    return cut(text, characters);
}

// A reason that is too long is cut: a deny must never be harder than an allow.
std::string reason_of(const std::string& typed) { return std::string{utf8::head(typed, limits::reason_bytes_max)}; }

class Reader {
public:
    Reader(const Typed& typed, const TypedSight& sight, const Arrival& arrival)
        : typed_{typed}, sight_{sight}, arrival_{arrival}, names_{sight.chats.names(typed.chat)} {}

    Meaning meaning() {
        const auto command = parse_command(typed_.text, {.bare_words = typed_.direct, .bot_name = sight_.bot_name});
        if (typed_.anonymous) {
            if (!command) return Nothing{};
            return say("I cannot tell who you are: you write in the name of a chat. Write as yourself.");
        }
        if (typed_.by_bot) return Nothing{};
        if (typed_.second_hand) {
            if (!command) return Nothing{};
            return say("A forwarded message decides nothing. Write it yourself.");
        }
        if (command) return of(*command);
        if (typed_.reply_to) {
            if (const auto request = sight_.cards.request_of(names_, *typed_.reply_to)) return reply_to(*request);
        }
        return typed_.direct ? Meaning{help()} : Nothing{};
    }

private:
    Meaning of(const Command& command) {
        switch (command.verb) {
        case Verb::help:
            return help();
        case Verb::start:
            return typed_.direct ? Meaning{Begin{command.rest}} : Nothing{};
        case Verb::unavailable:
            return say("\"" + command.word + "\" is not available yet.");
        case Verb::pending:
            return pending("Open in this chat:");
        default:
            return about_a_request(command);
        }
    }

    // With the two ids that a configuration needs.
    [[nodiscard]] Meaning help() const {
        return Say{Phrase{help_words()}
                       .plain("\n\nThis chat is ")
                       .code(typed_.chat)
                       .plain(", and you are ")
                       .code(typed_.principal)
                       .plain(".")};
    }

    Meaning about_a_request(const Command& command) {
        const auto request = find_request(command.id, sight_.cards.shown_in(names_), names_, sight_.codes);
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
        if (!option) {
            const auto detail = security::display(option.error().detail, security::DisplayMode::line);
            return Say{Phrase{"Nothing was decided: "}.code(detail)};
        }
        // The hub asks it of the channel; here it is asked of this very chat (I7).
        const bool refuses = option->known && option->effect != Effect::allow;
        if (!refuses && !sight_.cards.whole_in(*request, names_)) {
            return say(refusal_words({Errc::not_shown, ""}, typed_.principal));
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
        if (open->request->questionnaire() != nullptr) return Write{attempt_on(request), typed_.text};
        const auto code = sight_.codes.code(request, names_.front());
        return Say{Phrase{"That decides nothing. Use a button, or write "}
                       .code("/approve " + code)
                       .plain(" or ")
                       .code("/deny " + code + " why")};
    }

    Meaning pending(std::string_view title) {
        if (!is_known()) return stranger();
        Say list{Phrase{title}.plain("\n")};
        std::size_t listed = 0;
        for (const auto& id : sight_.cards.shown_in(names_)) {
            const auto open = sight_.open.open_request(id);
            if (!open) continue;
            if (++listed > limits::telegram_listed_max) continue;
            list.words.code(sight_.codes.code(id, names_.front())).plain(" ").code(summary_of(*open->request));
            if (open->asked > 1) list.words.plain(", asked " + std::to_string(open->asked) + " times");
            if (open->waiting > 0) list.words.plain(", " + std::to_string(open->waiting) + " more wait behind it");
            list.words.plain("\n");
        }
        if (listed == 0) list.words.plain("nothing");
        if (listed > limits::telegram_listed_max) {
            list.words.plain("and " + std::to_string(listed - limits::telegram_listed_max) + " more");
        }
        return list;
    }

    [[nodiscard]] bool is_known() const { return sight_.known && sight_.known(typed_.principal); }
    [[nodiscard]] Say stranger() const {
        return {Phrase{"I do not know you. To me you are "}
                    .code(typed_.principal)
                    .plain("; whoever runs Countersign can add you.")};
    }

    [[nodiscard]] Attempt attempt_on(const Ulid& request) const {
        Attempt attempt;
        attempt.request_id = request;
        attempt.principal = typed_.principal;
        // Under the name by which the card went there: the hub compares it with where the whole text was shown.
        attempt.where = {.channel = sight_.channel,
                         .chat = sight_.cards.chat_of(request, names_).value_or(names_.front()),
                         .thread = {},
                         .message = typed_.message};
        attempt.assurance = Assurance::chat;
        attempt.arrived = arrival_.at;
        attempt.after_gap = arrival_.after_gap;
        attempt.made = typed_.made;
        return attempt;
    }

    const Typed& typed_;
    const TypedSight& sight_;
    const Arrival& arrival_;
    std::vector<std::string> names_;
};

}  // namespace

Meaning read_typed(const Typed& typed, const TypedSight& sight, const Arrival& arrival) {
    return Reader{typed, sight, arrival}.meaning();
}

}  // namespace countersign::channels
