// SPDX-License-Identifier: Apache-2.0
#include "channels/typed.hpp"

#include "channels/commands.hpp"
#include "channels/duration.hpp"
#include "channels/guard.hpp"
#include "channels/help_words.hpp"
#include "channels/option_words.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace countersign::channels {

namespace {

// So many characters from the beginning.
std::string cut(std::string_view text, std::size_t characters) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < characters && bytes < text.size(); ++i) {
        const auto next = utf8::decode(text.substr(bytes));
        bytes += next ? next->length : 1;
    }
    return std::string{text.substr(0, bytes)} + (bytes < text.size() ? "…" : "");
}

// One line of a list. All of it was sanitised; only its newlines are to be shown.
std::string cut_line(std::string text) {
    constexpr std::size_t characters = 80;
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "⏎");
    return cut(text, characters);
}

// What a request is about.
std::string line_of(const Request& request) {
    return cut_line(request.agent_id + ", " + tool_name_of(request) + ": " + summary_of(request));
}

// A word that a person typed, short and on one line.
std::string shown_word(const std::string& typed) {
    constexpr std::size_t characters = 32;
    return cut(displayed_line(typed), characters);
}

// A reason that is too long is cut: a deny must never be harder than an allow.
std::string reason_of(const std::string& typed) { return std::string{utf8::head(typed, limits::reason_bytes_max)}; }

const Error wrong_kind{Errc::unknown_option, "this command does not fit the request"};

// Whether a command of this verb is an attempt: it decides, answers or orders something.
bool tries(Verb verb) {
    switch (verb) {
    case Verb::approve:
    case Verb::deny:
    case Verb::always:
    case Verb::session:
    case Verb::answer:
    case Verb::revoke:
    case Verb::halt:
    case Verb::resume:
        return true;
    default:
        return false;
    }
}

class Reader {
public:
    Reader(const Typed& typed, const ChatSight& sight, const Arrival& arrival)
        : typed_{typed}, sight_{sight}, arrival_{arrival}, names_{sight.chats.names(typed.chat)} {}

    Intent intent() {
        const auto about = typed_.reply_to ? sight_.cards.request_of(names_, *typed_.reply_to) : std::nullopt;
        // In a reply to a card "more tests first" is a reason, not the command "more": there a command has its mark.
        const bool marked_only = about && !typed_.text.starts_with('/') && !typed_.text.starts_with('!');
        auto command = marked_only ? std::nullopt : command_of(typed_);
        // "/etc/passwd must not be read" is a reason: a refusal must never be harder than an allow.
        if (command && command->verb == Verb::unknown && answers_reason_prompt()) command.reset();
        if (const auto unfit = unfit_text()) {
            // A reply to a card or a prompt is an attempt as well: it leaves a record (I11).
            if (!command) return about ? refuse(about, unfit->why, unfit->words) : Nothing{};
            if (tries(command->verb)) return refuse(command->id.ulid, unfit->why, unfit->words);
            return unfit->words.pieces().empty() ? Intent{} : Say{unfit->words};
        }
        if (command) return of(*command);
        if (about) return reply_to(*about);
        // A message of ours that was forgotten: a prompt that was one too many, or one from before a restart. Silence
        // would look like a refusal that was taken.
        if (typed_.reply_to && typed_.answers_ours && is_known()) return say(Key::reply_not_known);
        return typed_.direct ? Intent{help()} : Nothing{};
    }

private:
    [[nodiscard]] std::optional<Command> command_of(const Typed& typed) const {
        return parse_command(typed.text, {.bare_words = typed.direct, .bot_name = sight_.bot_name});
    }

    // Kind::none where the text does not reply to one.
    [[nodiscard]] ReasonPrompt prompt() const {
        return typed_.reply_to ? sight_.cards.prompt_at(names_, *typed_.reply_to) : ReasonPrompt{};
    }
    [[nodiscard]] bool answers_reason_prompt() const { return prompt().kind == ReasonPrompt::Kind::asks; }

    // A text that decides nothing whatever it says, because it is not a person's own and first words.
    struct Unfit {
        Error why;
        Phrase words = {};
    };
    [[nodiscard]] std::optional<Unfit> unfit_text() const {
        const auto unfit = [](const char* why, Phrase words = {}) {
            return Unfit{{Errc::unsupported, why}, std::move(words)};
        };
        if (typed_.anonymous) return unfit("sent in the name of a chat", {sight_.language, Key::who_are_you});
        if (typed_.by_bot) return unfit("sent by a bot");
        if (typed_.second_hand)
            return unfit("forwarded, or sent through a bot", {sight_.language, Key::forwarded_words});
        if (typed_.edited) return unfit("an edited message", {sight_.language, Key::edited_words});
        if (typed_.automatic) return unfit("a scheduled or automatic message", {sight_.language, Key::automatic_words});
        if (typed_.answers_elsewhere)
            return unfit("a reply to a message of another chat", {sight_.language, Key::answers_elsewhere});
        return std::nullopt;
    }

