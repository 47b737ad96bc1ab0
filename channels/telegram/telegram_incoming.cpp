// SPDX-License-Identifier: Apache-2.0
// From updates to attempts and answers. Every click is answered exactly once, whatever it was.
#include "channels/help_words.hpp"
#include "channels/telegram/telegram.hpp"
#include "channels/telegram/wording.hpp"

namespace countersign::channels::telegram {

namespace {

struct Sender {
    std::string principal;
    std::string chat;
    std::string clicked = {};  // the message with the button
};

// Who it came from and where, for the words of the answer; what it means is read elsewhere.
Sender sender_of(const Update& update) {
    const auto named = [](std::int64_t id) { return "telegram:" + std::to_string(id); };
    if (const auto* click = std::get_if<Click>(&update.what)) {
        if (!click->on) return {named(click->from.id), {}};
        return {named(click->from.id), std::to_string(click->on->chat), std::to_string(click->on->message)};
    }
    if (const auto* text = std::get_if<Text>(&update.what)) {
        return {named(text->from ? text->from->id : 0), std::to_string(text->chat)};
    }
    return {};
}

// The record stays.
void keep_quiet(Meaning& meaning) {
    if (auto* refused = std::get_if<Refuse>(&meaning)) refused->words = {};
    if (std::holds_alternative<Say>(meaning)) meaning = Nothing{};
}

}  // namespace

Language Telegram::language_of_answer(const std::string& principal, const std::string& chat,
                                      const std::string& clicked) const {
    if (const auto own = options_.language ? options_.language(principal) : std::string{}; !own.empty()) {
        return channels::language_of(own);
    }
    const auto names = engine_.chats().names(chat);
    auto shown = engine_.cards().language_of(names, clicked);
    if (shown.empty()) shown = engine_.cards().newest_language_in(names);
    return shown.empty() ? Language{} : channels::language_of(shown);
}

void Telegram::take(Update update, bool after_gap, Handled handled) {
    // A replay has no effect at all, also no second answer (I5).
    if (!replays_.take(options_.name, std::to_string(update.id), ports_.clock.boot())) return handled();
    ports_.attempts.expect();
    const auto [principal, chat, clicked] = sender_of(update);
    const auto language = language_of_answer(principal, chat, clicked);
    const Sight sight{.channel = options_.name,
                      .bot = bot_,
                      .keys = keys(),
                      .open = ports_.open,
                      .cards = engine_.cards(),
                      .chats = engine_.chats(),
                      .known = options_.is_known,
                      .language = language,
                      .locked = answering_.locked(principal)};
    const Arrival arrival{.at = ports_.clock.boot(), .after_gap = after_gap};
    Incoming incoming;
    if (const auto* click = std::get_if<Click>(&update.what)) incoming = read(*click, sight, arrival);
    if (const auto* text = std::get_if<Text>(&update.what)) {
        incoming = read(*text, sight, arrival);
        if (text->edited && !is_first_edit(*text)) keep_quiet(incoming.meaning);
    }
    if (const auto* moved = std::get_if<Moved>(&update.what)) follow(*moved);
    if (incoming.pressed) engine_.pressed(*incoming.pressed);
    if (incoming.stale) engine_.close(*incoming.stale, end_of(incoming.stale->request));
    Caller caller{
        .principal = incoming.asker.principal,
        .language = language,
        .delivery = std::to_string(update.id),
        .spins = !incoming.asker.query.empty(),
        .say = [this, asker = incoming.asker](const Phrase& words, Caller::Tone tone) { say(asker, words, tone); },
        .handled = std::move(handled)};
    if (const auto* show = std::get_if<ShowAll>(&incoming.meaning)) return show_all(caller, incoming.asker, *show);
    if (const auto* ask = std::get_if<AskReason>(&incoming.meaning)) return ask_reason(caller, *ask);
    if (const auto* offer = std::get_if<OfferReason>(&incoming.meaning)) {
        return offer_reason(caller, incoming.asker, *offer);
    }
    if (const auto* begin = std::get_if<Begin>(&incoming.meaning)) return greet(caller, incoming.asker, *begin);
    answering_.act(std::move(caller), std::move(incoming.meaning));
}

// Telegram tells of an edit again when anything else of the message changes, e.g. the preview of a link.
bool Telegram::is_first_edit(const Text& text) {
    const auto name = "edit " + std::to_string(text.chat) + " " + std::to_string(text.message);
    return replays_.take(options_.name, name, ports_.clock.boot()).has_value();
}

// What is remembered of how it ended.
std::optional<Conclusion> Telegram::end_of(const Ulid& request) const {
    const auto winner = ports_.open.ended(request);
    if (!winner) return std::nullopt;
    return Conclusion{.request_id = request,
                      .outcome = winner->outcome,
                      .decided_by = winner->decided_by,
                      .channel = winner->channel,
                      .at = winner->at};
}

void Telegram::show_all(const Caller& caller, const Asker& asker, const ShowAll& show) {
    const auto open = ports_.open.open_request(show.request);
    const auto& chat = asker.text.chat;
    if (!open || chat.empty()) {
        caller.say({caller.language, Key::write_more, {{"command", "/more"}}}, Caller::Tone::alert);
    } else {
        const auto tag = engine_.cards().language_in(show.request, engine_.chats().names(chat));
        const auto language = tag.empty() ? caller.language : channels::language_of(tag);
        // Below what asked for it: in a group with topics it would stand in another one.
        engine_.reply(chat, [this, open = *open, chat, language, message = asker.text.message] {
            auto spot = engine_.spot_of(chat);
            spot.reply_to = std::to_string(message);
            return render_document(*open.request, open.offered, spot, language);
        });
    }
    caller.handled();
}

void Telegram::ask_reason(const Caller& caller, const AskReason& ask) {
    caller.say({caller.language, Key::reply_with_reason}, Caller::Tone::note);
    const auto& chat = ask.attempt.where.chat;
    const auto name = name_of(caller.principal);
    const ReasonWanted wanted{.card = message_number(ask.attempt.where.message),
                              .user = user_of(caller.principal).value_or(0),
                              .person = name,
                              .code = ports_.codes.code(ask.attempt.request_id, chat)};
    engine_.prompt(ask.attempt.request_id, chat,
                   {.kind = ReasonPrompt::Kind::asks, .principal = caller.principal, .person = name},
                   [this, chat, wanted, language = caller.language] {
                       return render_reason_wanted(engine_.spot_of(chat), wanted, language);
                   });
    caller.handled();
}

void Telegram::offer_reason(const Caller& caller, const Asker& asker, const OfferReason& offer) {
    const auto open = ports_.open.open_request(offer.attempt.request_id);
    const auto& chat = offer.attempt.where.chat;
    const auto generation =
        engine_.cards().newest_generation(offer.attempt.request_id, engine_.chats().names(asker.text.chat));
    Presentation presentation;
    presentation.request = open->request;  // it was open when this was read, on this thread
    presentation.offered = open->offered;
    presentation.generation = generation.value_or(0);
    engine_.prompt(offer.attempt.request_id, chat,
                   {.kind = ReasonPrompt::Kind::offers,
                    .principal = caller.principal,
                    .person = name_of(caller.principal),
                    .words = offer.reason},
                   [this, chat, presentation, reply = asker.text.message, language = caller.language] {
                       return render_reason_offer(presentation, engine_.spot_of(chat), keys(), reply, language);
                   });
    caller.handled();
}

std::string Telegram::name_of(const std::string& principal) const {
    const auto name = options_.person ? options_.person(principal) : std::string{};
    return name.empty() ? principal : name;
}

void Telegram::greet(const Caller& caller, const Asker& asker, const Begin& begin) {
    Phrase hello;
    if (options_.on_start) {
        hello.plain(options_.on_start({begin.code, asker.principal, asker.text.chat}));
    } else {
        hello.say(caller.language, Key::hello, {{"principal", asker.principal}});
        hello.plain("\n\n").append(help_words(caller.language));
    }
    caller.say(hello, Caller::Tone::alert);
    caller.handled();
}

void Telegram::say(const Asker& asker, const Phrase& words, Caller::Tone tone) {
    const auto text = styled(words);
    if (!asker.query.empty()) {
        const bool alert = tone == Caller::Tone::alert;
        return engine_.answer("query " + asker.query, answer_query(asker.query, text.text(), alert));
    }
    engine_.reply(asker.text.chat, [this, to = asker.text, text] {
        return send_reply({engine_.chats().target(to.chat), to.message}, text);
    });
}

}  // namespace countersign::channels::telegram
