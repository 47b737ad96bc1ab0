// SPDX-License-Identifier: Apache-2.0
#include "channels/chat_channel.hpp"

#include "channels/help_words.hpp"
#include "core/limits.hpp"

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

// The record stays.
void keep_quiet(Intent& intent) {
    if (auto* refused = std::get_if<Refuse>(&intent)) refused->words = {};
    if (std::holds_alternative<Say>(intent)) intent = Nothing{};
}

}  // namespace

ChatChannel::ChatChannel(asio::any_io_executor executor, ChatOptions options, ChatPeople people, ChatPorts ports)
    : executor_{std::move(executor)},
      options_{std::move(options)},
      people_{std::move(people)},
      ports_{ports},
      tasks_{executor_, [this](const std::string& what) { problem("a task ended with an exception: " + what); }},
      engine_{executor_,
              tasks_,
              {.channel = options_.name,
               .moved = options_.moved,
               .on_moved = options_.on_moved,
               .on_problem = [this](const std::string& line) { problem(line); },
               .rates = options_.rates},
              {.messenger = ports.messenger,
               .clock = ports.clock,
               .ids = ports.ids,
               .deliveries = ports.deliveries,
               .drafts = ports.drafts}},
      answering_{{.answer_max = options_.answer_max,
                  .is_group = [this](const std::string& chat) { return ports_.messenger.is_group(chat); },
                  .mark = [this](const Ulid& request, const std::string& chat,
                                 const std::string& principal) { engine_.mark(request, chat, principal); }},
                 {.attempts = ports.attempts,
                  .open = ports.open,
                  .drafts = ports.drafts,
                  .clock = ports.clock,
                  .tasks = tasks_}},
      replays_{{.keep = options_.replays_kept, .entries_max = limits::replay_entries_max}} {
    for (const auto& delivery : options_.handled) {
        // Remembered twice is remembered: what it answers does not matter.
        static_cast<void>(replays_.take(options_.name, delivery, ports_.clock.boot()).has_value());
    }
}

asio::awaitable<void> ChatChannel::stop() {
    co_await engine_.drain(ports_.clock.boot() + options_.stop_max);
    tasks_.cancel();
    co_await tasks_.join();
}

void ChatChannel::problem(const std::string& line) const {
    if (people_.on_problem) people_.on_problem(options_.name + ": " + line);
}

void ChatChannel::present(Presentation presentation) {
    const auto id = presentation.id;
    if (closed_) return engine_.undeliverable_later(id, *closed_);
    auto chat = ports_.messenger.chat_of(presentation.to);
    if (!chat) return engine_.undeliverable_later(id, chat.error().detail);
    engine_.present(std::move(presentation), std::move(*chat));
}

void ChatChannel::conclude(DeliveryId id, const Conclusion& conclusion) { engine_.conclude(id, conclusion); }

void ChatChannel::conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) {
    if (ports_.messenger.is_message(ref.place.message)) engine_.conclude_earlier(id, ref, conclusion);
}

void ChatChannel::tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) {
    if (ports_.messenger.is_message(ref.place.message)) engine_.tell_earlier(id, ref, news);
}

void ChatChannel::session_ended(SessionEnd end) {
    const auto chat = ports_.messenger.chat_of(end.to);
    if (!closed_ && chat) engine_.session_ended(end, *chat);
}

void ChatChannel::announce(Announcement announcement) {
    const auto id = announcement.id;
    if (closed_) return engine_.undeliverable_later(id, *closed_);
    auto chat = ports_.messenger.chat_of(announcement.to);
    if (!chat) return engine_.undeliverable_later(id, chat.error().detail);
    engine_.announce(std::move(announcement), std::move(*chat));
}

void ChatChannel::take(Heard heard, Handled handled) {
    // A replay has no effect at all, also no second answer (I5).
    if (!replays_.take(options_.name, heard.delivery, ports_.clock.boot())) return handled();
    ports_.attempts.expect();
    const auto asked = asked_by(heard);
    const auto language = language_for({.principal = asked.principal,
                                        .chat = asked.chat,
                                        .card = asked.query.empty() ? std::string{} : asked.message});
    auto sight = this->sight(language);
    sight.locked = answering_.locked(asked.principal);
    const Arrival arrival{.at = ports_.clock.boot(), .after_gap = heard.after_gap};
    Intent intent;
    if (const auto* press = std::get_if<Press>(&heard.what)) {
        auto read = read_press(*press, sight, arrival);
        if (read.pressed) engine_.pressed(*read.pressed);
        if (read.stale) engine_.close(*read.stale, end_of(read.stale->request));
        intent = std::move(read.intent);
    } else {
        const auto& typed = std::get<Typed>(heard.what);
        intent = read_typed(typed, sight, arrival);
        if (typed.edited && !is_first_edit(typed)) keep_quiet(intent);
    }
    act({.principal = asked.principal,
         .language = language,
         .delivery = heard.delivery,
         .spins = !asked.query.empty() && !asked.slot,  // a slot has its own deadline
         .say = [this, asked](const Phrase& words, Caller::Tone tone) { say(asked, words, tone); },
         .follow_up =
             [this, asked](const Phrase& words) {
                 if (!asked.chat.empty()) reply(asked, words);
             },
         .handled = std::move(handled)},
        asked, std::move(intent));
}

