// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/discord.hpp"

#include "channels/discord/access.hpp"
#include "channels/discord/bounds.hpp"
#include "channels/discord/open.hpp"
#include "channels/discord/views.hpp"
#include "channels/duration.hpp"
#include "channels/handling.hpp"
#include "channels/refusal_words.hpp"
#include "core/json/members.hpp"
#include "core/limits.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

constexpr auto refused_token = "Discord refuses this channel's token";

static_assert(limits::discord_channel_reserve < limits::discord_channel_burst);

Rates rates() {
    return {.channel = {limits::discord_bot_burst, limits::discord_bot_interval},
            .of_chat = [](const std::string& /*chat*/) {
                return Rate{limits::discord_channel_burst, limits::discord_channel_interval,
                            limits::discord_channel_reserve};
            }};
}

Result<std::optional<security::Ed25519PublicKey>> key_of(const DiscordOptions& options) {
    if (options.mode != Mode::webhook) return std::optional<security::Ed25519PublicKey>{};
    if (options.public_key.empty()) {
        return Error{Errc::missing_secret,
                     "a webhook needs the app's public key: set public_key to the one on the app's page, General "
                     "Information"};
    }
    auto key = security::Ed25519PublicKey::parse(options.public_key);
    if (!key) return Error{key.error().code, "public_key: " + key.error().detail};
    return std::optional{*key};
}

// What is told where nothing else is known in time: a command shows that it is being worked on, all else stays as it
// is.
Json deferral_of(const Payload& payload) {
    return std::holds_alternative<Slash>(payload) ? thinking() : deferred_update();
}

}  // namespace

Result<std::unique_ptr<Discord>> Discord::open(const asio::any_io_executor& executor, DiscordOptions options,
                                               PlatformPorts ports, Connect connect) {
    if (const auto token = check_token(options.token); !token) return token.error();
    const auto key = key_of(options);
    if (!key) return key.error();
    return std::unique_ptr<Discord>{new Discord{executor, std::move(options), *key, ports, connect}};
}

Discord::Discord(const asio::any_io_executor& executor, DiscordOptions options,
                 std::optional<security::Ed25519PublicKey> key, PlatformPorts ports, const Connect& connect)
    : options_{std::move(options)},
      ports_{ports},
      client_{ports_.http, ports_.clock, options_.base_url, options_.token.duplicate()},
      messenger_{client_,
                 ports_.keys,
                 {.is_gone = [this] { return link_.is_gone(); },
                  .resolve = [this](Outgoing& call) { return interactions_.resolve(call, ports_.clock.boot()); },
                  .on_send = [this](const Outgoing& call) { card_goes_out(call); }}},
      chat_{executor,
            {.name = options_.name,
             .answer_max = limits::discord_answer_max,
             .stop_max = limits::discord_stop_max,
             .replays_kept = limits::discord_replays_kept,
             .rates = rates(),
             .handled = options_.handled},
            options_.people,
            chat_ports(messenger_, ports)},
      link_{chat_,
            ports,
            {.platform = "Discord",
             .refused = refused_token,
             .advice =
                 "Discord refuses this channel's token: reset it on the app's page, Bot, and give the channel the "
                 "new one"},
            [this] { return client_.is_token_refused(); }} {
    const TakePayload take = [this](Payload payload) { return this->take(std::move(payload)); };
    const auto expect = [this] { ports_.attempts.expect(); };
    const auto on_problem = [this](const std::string& line) { problem(line); };
    if (key) {
        const auto on_refused = [this](const Error& why) {
            ports_.attempts.refused({.request_id = {}, .principal = {}, .channel = options_.name}, why);
        };
        webhook_ = std::make_unique<DiscordWebhook>(
            *key, ports_.clock,
            WebhookHandler{.take = take, .expect = expect, .on_problem = on_problem, .on_refused = on_refused});
        return;
    }
    socket_ = std::make_unique<EventSocket>(
        client_, options_.base_url, connect, ports_.clock, ports_.ids, chat_.tasks(),
        EventSocket::Handler{.take = take, .expect = expect, .on_problem = on_problem, .on_refused = on_problem});
}

std::vector<InboundPath> Discord::inbound() {
    if (!webhook_) return {};
    return {{.inbound = webhook_.get()}};
}

