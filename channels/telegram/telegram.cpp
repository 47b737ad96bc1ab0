// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/telegram.hpp"

#include "channels/backoff.hpp"
#include "channels/duration.hpp"
#include "channels/telegram/fields.hpp"
#include "channels/telegram/webhook_info.hpp"
#include "core/limits.hpp"
#include "security/hmac.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <charconv>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

constexpr std::string_view principal_prefix = "telegram:";

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A person's private chat has the person's own id.
Result<std::string> chat_of(const Recipient& to) {
    if (!to.chat.empty()) return to.chat;
    const std::string_view principal = to.principal;
    if (principal.empty()) return Error{Errc::undeliverable, "this step names neither a chat nor people"};
    if (!principal.starts_with(principal_prefix) || !is_digits(principal.substr(principal_prefix.size()))) {
        return Error{Errc::undeliverable, "somebody of this step has no Telegram id"};
    }
    return std::string{principal.substr(principal_prefix.size())};
}

bool is_group(const std::string& chat) { return chat.starts_with('-') || chat.starts_with('@'); }

std::vector<MenuEntry> menu_of(Language language) {
    std::vector<MenuEntry> menu;
    for (const auto& [command, key] : {std::pair{"pending", Key::menu_pending}, std::pair{"approve", Key::menu_approve},
                                       std::pair{"deny", Key::menu_deny}, std::pair{"more", Key::menu_more},
                                       std::pair{"answer", Key::menu_answer}, std::pair{"grants", Key::menu_grants},
                                       std::pair{"revoke", Key::menu_revoke}, std::pair{"halt", Key::menu_halt},
                                       std::pair{"resume", Key::menu_resume}, std::pair{"help", Key::menu_help}}) {
        menu.push_back({command, pattern(language, key)});
    }
    return menu;
}

// On this boot's clock. A time to come was told by a clock that was wrong, and says nothing.
std::optional<BootTime> before_this_run(const std::optional<WallTime>& then, const Clock& clock) {
    if (!then || *then > clock.wall()) return std::nullopt;
    return clock.boot() - (clock.wall() - *then);
}

static_assert(limits::telegram_group_reserve < limits::telegram_group_burst);

Rates rates() {
    return {.channel = {limits::telegram_bot_burst, limits::telegram_bot_interval},
            .of_chat = [](const std::string& chat) {
                return is_group(chat) ? Rate{limits::telegram_group_burst, limits::telegram_group_interval,
                                             limits::telegram_group_reserve}
                                      : Rate{limits::telegram_chat_burst, limits::telegram_chat_interval};
            }};
}

// The number before the colon is the bot's id.
std::int64_t bot_id(const security::Secret& token) {
    std::int64_t id = 0;
    const auto text = token.reveal();
    std::from_chars(text.data(), text.data() + text.find(':'), id);
    return id;
}

}  // namespace

Result<security::SecretRing> webhook_secrets(const TelegramOptions& options) {
    if (options.mode == Mode::webhook && !options.webhook_secret) {
        return Error{Errc::missing_secret,
                     "a webhook needs a secret: set webhook_secret_file, for example to the output "
                     "of openssl rand -hex 32"};
    }
    std::vector<security::SecretRing::Entry> entries;
    if (options.webhook_secret) {
        if (const auto holds = security::check_telegram_secret(*options.webhook_secret); !holds) return holds.error();
        entries.push_back({.name = "present", .secret = options.webhook_secret->duplicate()});
    }
    if (options.previous_webhook_secret) {
        if (const auto holds = security::check_telegram_secret(*options.previous_webhook_secret); !holds) {
            return holds.error();
        }
        if (!options.previous_until) return Error{Errc::missing_secret, "a previous secret needs its previous_until"};
        entries.push_back({.name = "previous",
                           .secret = options.previous_webhook_secret->duplicate(),
                           .until = options.previous_until});
    }
    return security::SecretRing::make(std::move(entries));
}

Result<std::unique_ptr<Telegram>> Telegram::open(const asio::any_io_executor& executor, TelegramOptions options,
                                                 TelegramPorts ports) {
    if (const auto token = check_token(options.token); !token) return token.error();
    auto secrets = webhook_secrets(options);
    if (!secrets) return secrets.error();
    return std::unique_ptr<Telegram>{new Telegram{executor, std::move(options), std::move(*secrets), ports}};
}