    Intent of(const Command& command) {
        switch (command.verb) {
        case Verb::help:
            return help();
        case Verb::start:
            return typed_.direct ? Intent{Begin{command.rest}} : Nothing{};
        case Verb::unavailable:
            return say(Key::not_in_this_release, {{"command", command.word}});
        case Verb::unknown:
            return say(Key::no_such_command, {{"command", "/" + shown_word(command.word)}, {"help", "/help"}});
        case Verb::pending:
            return is_known() ? Intent{Say{pending()}} : stranger();
        case Verb::grants:
            if (!is_known()) return stranger();
            // Of all agents that this person may decide about: others in a group may not.
            return typed_.direct ? Intent{Say{grants()}} : say(Key::ask_privately);
        case Verb::halt:
        case Verb::resume:
            return about_an_agent(command);
        case Verb::revoke:
            return about_a_grant(command);
        default:
            return about_a_request(command);
        }
    }

    // With the two ids that a configuration needs.
    [[nodiscard]] Intent help() const {
        auto words = help_words(sight_.language, typed_.direct ? "" : "/");
        words.plain("\n\n").say(sight_.language, Key::help_here,
                                {{"chat", typed_.chat}, {"principal", typed_.principal}});
        return Say{std::move(words)};
    }

    // Whether they may is the gate's to say, also to a stranger: whoever tries is recorded.
    [[nodiscard]] Intent about_an_agent(const Command& command) const {
        if (command.rest.empty()) {
            if (!is_known()) return stranger();
            return say(Key::order_needs_name, {{"command", "/" + command.word}});
        }
        auto order = order_of(command.verb == Verb::halt ? Order::Kind::halt : Order::Kind::resume);
        order.target = command.rest;
        return Instruct{std::move(order)};
    }

    [[nodiscard]] Intent about_a_grant(const Command& command) const {
        auto order = order_of(Order::Kind::revoke);
        std::vector<Ulid> theirs;
        for (const auto& grant : sight_.open.grants_for(typed_.principal)) theirs.push_back(grant.id);
        if (const auto grant = find_request(command.id, theirs, names_, sight_.keys.codes)) {
            order.grant = *grant;
        } else if (command.id.ulid) {
            order.grant = *command.id.ulid;  // the gate says why not, and the log has it
        } else if (sight_.locked) {
            return locked(command.id);
        } else {
            return wrong(command.id, no_such(command, Key::no_such_grant));
        }
        return Instruct{std::move(order)};
    }

    Intent about_a_request(const Command& command) {
        // A refusal must never be harder than an allow: whoever guessed too often can still say no.
        if (sight_.locked && command.verb != Verb::deny) return locked(command.id);
        const auto request = meant(command.id);
        if (!request && sight_.locked) return locked(command.id);
        if (!request) {
            auto words = no_such(command, Key::no_such_code);
            if (is_known()) words.plain("\n").append(pending());
            return wrong(command.id, std::move(words));
        }
        const auto open = sight_.open.open_request(*request);
        if (command.verb == Verb::more) {
            if (!is_known()) return stranger();
            return open ? Intent{ShowAll{*request}} : say(Key::no_longer_open);
        }
        auto attempt = attempt_on(*request);
        if (!open) {
            attempt.what = Choose{};  // the hub remembers how it ended, and says so
            return Decide{std::move(attempt)};
        }
        if (open->request->questionnaire() != nullptr) return on_question(command, std::move(attempt));
        if (command.verb == Verb::answer) return refuse(*request, wrong_kind, {sight_.language, Key::no_question});
        const auto option = option_for(command, open->offered);
        if (!option) return refuse(*request, option.error(), unclear(open->offered));
        // The hub asks it of the channel; here it is asked of this very chat (I7).
        const bool refuses = option->known && option->effect != Effect::allow;
        if (!refuses && !sight_.cards.whole_in(*request, names_)) {
            return refuse(*request, {Errc::not_shown, "the whole text was not delivered in this chat"},
                          {sight_.language, Key::not_whole_here});
        }
        if (!refuses && sight_.typing.allow_needs_code && command.id.code.empty()) {
            return refuse(*request, {Errc::not_authorised, "an allow without the recipient's own code"},
                          {sight_.language, Key::allow_needs_code});
        }
        attempt.what = Choose{option->option_id};
        if (command.verb == Verb::deny) attempt.reason = reason_of(command.rest);
        return Decide{std::move(attempt)};
    }

