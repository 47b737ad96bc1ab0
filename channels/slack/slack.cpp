// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/slack.hpp"

#include "channels/duration.hpp"
#include "channels/guard.hpp"
#include "channels/handling.hpp"
#include "channels/refusal_words.hpp"
#include "channels/slack/bounds.hpp"
#include "channels/slack/open.hpp"
#include "channels/slack/scopes.hpp"
#include "channels/slack/slots.hpp"
#include "core/json/members.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/webhook_signature.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

constexpr auto refused_token = "Slack refuses this channel's token";

static_assert(limits::slack_channel_reserve < limits::slack_channel_burst);

Rates rates() {
    return {.channel = {limits::slack_bot_burst, limits::slack_bot_interval},
            .of_chat = [](const std::string& /*chat*/) {
                return Rate{limits::slack_channel_burst, limits::slack_channel_interval, limits::slack_channel_reserve};
            }};
}

Result<void> check_signing_secret(const security::Secret& secret) {
    if (secret.size() >= limits::secret_bytes_min) return {};
    return Error{Errc::missing_secret,
                 "the signing secret is too short: copy it again from the app's page, Basic Information"};
}

Reply field_error(const std::string& block, std::string_view words) {
    return json_reply({{"response_action", "errors"}, {"errors", {{block, words}}}});
}

}  // namespace

Result<security::SecretRing> signing_secrets(const SlackOptions& options) {
    if (options.mode == Mode::webhook && !options.secrets.present) {
        return Error{Errc::missing_secret,
                     "a webhook needs the signing secret: set signing_secret_file to a file with the one from the "
                     "app's page, Basic Information"};
    }
    return ring_of(options.secrets, check_signing_secret);
}

Result<std::unique_ptr<Slack>> Slack::open(const asio::any_io_executor& executor, SlackOptions options,
                                           PlatformPorts ports, Connect connect) {
    if (const auto token = check_token(options.token, "xoxb-"); !token) return token.error();
    if (options.mode == Mode::socket) {
        if (!options.app_token)
            return Error{Errc::missing_secret, "Socket Mode needs app_token_file, the xapp-… token"};
        if (const auto token = check_token(*options.app_token, "xapp-"); !token) return token.error();
    }
    auto secrets = signing_secrets(options);
    if (!secrets) return secrets.error();
    return std::unique_ptr<Slack>{new Slack{executor, std::move(options), std::move(*secrets), ports, connect}};
}

Slack::Slack(const asio::any_io_executor& executor, SlackOptions options, security::SecretRing secrets,
             PlatformPorts ports, const Connect& connect)
    : options_{std::move(options)},
      ports_{ports},
      client_{ports_.http, options_.base_url, options_.token.duplicate()},
      messenger_{client_, ports_.keys, [this] { return link_.is_gone(); }},
      chat_{executor,
            {.name = options_.name,
             .answer_max = limits::slack_answer_max,
             .stop_max = limits::slack_stop_max,
             .replays_kept = limits::slack_replays_kept,
             .rates = rates(),
             .handled = options_.handled},
            options_.people,
            chat_ports(messenger_, ports)},
      link_{chat_,
            ports,
            {.platform = "Slack",
             .refused = refused_token,
             .advice = "Slack refuses this channel's token: install the app again, and give the channel its new token"},
            [this] { return client_.is_token_refused(); }} {
    const TakePayload take = [this](Payload payload, std::shared_ptr<ReplySlot> slot) {
        return this->take(std::move(payload), std::move(slot));
    };
    const auto expect = [this] { ports_.attempts.expect(); };
    const auto on_problem = [this](const std::string& line) { problem(line); };
    if (options_.mode == Mode::webhook) {
        const auto on_refused = [this](const Error& why) {
            ports_.attempts.refused({.request_id = {}, .principal = {}, .channel = options_.name}, why);
        };
        webhook_ = std::make_unique<SlackWebhook>(
            std::move(secrets), ports_.clock,
            WebhookHandler{.take = take, .expect = expect, .on_problem = on_problem, .on_refused = on_refused});
        return;
    }
    app_ = std::make_unique<SlackClient>(ports_.http, options_.base_url, options_.app_token->duplicate());
    socket_ =
        std::make_unique<SocketMode>(*app_, connect, ports_.clock, ports_.ids, chat_.tasks(),
                                     SocketMode::Handler{.take = take, .expect = expect, .on_problem = on_problem});
}