Telegram::Telegram(asio::any_io_executor executor, TelegramOptions options, security::SecretRing secrets,
                   TelegramPorts ports)
    : executor_{std::move(executor)},
      options_{std::move(options)},
      ports_{ports},
      client_{ports.http, options_.base_url, options_.token.duplicate()},
      bot_{.id = bot_id(options_.token), .username = {}},
      tasks_{executor_, [this](const std::string& what) { problem("a task ended with an exception: " + what); }},
      messenger_{client_, keys(), [this] { return is_gone(); }},
      engine_{executor_,
              tasks_,
              {.channel = options_.name,
               .moved = options_.moved,
               .on_moved = options_.on_moved,
               .on_problem = [this](const std::string& line) { problem(line); },
               .rates = rates()},
              {.messenger = messenger_, .clock = ports.clock, .ids = ports.ids, .deliveries = ports.deliveries}},
      answering_{{.answer_max = limits::telegram_answer_max,
                  .is_group = is_group,
                  .mark = [this](const Ulid& request, const std::string& chat,
                                 const Chosen& chosen) { engine_.mark(request, chat, chosen); }},
                 {.attempts = ports.attempts, .open = ports.open, .clock = ports.clock, .tasks = tasks_}},
      replays_{{.keep = limits::telegram_update_kept, .entries_max = limits::replay_entries_max}},
      last_heard_{ports.clock.boot()} {
    for (const auto& update : options_.handled) {
        // Remembered twice is remembered: what it answers does not matter.
        static_cast<void>(replays_.take(options_.name, update, ports_.clock.boot()).has_value());
    }
    if (options_.mode != Mode::webhook) return;
    const UpdateHandler handler{.handle =
                                    [this](Update update, bool after_gap, Handled handled) {
                                        webhook_wrong_.clear();
                                        take(std::move(update), after_gap, std::move(handled));
                                    },
                                .expect = [this] { ports_.attempts.expect(); }};
    webhook_ = std::make_unique<Webhook>(
        std::move(secrets), ports.clock, handler, [this](const std::string& line) { problem(line); },
        [this](const Error& why) {
            ports_.attempts.refused({.request_id = {}, .principal = {}, .channel = options_.name}, why);
        });
}

void Telegram::trust(security::SecretRing secrets) {
    if (webhook_) webhook_->trust(std::move(secrets));
}

bool Telegram::calls_with(const security::Secret& token) const {
    return security::is_secret(options_.token, token.reveal());
}

asio::awaitable<Result<void>> Telegram::start() {
    const auto reply = co_await client_.call(get_me());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        if (refusal->kind == Refusal::Kind::bad_token) {
            co_return Error{Errc::missing_secret, "Telegram knows no bot with this token (" + refusal->why +
                                                      "): copy it again from @BotFather, /mybots, API Token"};
        }
        away(refusal->why);
        co_return Error{Errc::unavailable, refusal->why};
    }
    const auto* me = std::get<json::Value>(reply).object();
    if (me == nullptr || text_of(*me, "username").empty()) {
        constexpr auto why = "the answer to getMe names no bot; is base_url right?";
        away(why);
        co_return Error{Errc::unavailable, why};
    }
    bot_.username = text_of(*me, "username");
    if (std::exchange(away_, false)) problem("Telegram is back again");
    co_return Result<void>{};
}

asio::awaitable<void> Telegram::run() {
    for (unsigned failures = 0; bot_.username.empty() && listening_; ++failures) {
        const auto started = co_await start();
        if (started) break;
        if (started.error().code == Errc::missing_secret) {
            problem(started.error().detail);
            closed_ = true;
            co_return;
        }
        co_await ports_.clock.sleep_until(ports_.clock.boot() + backoff(failures, ports_.ids));
    }
    if (!listening_) co_return;
    tasks_.spawn(fill_menu());
    polling_ = tasks_.spawn(webhook_ ? look_at_webhook() : poll());
}

asio::awaitable<void> Telegram::fill_menu() {
    // English is for everyone whose language has no menu of its own.
    for (const auto tag : language_tags()) {
        const auto language = language_of(tag);
        for (unsigned failures = 0;; ++failures) {
            const auto reply =
                co_await client_.call(set_my_commands(menu_of(language), language == Language{} ? "" : tag));
            const auto* refusal = std::get_if<Refusal>(&reply);
            if (refusal == nullptr) break;
            const bool passes = refusal->kind == Refusal::Kind::retry || refusal->kind == Refusal::Kind::flood;
            if (!passes || failures + 1 >= limits::telegram_menu_tries_max) {
                co_return problem("Telegram's menu of commands was not set: " + refusal->why);
            }
            const std::chrono::milliseconds theirs = refusal->retry_after.value_or(std::chrono::seconds{0});
            co_await ports_.clock.sleep_until(ports_.clock.boot() + std::max(backoff(failures, ports_.ids), theirs));
            if (!listening_) co_return;
        }
    }
}

asio::awaitable<void> Telegram::look_at_webhook() {
    const WebhookWanted wanted{.url = options_.webhook_url, .path = "/webhooks/telegram/" + options_.name};
    while (true) {
        const auto reply = co_await client_.call(get_webhook_info());
        const auto* result = std::get_if<json::Value>(&reply);
        // What Telegram does not say is not wrong; it is asked again.
        const auto info =
            result == nullptr ? Result<WebhookInfo>{Error{Errc::unavailable, {}}} : read_webhook_info(*result);
        auto wrong = info ? webhook_problems(*info, wanted, ports_.clock.wall()) : webhook_wrong_;
        if (wrong != webhook_wrong_) {
            for (const auto& line : wrong) problem(line);
        }
        webhook_wrong_ = std::move(wrong);
        // A proxy that stopped forwarding is seen by Telegram alone, and by whoever taps a card without effect.
        const auto pause = engine_.cards().size() > 0 ? limits::webhook_look_open : limits::webhook_look_idle;
        co_await ports_.clock.sleep_until(ports_.clock.boot() + pause);
    }
}