// The app as Discord knows it. What its owner has to change there is said here, because nothing else would tell.
Result<void> Discord::know(const json::Object& application) {
    const auto id = text_of(application, "id");
    const auto& bot = object_in(application, "bot");
    if (!is_snowflake(id) || !is_snowflake(text_of(bot, "id"))) {
        return Error{Errc::unavailable, "the answer to applications/@me names no bot; is base_url right?"};
    }
    if (!options_.application.empty() && options_.application != id) {
        return Error{Errc::bad_config, "the token is of the app " + id + ", and application_id = \"" +
                                           options_.application + "\" is another: use the token of that one"};
    }
    const auto key = text_of(application, "verify_key");
    if (webhook_ && !key.empty() && key != options_.public_key) {
        return Error{Errc::bad_config, "public_key is not that of the app " + id +
                                           ": copy it again from the app's page, General Information"};
    }
    if (socket_ && !text_of(application, "interactions_endpoint_url").empty()) {
        elsewhere_ =
            "the app sends its presses to an Interactions Endpoint URL: delete that on the app's page, General "
            "Information, or write mode = \"webhook\"";
        problem(elsewhere_);
    }
    application_ = id;
    user_ = text_of(bot, "id");
    chat_.set_bot_name(text_of(bot, "username"));
    return {};
}

asio::awaitable<Result<void>> Discord::start() {
    const auto reply = co_await client_.call(current_application());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        if (refusal->kind == Refusal::Kind::bad_token) {
            co_return Error{Errc::missing_secret, std::string{refused_token} + " (" + refusal->why +
                                                      "): copy it again from the app's page, Bot, Reset Token"};
        }
        co_return link_.away(refusal->why);
    }
    if (const auto known = know(std::get<ApiAnswer>(reply).object); !known) {
        co_return known.error().code == Errc::unavailable ? link_.away(known.error().detail) : known.error();
    }
    link_.reached();
    co_return Result<void>{};
}

std::string Discord::introduction() const {
    const auto how = socket_ ? std::string{"Gateway"} : std::string{"webhook"};
    if (user_.empty()) return "Discord, " + how;
    return "@" + chat_.bot_name() + " (app " + application_ + "), " + how;
}

asio::awaitable<void> Discord::run() {
    const auto reached = co_await link_.reach(*this);
    if (!reached) co_return chat_.close(reached.error().detail);
    if (!link_.listening()) co_return;
    if (socket_) socket_->start();
    const auto registered =
        co_await register_commands(client_, {.application = application_, .server = options_.guild});
    if (!registered) problem(registered.error().detail);
    if (link_.listening()) co_await check_channels();
}

// What a person would only notice when a request does not arrive.
asio::awaitable<void> Discord::check_channels() {
    auto chats = options_.chats ? options_.chats() : std::vector<std::string>{};
    if (chats.size() > limits::discord_channel_checks_max) chats.resize(limits::discord_channel_checks_max);
    ChannelCheck check{client_, {.id = application_, .bot = user_, .bot_name = chat_.bot_name()}};
    for (const auto& chat : chats) {
        const auto flaw = co_await check.flaw(chat);
        if (flaw && *flaw) problem("requests may not arrive: " + **flaw);
    }
}

void Discord::stop_listening() {
    link_.stop_listening();
    if (socket_) socket_->stop();
}

std::vector<std::string> Discord::unready() const {
    const auto line = [this](const std::string& why) { return std::vector{options_.name + ": " + why}; };
    if (chat_.is_closed()) return line(refused_token);
    if (user_.empty()) return line("Discord was not reached yet");
    if (!socket_) return {};
    if (!socket_->refused().empty()) return line(socket_->refused());
    if (!elsewhere_.empty()) return line(elsewhere_);
    if (socket_->connected()) return {};
    const auto last = socket_->last_connected();
    if (!last) return line("no connection to Discord yet");
    const auto silent = ports_.clock.boot() - *last;
    if (silent <= limits::polling_gap_max) return {};
    return line("no connection to Discord for " + duration(silent));
}

Result<std::function<void()>> Discord::prepare(const Settings& wanted) {
    auto options = options_of(wanted);
    if (!options) return options.error();
    if (!client_.calls_with(options->token)) {
        return Error{Errc::unsupported, "the bot's token changed: that needs a restart"};
    }
    if (!webhook_) return std::function<void()>{[] {}};
    options->mode = Mode::webhook;
    const auto key = key_of(*options);
    if (!key) return key.error();
    return std::function<void()>{[this, key = **key, text = options->public_key] {
        webhook_->trust(key);
        options_.public_key = text;
    }};
}