std::vector<InboundPath> Slack::inbound() {
    if (!webhook_) return {};
    return {{.inbound = webhook_.get()}};
}

asio::awaitable<Result<void>> Slack::start() {
    const auto reply = co_await client_.account();
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        if (refusal->kind == Refusal::Kind::bad_token) {
            co_return Error{Errc::missing_secret,
                            std::string{refused_token} + " (" + refusal->why +
                                "): copy it again from the app's page, OAuth & Permissions, Bot User OAuth Token"};
        }
        co_return link_.away(refusal->why);
    }
    const auto& me = std::get<BotAccount>(reply);
    if (!options_.team.empty() && options_.team != me.team && options_.team != me.enterprise) {
        co_return Error{Errc::bad_config, "the token is of the workspace " + me.team + ", and team = \"" +
                                              options_.team + "\" is another: use the token of that one"};
    }
    user_ = me.user;
    bot_ = me.bot;
    team_ = me.team;
    team_name_ = me.team_name;
    chat_.set_bot_name(me.user_name);
    link_.reached();
    if (!me.missing.empty()) problem(explain_missing_scopes(me.missing));
    co_return Result<void>{};
}

// What a person would only notice when a request does not arrive.
asio::awaitable<void> Slack::check_channels() {
    auto chats = options_.chats ? options_.chats() : std::vector<std::string>{};
    if (chats.size() > limits::slack_channel_checks_max) chats.resize(limits::slack_channel_checks_max);
    const auto invite = "type /invite @" + chat_.bot_name() + " there";
    for (const auto& chat : chats) {
        const auto reply = co_await client_.call(channel_info(chat));
        if (const auto* refusal = std::get_if<Refusal>(&reply)) {
            if (refusal->kind != Refusal::Kind::unreachable) continue;  // we may not ask, or not now
            problem("requests will not arrive in " + chat + ", which @" + chat_.bot_name() +
                    " cannot see: correct the id, or if the channel is private, " + invite);
            continue;
        }
        const auto& channel = object_in(std::get<json::Object>(reply), "channel");
        const auto name = "#" + displayed_line(text_of(channel, "name")) + " (" + chat + ")";
        if (truth_of(channel, "is_archived")) {
            problem("requests will not arrive in " + name + ", which is archived: name another channel");
        } else if (!truth_of(channel, "is_member")) {
            problem("requests will not arrive in " + name + ", where @" + chat_.bot_name() +
                    " is not a member: " + invite);
        }
    }
}

std::string Slack::introduction() const {
    const auto how = socket_ ? std::string{"Socket Mode"} : std::string{"webhook"};
    if (user_.empty()) return "Slack, " + how;
    return "@" + chat_.bot_name() + " of " + team_name_ + " (" + team_ + "), " + how;
}

asio::awaitable<void> Slack::run() {
    const auto reached = co_await link_.reach(*this);
    if (!reached) co_return chat_.close(reached.error().detail);
    if (link_.listening() && socket_) socket_->start();
    if (link_.listening()) chat_.tasks().spawn(check_channels());
}

void Slack::stop_listening() {
    link_.stop_listening();
    if (socket_) socket_->stop();
}

std::vector<std::string> Slack::unready() const {
    if (chat_.is_closed()) return {options_.name + ": " + refused_token};
    if (user_.empty()) return {options_.name + ": Slack was not reached yet"};
    if (!socket_ || socket_->connected() > 0) return {};
    const auto last = socket_->last_connected();
    if (!last) return {options_.name + ": no connection to Slack yet"};
    const auto silent = ports_.clock.boot() - *last;
    if (silent <= limits::polling_gap_max) return {};
    return {options_.name + ": no connection to Slack for " + duration(silent)};
}

Result<std::function<void()>> Slack::prepare(const Settings& wanted) {
    auto options = options_of(wanted, ports_.clock.wall());
    if (!options) return options.error();
    if (!client_.calls_with(options->token)) {
        return Error{Errc::unsupported, "the bot's token changed: that needs a restart"};
    }
    if (!webhook_) return std::function<void()>{[] {}};
    options->mode = Mode::webhook;
    auto secrets = signing_secrets(*options);
    if (!secrets) return secrets.error();
    // A std::function is copied, and a ring of secrets is not.
    auto ring = std::make_shared<security::SecretRing>(std::move(*secrets));
    return std::function<void()>{[this, ring] { webhook_->trust(std::move(*ring)); }};
}