    // What this chat shows. Where nobody else reads, also what the person may decide and was shown elsewhere: an allow
    // of that does not count from here (I7), a refusal does.
    [[nodiscard]] std::optional<Ulid> meant(const TypedId& id) const {
        if (const auto shown = find_request(id, sight_.cards.shown_in(names_), names_, sight_.keys.codes)) return shown;
        if (!typed_.direct) return std::nullopt;
        std::vector<Ulid> theirs;
        for (const auto& open : sight_.open.open_requests_for(typed_.principal)) theirs.push_back(open.request->id);
        return find_request(id, theirs, names_, sight_.keys.codes);
    }

    // Whoever wrote no code at all is told what to write.
    [[nodiscard]] Phrase no_such(const Command& command, Key key) const {
        if (!command.id.typed.empty()) return {sight_.language, key};
        return {sight_.language, Key::code_missing, {{"command", "/" + command.word + " CODE"}}};
    }

    // A stranger decides nothing, whatever the code: theirs are not counted, and they learn nothing. A word that is no
    // code at all guesses none.
    [[nodiscard]] Intent wrong(const TypedId& id, Phrase words) const {
        const Error nothing{Errc::unknown_request, "a code that names nothing here"};
        if (!is_known()) return refuse(id.ulid, nothing, stranger().words);
        if (!id.ulid && id.code.empty()) return refuse(id.ulid, nothing, std::move(words));
        return WrongCode{.attempt = refused(id.ulid), .words = std::move(words)};
    }
    // Nothing is answered, so that it does not tell a right code from a wrong one.
    [[nodiscard]] Intent locked(const TypedId& id) const {
        return refuse(id.ulid, {Errc::unknown_request, "locked after too many wrong codes"});
    }

    [[nodiscard]] RefusedAttempt refused(std::optional<Ulid> request) const {
        return {.request_id = request, .principal = typed_.principal, .channel = sight_.channel};
    }
    [[nodiscard]] Intent refuse(std::optional<Ulid> request, Error why, Phrase words = {}) const {
        return Refuse{.attempt = refused(request), .why = std::move(why), .words = std::move(words)};
    }

    Intent on_question(const Command& command, Attempt attempt) const {
        if (command.verb == Verb::answer) return Write{std::move(attempt), command.rest};
        if (command.verb != Verb::deny) {
            return refuse(attempt.request_id, wrong_kind, {sight_.language, Key::is_question});
        }
        attempt.what = Cancel{};
        attempt.reason = reason_of(command.rest);
        return Decide{std::move(attempt)};
    }

    // A reply to a question's card is its answer. A reply to an approval's card decides nothing by itself; a reply to
    // the message that asked for a reason denies with its words. No reply ever allows.
    Intent reply_to(const Ulid& request) {
        const auto open = sight_.open.open_request(request);
        auto attempt = attempt_on(request);
        const bool denies = answers_reason_prompt();
        if (!open) {
            if (!denies) return say(Key::no_longer_open);
            attempt.what = Choose{};  // the hub remembers how it ended, and says so
            return Decide{std::move(attempt)};
        }
        if (open->request->questionnaire() != nullptr) return Write{std::move(attempt), typed_.text};
        const auto* refusal = refusal_of(open->offered);
        if (refusal == nullptr) return refuse(request, wrong_kind, unclear(open->offered));
        attempt.what = Choose{refusal->option_id};
        attempt.reason = reason_of(typed_.text);
        // A stranger is refused at the gate.
        if (const auto asked = prompt(); denies && is_known() && asked.principal != typed_.principal) {
            return refuse(request, {Errc::not_authorised, "an answer to a prompt for another person"},
                          {sight_.language, Key::prompt_of_another, {{"person", asked.person}}});
        }
        if (denies) return Decide{std::move(attempt)};
        if (!is_known() || !sight_.open.check(attempt)) return say(Key::reply_decides_nothing);
        auto reason = attempt.reason;
        return OfferReason{std::move(attempt), std::move(reason)};
    }

    // Each option, with what it does: the label is the agent's.
    [[nodiscard]] Phrase unclear(const std::vector<Option>& offered) const {
        Phrase words{sight_.language, Key::unclear_choice};
        for (const auto& option : offered) {
            words.plain("\n").code(option.label).plain(" (").plain(meaning_of(option, sight_.language)).plain(")");
        }
        return words;
    }

    // What is open: in a group what it shows, which everybody there has seen; else what this person may decide.
    [[nodiscard]] std::vector<OpenRequest> listed() const {
        if (typed_.direct) return sight_.open.open_requests_for(typed_.principal);
        std::vector<OpenRequest> found;
        for (const auto& id : sight_.cards.shown_in(names_)) {
            if (auto open = sight_.open.open_request(id)) found.push_back(std::move(*open));
        }
        return found;
    }