ReadPress ChatChannel::look_at(const Press& press) const {
    return read_press(press, sight(language_for(press)), {.at = ports_.clock.boot()});
}

ChatSight ChatChannel::sight(Language language) const {
    return {.channel = options_.name,
            .bot_name = bot_name_,
            .keys = ports_.keys,
            .open = ports_.open,
            .cards = engine_.cards(),
            .chats = engine_.chats(),
            .known = people_.is_known,
            .typing = options_.typing,
            .language = language};
}

void ChatChannel::act(Caller caller, const Asked& asked, Intent intent) {
    if (const auto* show = std::get_if<ShowAll>(&intent)) return show_all(caller, asked, *show);
    if (const auto* ask = std::get_if<AskReason>(&intent)) return ask_reason(caller, asked, *ask);
    if (const auto* offer = std::get_if<OfferReason>(&intent)) return offer_reason(caller, asked, *offer);
    if (const auto* begin = std::get_if<Begin>(&intent)) return greet(caller, asked, *begin);
    answering_.act(std::move(caller), std::move(intent));
}

ChatChannel::Asked ChatChannel::asked_by(const Heard& heard) const {
    if (const auto* typed = std::get_if<Typed>(&heard.what)) {
        return {.query = {},
                .chat = typed->chat,
                .message = typed->message,
                .principal = typed->principal,
                .slot = heard.slot};
    }
    const auto& press = std::get<Press>(heard.what);
    const auto on = press.on.value_or(Press::On{});
    return {.query = heard.query,
            .chat = on.chat,
            .message = on.message,
            .principal = press.principal,
            .button = press.data,
            .slot = heard.slot};
}

Language ChatChannel::language_for(const Press& press) const {
    const auto on = press.on.value_or(Press::On{});
    return language_for({.principal = press.principal, .chat = on.chat, .card = on.message});
}

Language ChatChannel::language_for(const Reader& reader) const {
    if (const auto own = people_.language ? people_.language(reader.principal) : std::string{}; !own.empty()) {
        return language_of(own);
    }
    const auto names = engine_.chats().names(reader.chat);
    auto shown = reader.card.empty() ? std::string{} : engine_.cards().language_of(names, reader.card);
    if (shown.empty()) shown = engine_.cards().newest_language_in(names);
    return shown.empty() ? Language{} : language_of(shown);
}

// A platform may tell of an edit again when anything else of the message changes, e.g. the preview of a link.
bool ChatChannel::is_first_edit(const Typed& typed) {
    const auto edit = "edit " + typed.chat + " " + typed.message;
    return replays_.take(options_.name, edit, ports_.clock.boot()).has_value();
}

// What is remembered of how it ended.
std::optional<Conclusion> ChatChannel::end_of(const Ulid& request) const {
    const auto winner = ports_.open.ended(request);
    if (!winner) return std::nullopt;
    return Conclusion{.request_id = request,
                      .outcome = winner->outcome,
                      .decided_by = winner->decided_by,
                      .channel = winner->channel,
                      .at = winner->at};
}

void ChatChannel::show_all(const Caller& caller, const Asked& asked, const ShowAll& show) {
    const auto open = ports_.open.open_request(show.request);
    const auto& chat = asked.chat;
    if (!open || !asked.query.empty()) {
        caller.say({caller.language, Key::write_more, {{"command", "/more"}}}, Caller::Tone::alert);
    } else if (!ports_.messenger.capabilities().files) {
        caller.say({caller.language, Key::not_whole_here}, Caller::Tone::alert);
    } else {
        const auto tag = engine_.cards().language_in(show.request, engine_.chats().names(chat));
        const auto language = tag.empty() ? caller.language : language_of(tag);
        // Below what asked for it: in a group with topics it would be in another one.
        engine_.reply(chat, [this, open = *open, chat, language, below = asked.message] {
            auto spot = engine_.spot_of(chat);
            spot.reply_to = below;
            return ports_.messenger.renderer().document(*open.request, open.offered, spot, language);
        });
    }
    caller.handled();
}