asio::awaitable<Reply> Slack::take(Payload payload, std::shared_ptr<ReplySlot> slot) {
    if (const auto* challenge = std::get_if<Challenge>(&payload)) {
        co_return json_reply({{"challenge", challenge->text}});
    }
    if (!link_.listening()) co_return Reply{.status = 503};
    if (const auto* removed = std::get_if<Removed>(&payload)) {
        problem(removed->why + "; install it again, and give the channel its new token");
        static_cast<void>(link_.is_gone());  // Slack itself is asked before the channel ends
    } else if (const auto* clicked = std::get_if<Click>(&payload)) {
        click(*clicked);
    } else if (const auto* typed = std::get_if<Message>(&payload)) {
        message(*typed);
    } else if (const auto* slash = std::get_if<Slash>(&payload)) {
        std::vector<Heard> heard;
        heard.push_back({.delivery = delivery_of(*slash),
                         .what = typed_of(*slash, principal_of(slash->by), options_.command),
                         .slot = std::move(slot)});
        co_return co_await hear(std::move(heard));
    } else if (auto* filled = std::get_if<Submission>(&payload)) {
        co_return co_await submission(std::move(*filled), std::move(slot));
    }
    co_return Reply{};
}

// The acknowledgement does not wait for what comes of it: that is on the card, or a message to this person alone.
void Slack::click(const Click& click) {
    const auto press = press_of(click, principal_of(click.by), bot_);
    const auto seen = chat_.look_at(press);
    if (auto window = window_of(press, seen.intent); !window.is_null() && !click.trigger.empty()) {
        if (seen.pressed) chat_.engine().pressed(*seen.pressed);
        chat_.tasks().spawn(open_window(click.trigger, std::move(window)));
        return;
    }
    // What it decided is on the card. A choice there is the whole answer.
    const bool decides = std::holds_alternative<Decide>(seen.intent) || std::holds_alternative<Pick>(seen.intent);
    const Query query{
        .chat = press.on ? press.on->chat : click.by.user,
        .to = {.user = click.by.user, .thread = is_timestamp(click.thread) ? click.thread : std::string{}},
        .quiet = decides};
    chat_.take({.delivery = delivery_of(click), .query = query_name(query), .what = press}, [] {});
}

Json Slack::window_of(const Press& press, const Intent& intent) const {
    if (!press.on || !is_known(press.principal)) return nullptr;
    const Opener opener{.token = press.data, .chat = press.on->chat, .message = press.on->message};
    const auto language = chat_.language_for(press);
    if (const auto* ask = std::get_if<AskReason>(&intent)) {
        const auto open = ports_.open.open_request(ask->attempt.request_id);
        const auto* refusal = open ? refusal_of(open->offered) : nullptr;
        return refusal == nullptr ? Json{} : reason_view(*open->request, *refusal, opener, language);
    }
    const auto* show = std::get_if<ShowAll>(&intent);
    const auto open = show == nullptr ? std::nullopt : ports_.open.open_request(show->request);
    if (!open) return nullptr;
    if (open->request->questionnaire() != nullptr) return answers_view(*open->request, opener, language);
    return whole_text_view(*open->request, open->offered, language);
}

// The trigger lives for three seconds, and a person can press again: nothing is tried twice.
asio::awaitable<void> Slack::open_window(std::string trigger, Json view) {
    const auto reply = co_await client_.call(slack::open_view(trigger, view), limits::slack_trigger_max);
    if (const auto* refusal = std::get_if<Refusal>(&reply)) problem("a window was not opened: " + refusal->why);
}