    // Precondition of both lists: it is a person of the configuration who asks.
    [[nodiscard]] Phrase pending() const {
        Phrase list{sight_.language, typed_.direct ? Key::open_for_you : Key::open_here};
        const auto open = listed();
        add_lines(list, open, [&](const OpenRequest& one) {
            list.code(sight_.keys.codes.code(one.request->id, names_.front())).plain(" ").code(line_of(*one.request));
            const auto add_count = [&](Key key, std::size_t count) {
                list.plain(", ").say(sight_.language, key, {{"count", std::to_string(count), TextStyle::plain}});
            };
            if (one.asked > 1) add_count(Key::asked_times, one.asked);
            if (one.waiting > 0) add_count(Key::still_asking, one.waiting);
        });
        const auto halts = typed_.direct ? sight_.open.halts_for(typed_.principal) : std::vector<Halt>{};
        if (halts.empty()) return list;
        list.plain("\n").say(sight_.language, Key::halted_now);
        add_lines(list, halts, [&](const Halt& halt) {
            const auto& [agent_id, session_key] = halt.who;
            const auto key = session_key.empty() ? Key::halted_by
                             : agent_id.empty()  ? Key::halted_any_session_by
                                                 : Key::halted_session_by;
            list.say(sight_.language, key,
                     {{"name", halt.who.agent_id}, {"session", halt.who.session_key}, {"person", halt.by}});
        });
        return list;
    }

    [[nodiscard]] Phrase grants() const {
        Phrase list{sight_.language, Key::grants_now};
        add_lines(list, sight_.open.grants_for(typed_.principal), [&](const Grant& grant) {
            auto call = grant.agent_id + ", " + grant.tool_name + ": " + grant.summary;
            list.code(sight_.keys.codes.code(grant.id, names_.front())).plain(" ");
            list.say(sight_.language, Key::grant_line,
                     {{"grant", cut_line(std::move(call)) + ", " + cut_line(grant.cwd)},
                      {"person", grant.granted_by},
                      {"scope", how_long(grant), TextStyle::plain},
                      {"count", std::to_string(grant.uses_left), TextStyle::plain}});
        });
        return list;
    }

    [[nodiscard]] std::string how_long(const Grant& grant) const {
        const auto key = grant.session_key.empty() ? Key::grant_for_always : Key::grant_for_session;
        return channels::text(sight_.language, key, {{"time", duration(grant.expires - arrival_.at, sight_.language)}});
    }

    // A line each, up to as many as one answer has.
    template <class Things, class Line> void add_lines(Phrase& list, const Things& things, const Line& line) const {
        const auto most = std::min(things.size(), limits::chat_listed_max);
        for (std::size_t at = 0; at < most; ++at) {
            list.plain("\n");
            line(things[at]);
        }
        if (things.empty()) list.plain("\n").say(sight_.language, Key::none_listed);
        if (things.size() == most) return;
        const auto left = std::to_string(things.size() - most);
        list.plain("\n").say(sight_.language, Key::and_more, {{"count", left, TextStyle::plain}});
    }

    [[nodiscard]] Say say(Key key, std::initializer_list<Insert> inserts = {}) const {
        return {Phrase{sight_.language, key, inserts}};
    }
    [[nodiscard]] bool is_known() const { return sight_.known && sight_.known(typed_.principal); }
    [[nodiscard]] Say stranger() const { return say(Key::stranger, {{"principal", typed_.principal}}); }

    [[nodiscard]] Attempt attempt_on(const Ulid& request) const {
        Attempt attempt;
        attempt.request_id = request;
        attempt.principal = typed_.principal;
        // Under the name by which the card went there: the hub compares it with where the whole text was shown.
        attempt.where = here(sight_.cards.chat_of(request, names_).value_or(names_.front()));
        attempt.assurance = sight_.typing.assurance;
        attempt.arrived = arrival_.at;
        attempt.after_gap = arrival_.after_gap;
        attempt.made = typed_.made;
        return attempt;
    }
    [[nodiscard]] Order order_of(Order::Kind kind) const {
        Order order;
        order.kind = kind;
        order.principal = typed_.principal;
        order.where = here(names_.front());
        order.assurance = sight_.typing.assurance;
        order.arrived = arrival_.at;
        order.after_gap = arrival_.after_gap;
        order.made = typed_.made;
        return order;
    }
    [[nodiscard]] Place here(std::string chat) const {
        return {.channel = sight_.channel, .chat = std::move(chat), .thread = {}, .message = typed_.message};
    }

    const Typed& typed_;
    const ChatSight& sight_;
    const Arrival& arrival_;
    std::vector<std::string> names_;
};

}  // namespace

Intent read_typed(const Typed& typed, const ChatSight& sight, const Arrival& arrival) {
    return Reader{typed, sight, arrival}.intent();
}

}  // namespace countersign::channels