void ChatChannel::open_modal(const Asked& asked, const std::string& chat, const ReasonWanted& wanted,
                             Language language) {
    const auto& renderer = ports_.messenger.renderer();
    const auto spot = engine_.spot_of(chat);
    const auto in_slot = asked.slot ? renderer.reason_modal_in_slot(spot, wanted, language) : std::nullopt;
    if (in_slot && asked.slot->fill(*in_slot)) return;
    engine_.answer("query " + asked.query, renderer.reason_modal(asked.query, spot, wanted, language));
}

void ChatChannel::ask_reason(const Caller& caller, const Asked& asked, const AskReason& ask) {
    const auto& chat = ask.attempt.where.chat;
    const auto name = name_of(caller.principal);
    const ReasonWanted wanted{.card = ask.attempt.where.message,
                              .principal = caller.principal,
                              .person = name,
                              .code = ports_.keys.codes.code(ask.attempt.request_id, chat),
                              .button = asked.button};
    if (ports_.messenger.capabilities().modals) {
        open_modal(asked, chat, wanted, caller.language);
        return caller.handled();
    }
    const bool sent = engine_.prompt(
        ask.attempt.request_id, chat, {.kind = ReasonPrompt::Kind::asks, .principal = caller.principal, .person = name},
        [this, chat, wanted, language = caller.language] {
            return ports_.messenger.renderer().reason_wanted(engine_.spot_of(chat), wanted, language);
        });
    if (sent) {
        caller.say({caller.language, Key::reply_with_reason}, Caller::Tone::note);
    } else {
        caller.say({caller.language, Key::prompt_there, {{"command", "/deny " + wanted.code}}}, Caller::Tone::alert);
    }
    caller.handled();
}

void ChatChannel::offer_reason(const Caller& caller, const Asked& asked, const OfferReason& offer) {
    const auto open = ports_.open.open_request(offer.attempt.request_id);
    const auto& chat = offer.attempt.where.chat;
    const auto generation =
        engine_.cards().newest_generation(offer.attempt.request_id, engine_.chats().names(asked.chat));
    Presentation presentation;
    presentation.request = open->request;  // it was open when this was read, on this thread
    presentation.offered = open->offered;
    presentation.generation = generation.value_or(0);
    engine_.prompt(offer.attempt.request_id, chat,
                   {.kind = ReasonPrompt::Kind::offers,
                    .principal = caller.principal,
                    .person = name_of(caller.principal),
                    .words = offer.reason},
                   [this, chat, presentation, below = asked.message, language = caller.language] {
                       auto spot = engine_.spot_of(chat);
                       spot.reply_to = below;
                       return ports_.messenger.renderer().reason_offer(presentation, spot, language);
                   });
    caller.handled();
}

std::string ChatChannel::name_of(const std::string& principal) const {
    const auto name = people_.person ? people_.person(principal) : std::string{};
    return name.empty() ? principal : name;
}

void ChatChannel::greet(const Caller& caller, const Asked& asked, const Begin& begin) {
    Phrase hello;
    if (people_.on_start) {
        hello.plain(people_.on_start({begin.code, asked.principal, asked.chat}));
    } else {
        hello.say(caller.language, Key::hello, {{"principal", asked.principal}});
        hello.plain("\n\n").append(help_words(caller.language));
    }
    caller.say(hello, Caller::Tone::alert);
    caller.handled();
}

void ChatChannel::say(const Asked& asked, const Phrase& words, Caller::Tone tone) {
    const bool alert = tone == Caller::Tone::alert;
    if (asked.slot && asked.slot->fill(ports_.messenger.renderer().in_slot(words, alert))) return;
    if (asked.query.empty()) return reply(asked, words);
    engine_.answer("query " + asked.query, ports_.messenger.renderer().answer(asked.query, words, alert));
}

void ChatChannel::reply(const Asked& asked, const Phrase& words) {
    const auto only_for = ports_.messenger.capabilities().ephemeral ? asked.principal : std::string{};
    engine_.reply(asked.chat, [this, chat = asked.chat, below = asked.message, only_for, words] {
        auto spot = engine_.spot_of(chat);
        spot.reply_to = below;
        spot.only_for = only_for;
        return ports_.messenger.renderer().reply(spot, words);
    });
}

}  // namespace countersign::channels