asio::awaitable<void> Telegram::poll() {
    const UpdateHandler handler{[this](Update update, bool after_gap, Handled handled) {
        // Not even said to be handled: it must come again at the next start.
        if (listening_) take(std::move(update), after_gap, std::move(handled));
    }};
    Poller poller{client_,
                  ports_.clock,
                  ports_.ids,
                  handler,
                  {.offset = options_.offset,
                   .on_confirmed = options_.on_confirmed,
                   .caught_up = before_this_run(options_.caught_up, ports_.clock),
                   .on_success = [this](BootTime now) { last_heard_ = now; },
                   .on_caught_up =
                       [this] {
                           if (options_.on_caught_up) options_.on_caught_up(ports_.clock.wall());
                       },
                   .on_problem = [this](const std::string& line) { problem(line); }}};
    co_await poller.run();
    closed_ = true;
}

void Telegram::stop_listening() {
    listening_ = false;
    polling_.cancel();
}

std::vector<std::string> Telegram::unready() const {
    if (closed_) return {options_.name + ": Telegram knows no bot with this token"};
    const auto silent = ports_.clock.boot() - last_heard_;
    if (webhook_) {
        std::vector<std::string> lines;
        for (const auto& line : webhook_wrong_) lines.push_back(options_.name + ": " + line);
        return lines;
    }
    if (silent <= limits::polling_gap_max) return {};
    return {options_.name + ": no updates of Telegram came in for " + duration(silent)};
}

asio::awaitable<void> Telegram::stop() {
    co_await engine_.drain(ports_.clock.boot() + limits::telegram_stop_max);
    tasks_.cancel();
    co_await tasks_.join();
}

void Telegram::present(Presentation presentation) {
    const auto id = presentation.id;
    if (closed_) return engine_.undeliverable_later(id, "Telegram knows no bot with this token");
    auto chat = chat_of(presentation.to);
    if (!chat) return engine_.undeliverable_later(id, chat.error().detail);
    engine_.present(std::move(presentation), std::move(*chat));
}

void Telegram::conclude(DeliveryId id, const Conclusion& conclusion) {
    answering_.forget(conclusion.request_id);
    engine_.conclude(id, conclusion);
}

void Telegram::conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) {
    if (message_number(ref.place.message) == 0) return;  // none of ours
    engine_.conclude_earlier(id, ref, conclusion);
}

void Telegram::tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) {
    if (message_number(ref.place.message) == 0) return;  // none of ours
    engine_.tell_earlier(id, ref, news);
}

void Telegram::update(DeliveryId id, CardState state) { engine_.update(id, std::move(state)); }

void Telegram::remind(DeliveryId id, const Reminder& reminder) { engine_.remind(id, reminder); }

void Telegram::session_ended(SessionEnd end) {
    const auto chat = chat_of(end.to);
    if (!closed_ && chat) engine_.session_ended(end, *chat);
}

void Telegram::announce(Announcement announcement) {
    const auto id = announcement.id;
    if (closed_) return engine_.undeliverable_later(id, "Telegram knows no bot with this token");
    auto chat = chat_of(announcement.to);
    if (!chat) return engine_.undeliverable_later(id, chat.error().detail);
    engine_.announce(std::move(announcement), std::move(*chat));
}

// Whoever tried is answered where the attempt was submitted: only there it is known which click or text it was.
void Telegram::refuse(const Attempt& /*attempt*/, const Error& /*why*/) {}

bool Telegram::is_gone() {
    if (closed_) return true;
    if (!std::exchange(doubting_, true)) tasks_.spawn(doubt_token());
    return false;
}

asio::awaitable<void> Telegram::doubt_token() {
    const bool unknown = co_await client_.knows_no_bot();
    doubting_ = false;
    if (!unknown || std::exchange(closed_, true)) co_return;
    problem("Telegram does not know this bot any more; give the channel a new token");
}

// Anybody may put the bot into groups and move those: only what the configuration names is worth remembering. Of the
// others a send that fails tells it.
void Telegram::follow(const Moved& moved) {
    const auto from = std::to_string(moved.from);
    const auto to = std::to_string(moved.to);
    const auto& chats = engine_.chats();
    const auto names = chats.names(from);
    const bool used = options_.is_used && std::ranges::any_of(names, options_.is_used);
    if (used && chats.target(from) != to) engine_.moved(from, to);
}

void Telegram::away(const std::string& why) {
    if (!std::exchange(away_, true)) problem("Telegram was not reached, and is tried again: " + why);
}

void Telegram::problem(const std::string& line) const {
    if (options_.on_problem) options_.on_problem(options_.name + ": " + line);
}

}  // namespace countersign::channels::telegram