asio::awaitable<Reply> Discord::take(Payload payload) {
    if (!link_.listening()) co_return Reply{.status = 503};
    if (const auto* typed = std::get_if<Message>(&payload)) {
        message(*typed);
        co_return Reply{};
    }
    const auto* context = context_of(payload);
    const bool ours = context != nullptr && (application_.empty() || context->interaction.application == application_);
    if (!ours) co_return Reply{.status = 400};
    const auto id = context->interaction.id;
    interactions_.keep(context->interaction, ports_.clock.boot());
    Handling answered{co_await asio::this_coro::executor};
    const auto slot = std::make_shared<AnswerSlot>(deferral_of(payload), answered.one_more());
    const bool command = std::holds_alternative<Slash>(payload);
    waiting_.push_back(slot);
    chat_.tasks().spawn(handle(std::move(payload), slot));
    co_await answered.all_handled(ports_.clock, limits::discord_reply_max);
    slot->defer();
    std::erase(waiting_, slot);
    if (command && slot->is_deferred()) interactions_.thinking(id);
    co_return slot->reply();
}

asio::awaitable<void> Discord::handle(Payload payload, Slot slot) {
    if (const auto* clicked = std::get_if<Click>(&payload)) {
        co_await click(*clicked, slot);
    } else if (const auto* filled = std::get_if<Submission>(&payload)) {
        co_await submission(*filled, slot);
    } else if (const auto* slash = std::get_if<Slash>(&payload)) {
        std::vector<Heard> heard;
        heard.push_back(
            {.delivery = interaction_name(slash->at.interaction.id), .what = typed_of(*slash, ours()), .slot = slot});
        co_await hear(std::move(heard));
    }
    slot->finish();
}

asio::awaitable<void> Discord::click(const Click& click, Slot slot) {
    auto press = press_of(click, ours());
    const auto seen = chat_.look_at(press);
    if (const auto window = window_of(press, seen.intent); !window.is_null()) {
        if (seen.pressed) chat_.engine().pressed(*seen.pressed);
        slot->fill(json_reply(modal_response(window)));
        co_return;
    }
    const auto name = interaction_name(click.at.interaction.id);
    std::vector<Heard> heard;
    if (const auto* show = std::get_if<ShowAll>(&seen.intent)) {
        // As if they had typed it: the whole text is a file for them alone.
        heard.push_back(
            {.delivery = name, .what = typed_as(click.at, "/more " + show->request.str(), ours()), .slot = slot});
    } else {
        if (press.on && is_told_by_card(seen.intent)) slot->quiet_on(press.on->message);
        heard.push_back({.delivery = name, .query = name, .what = std::move(press), .slot = slot});
    }
    co_await hear(std::move(heard));
}

// A decision ends the card. A choice does where it is the whole answer, and is marked there where nobody else reads it.
bool Discord::is_told_by_card(const Intent& intent) const {
    const auto* pick = std::get_if<Pick>(&intent);
    if (pick == nullptr) return std::holds_alternative<Decide>(intent);
    const auto open = ports_.open.open_request(pick->attempt.request_id);
    return open && (!gathers(*open->request->questionnaire()) || is_direct(pick->attempt.where.chat));
}

Json Discord::window_of(const Press& press, const Intent& intent) const {
    const auto* show = std::get_if<ShowAll>(&intent);
    const auto open = show == nullptr ? std::nullopt : ports_.open.open_request(show->request);
    const auto* questionnaire = open ? open->request->questionnaire() : nullptr;
    if (questionnaire == nullptr || !press.on || !is_known(press.principal)) return nullptr;
    for (const auto& name : chat_.engine().chats().names(press.on->chat)) {
        const auto button = ports_.keys.tokens.verify(press.data, {.channel = options_.name, .chat = name});
        if (!button || button->question >= answer_pages(*questionnaire)) continue;
        return answers_modal(*questionnaire, button->question, press.data, chat_.language_for(press));
    }
    return nullptr;
}