// What was typed takes the way of a text in the chat. Whether the card still stands for that is asked first, by the
// button that opened the window: who is too late hears how it ended.
asio::awaitable<Reply> Slack::submission(Submission submission, std::shared_ptr<ReplySlot> slot) {
    const auto window = window_named(submission.callback);
    const auto opener = opener_of(submission.metadata);
    if (!window || !opener) co_return Reply{};
    const auto principal = principal_of(submission.by);
    auto press = press_of(*opener, principal);
    const auto seen = chat_.look_at(press);
    if (*window == Window::answers && std::holds_alternative<ShowAll>(seen.intent)) {
        co_return co_await answers(std::move(submission), *opener, std::move(slot));
    }
    const auto answer = std::make_shared<WindowSlot>(std::move(slot), chat_.language_for(press));
    // Words, if only none, so that a window stands for no button that asks for none: it must never allow.
    press.words = std::string{};
    std::vector<Heard> heard;
    heard.push_back({.delivery = "window " + submission.view, .what = press, .slot = answer});
    if (*window == Window::reason && std::holds_alternative<AskReason>(seen.intent)) {
        const auto request = security::request_named_by(opener->token);
        const auto typed = typed_reason(submission.values);
        const auto reason = utf8::head(typed, limits::reason_bytes_max);  // a deny must never be harder than an allow
        heard.back().what =
            typed_in(*opener, submission.by, principal, "/deny " + request->str() + " " + std::string{reason});
    }
    co_return co_await hear(std::move(heard));
}

// All of it is checked before any is taken, so that what is wrong stands below its field and nothing is half answered.
asio::awaitable<Reply> Slack::answers(Submission submission, Opener opener, std::shared_ptr<ReplySlot> slot) {
    const auto principal = principal_of(submission.by);
    const auto press = press_of(opener, principal);
    const auto language = chat_.language_for(press);
    const auto id = *security::request_named_by(opener.token);
    const auto open = ports_.open.open_request(id);  // look_at() found it, on this thread
    const auto& questionnaire = *open->request->questionnaire();
    const bool one = questionnaire.questions.size() == 1;
    const auto given = typed_answers(questionnaire, submission.values);
    const auto answer = std::make_shared<WindowSlot>(std::move(slot), language);
    std::vector<Heard> heard;
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto block = answer_block(questionnaire, at);
        if (given[at].empty()) {
            if (!questionnaire.questions[at].required) continue;
            const auto number = std::to_string(at + 1);
            co_return field_error(block, text(language, Key::not_answered_yet, {{"number", number}}));
        }
        const auto typed = one ? given[at] : std::to_string(at + 1) + " " + given[at];
        if (const auto fits = read_answer(questionnaire, typed); !fits) {
            co_return field_error(block, pattern(language, answer_fault(fits.error().code)));
        }
        const auto name = "window " + submission.view + (one ? std::string{} : " " + std::to_string(at));
        const auto words = one ? std::shared_ptr<ReplySlot>{answer} : std::make_shared<SilentSlot>();
        heard.push_back({.delivery = name,
                         .what = typed_in(opener, submission.by, principal, "/answer " + id.str() + " " + typed),
                         .slot = words});
    }
    if (!one || heard.empty()) {
        const auto generation =
            ports_.keys.tokens.verify(opener.token, {.channel = options_.name, .chat = opener.chat});
        auto submit = ports_.keys.tokens.mint({.verb = security::ButtonVerb::submit,
                                               .request_id = id,
                                               .generation = generation ? generation->generation : std::uint8_t{0}},
                                              {.channel = options_.name, .chat = opener.chat});
        auto last = press;
        last.data = std::move(*submit);
        heard.push_back({.delivery = "window " + submission.view, .what = std::move(last), .slot = answer});
    }
    co_return co_await hear(std::move(heard));
}

// One after the other; the front answers when all of it is settled, or when the platform waits no longer.
asio::awaitable<Reply> Slack::hear(std::vector<Heard> heard) {
    Handling handling{co_await asio::this_coro::executor};
    for (auto& one : heard) chat_.take(std::move(one), handling.one_more());
    co_await handling.all_handled(ports_.clock, limits::slack_answer_max);
    co_return Reply{};
}

void Slack::message(const Message& message) {
    const bool own = message.by.user == user_ || (!message.bot.empty() && message.bot == bot_);
    if (own) return;
    chat_.take({.delivery = "event " + message.delivery, .what = typed_of(message, principal_of(message.by))}, [] {});
}

bool Slack::is_known(const std::string& principal) const {
    return options_.people.is_known && options_.people.is_known(principal);
}

std::string Slack::principal_of(const Actor& by) const { return slack::principal_of(by, options_.people.is_known); }

}  // namespace countersign::channels::slack