// Whether the card still stands for that is asked by the button that opened the window: a person who is too late hears
// how it ended.
asio::awaitable<void> Discord::submission(const Submission& submission, Slot slot) {
    auto press = press_of(submission, ours());
    const auto part = part_named(submission.data).part;
    const auto name = interaction_name(submission.at.interaction.id);
    const auto seen = chat_.look_at(press);
    if (part == Part::answers && std::holds_alternative<ShowAll>(seen.intent)) {
        co_return co_await answers(submission, press, slot);
    }
    // Words, if only none, so that a window stands for no button that asks for none.
    press.words = part == Part::reason ? typed_reason(submission.fields) : std::string{};
    if (std::holds_alternative<AskReason>(seen.intent) && press.on) slot->quiet_on(press.on->message);
    std::vector<Heard> heard;
    heard.push_back({.delivery = name, .query = name, .what = std::move(press), .slot = slot});
    co_await hear(std::move(heard));
}

// All of it is checked before any is taken, so that nothing is half answered. Where the window had every question of
// the card, its answers are submitted too; else the card's own button does that, once the choices are made.
asio::awaitable<void> Discord::answers(const Submission& submission, const Press& press, Slot slot) {
    const auto language = chat_.language_for(press);
    const auto id = *security::request_named_by(press.data);
    const auto open = ports_.open.open_request(id);  // look_at() found it, on this thread
    const auto& questionnaire = *open->request->questionnaire();
    const auto& questions = questionnaire.questions;
    const bool one = questions.size() == 1;
    const bool all = written_questions(questionnaire).size() == questions.size() && answer_pages(questionnaire) == 1;
    const auto given = typed_answers(questionnaire, submission.fields);
    const auto refuse = [&](std::size_t question, const Phrase& why) {
        Phrase words;
        if (!one) words.plain(std::to_string(question + 1) + ". ");
        slot->fill(messenger_.renderer().in_slot(words.append(why), true));
    };
    const auto name = interaction_name(submission.at.interaction.id);
    std::vector<Heard> heard;
    for (const auto& [question, text] : given) {
        const auto typed = one ? text : std::to_string(question + 1) + " " + text;
        if (const auto fits = read_answer(questionnaire, typed); !fits) {
            co_return refuse(question, {language, answer_fault(fits.error().code)});
        }
        const bool last = !all && question == given.back().question;
        const std::shared_ptr<ReplySlot> words =
            one || last ? std::shared_ptr<ReplySlot>{slot} : std::make_shared<SilentSlot>();
        heard.push_back({.delivery = name + " " + std::to_string(question),
                         .what = typed_as(submission.at, "/answer " + id.str() + " " + typed, ours()),
                         .slot = words});
    }
    if (press.on && (one || all)) slot->quiet_on(press.on->message);
    if (!one && all) {
        const auto generation =
            ports_.keys.tokens.verify(press.data, {.channel = options_.name, .chat = press.on->chat});
        auto submit = ports_.keys.tokens.mint({.verb = security::ButtonVerb::submit,
                                               .request_id = id,
                                               .generation = generation ? generation->generation : std::uint8_t{0}},
                                              {.channel = options_.name, .chat = press.on->chat});
        auto last = press;
        last.data = std::move(*submit);
        heard.push_back({.delivery = name, .query = name, .what = std::move(last), .slot = slot});
    }
    co_await hear(std::move(heard));
}

// One after the other, until all of it is settled.
asio::awaitable<void> Discord::hear(std::vector<Heard> heard) {
    Handling handling{co_await asio::this_coro::executor};
    for (auto& one : heard) chat_.take(std::move(one), handling.one_more());
    co_await handling.all_handled(ports_.clock, limits::discord_answer_max);
}

void Discord::message(const Message& message) {
    if (message.user == user_) return;
    chat_.take({.delivery = delivery_of(message), .what = typed_of(message, ours())}, [] {});
}

void Discord::card_goes_out(const Outgoing& call) {
    if (waiting_.empty() || call.verb != HttpMethod::patch) return;
    const auto* body = std::get_if<std::string>(&call.body);
    for (const auto& slot : waiting_) {
        const auto card = slot->card() ? message_name(*slot->card()) : std::nullopt;
        if (!card || body == nullptr || !call.path.ends_with("/messages/" + card->message)) continue;
        slot->show(*body);
    }
}

bool Discord::is_known(const std::string& principal) const {
    return options_.people.is_known && options_.people.is_known(principal);
}

}  // namespace countersign::channels::discord
