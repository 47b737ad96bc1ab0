// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/telegram.hpp"

#include "channels/backoff.hpp"
#include "channels/duration.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/inbound.hpp"
#include "channels/telegram/open.hpp"
#include "channels/telegram/webhook_info.hpp"
#include "core/json/members.hpp"
#include "core/limits.hpp"
#include "security/hmac.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <charconv>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

constexpr auto unknown_bot = "Telegram knows no bot with this token";

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
    if (options.mode == Mode::webhook && !options.secrets.present) {
        return Error{Errc::missing_secret,
                     "a webhook needs a secret: set webhook_secret_file, for example to the output "
                     "of openssl rand -hex 32"};
    }
    return ring_of(options.secrets, security::check_telegram_secret);
}

Result<std::unique_ptr<Telegram>> Telegram::open(const asio::any_io_executor& executor, TelegramOptions options,
                                                 PlatformPorts ports) {
    if (const auto token = check_token(options.token); !token) return token.error();
    auto secrets = webhook_secrets(options);
    if (!secrets) return secrets.error();
    return std::unique_ptr<Telegram>{new Telegram{executor, std::move(options), std::move(*secrets), ports}};
}

Telegram::Telegram(const asio::any_io_executor& executor, TelegramOptions options, security::SecretRing secrets,
                   PlatformPorts ports)
    : options_{std::move(options)},
      ports_{ports},
      client_{ports.http, options_.base_url, options_.token.duplicate()},
      messenger_{client_, ports.keys, [this] { return link_.is_gone(); }},
      chat_{executor,
            {.name = options_.name,
             .answer_max = limits::telegram_answer_max,
             .stop_max = limits::telegram_stop_max,
             .replays_kept = limits::telegram_update_kept,
             .rates = rates(),
             .handled = options_.handled,
             .moved = options_.moved,
             .on_moved = options_.on_moved},
            options_.people,
            chat_ports(messenger_, ports)},
      link_{chat_,
            ports,
            {.platform = "Telegram",
             .refused = unknown_bot,
             .advice = "Telegram does not know this bot any more; give the channel a new token"},
            [this] { return client_.knows_no_bot(); }},
      last_heard_{ports.clock.boot()} {
    if (options_.mode != Mode::webhook) return;
    const UpdateHandler handler{.handle =
                                    [this](Update update, bool after_gap, Handled handled) {
                                        webhook_wrong_.clear();
                                        take(std::move(update), after_gap, std::move(handled));
                                    },
                                .expect = [this] { ports_.attempts.expect(); }};
    webhook_ = std::make_unique<WebhookInbound>(
        std::move(secrets), ports.clock, handler, [this](const std::string& line) { problem(line); },
        [this](const Error& why) { refuse(why); });
}

std::vector<InboundPath> Telegram::inbound() {
    if (!webhook_) return {};
    return {{.inbound = webhook_.get()}};
}

std::string Telegram::introduction() const {
    const auto name = bot().empty() ? std::string{"a bot that Telegram has not named yet"} : bot();
    if (!webhook_) return name + ", polling";
    return name + ", webhook" + (options_.webhook_url.empty() ? "" : " " + options_.webhook_url);
}

Result<std::function<void()>> Telegram::prepare(const Settings& wanted) {
    const auto options = options_of(wanted, ports_.clock.wall());
    if (!options) return options.error();
    if (!security::is_secret(options_.token, options->token.reveal())) {
        return Error{Errc::bad_config, "the bot's token is another: this needs a restart"};
    }
    auto secrets = webhook_secrets(*options);
    if (!secrets) return secrets.error();
    const auto kept = std::make_shared<security::SecretRing>(std::move(*secrets));
    return std::function<void()>{[this, kept] {
        if (webhook_) webhook_->trust(std::move(*kept));
    }};
}

asio::awaitable<Result<void>> Telegram::start() {
    const auto reply = co_await client_.call(get_me());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        if (refusal->kind == Refusal::Kind::bad_token) {
            co_return Error{Errc::missing_secret, "Telegram knows no bot with this token (" + refusal->why +
                                                      "): copy it again from @BotFather, /mybots, API Token"};
        }
        co_return link_.away(refusal->why);
    }
    const auto* me = std::get<json::Value>(reply).object();
    if (me == nullptr || text_of(*me, "username").empty()) {
        co_return link_.away("the answer to getMe names no bot; is base_url right?");
    }
    chat_.set_bot_name(text_of(*me, "username"));
    link_.reached();
    co_return Result<void>{};
}

asio::awaitable<void> Telegram::run() {
    if (!co_await link_.reach(*this)) co_return chat_.close(unknown_bot);
    if (!link_.listening()) co_return;
    chat_.tasks().spawn(fill_menu());
    polling_ = chat_.tasks().spawn(webhook_ ? look_at_webhook() : poll());
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
            if (!link_.listening()) co_return;
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
        const auto pause = chat_.engine().cards().size() > 0 ? limits::webhook_look_open : limits::webhook_look_idle;
        co_await ports_.clock.sleep_until(ports_.clock.boot() + pause);
    }
}

asio::awaitable<void> Telegram::poll() {
    const UpdateHandler handler{.handle =
                                    [this](Update update, bool after_gap, Handled handled) {
                                        // Not even said to be handled: it must come again at the next start.
                                        if (link_.listening()) take(std::move(update), after_gap, std::move(handled));
                                    },
                                .pass_over = [this](const Error& why) { refuse(why); }};
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
    chat_.close(unknown_bot);
}

void Telegram::stop_listening() {
    link_.stop_listening();
    polling_.cancel();
}

std::vector<std::string> Telegram::unready() const {
    if (chat_.is_closed()) return {options_.name + ": " + unknown_bot};
    const auto silent = ports_.clock.boot() - last_heard_;
    if (webhook_) {
        std::vector<std::string> lines;
        for (const auto& line : webhook_wrong_) lines.push_back(options_.name + ": " + line);
        return lines;
    }
    if (silent <= limits::polling_gap_max) return {};
    return {options_.name + ": no updates of Telegram came in for " + duration(silent)};
}

void Telegram::take(Update update, bool after_gap, Handled handled) {
    Heard heard{.delivery = std::to_string(update.id), .what = {}, .after_gap = after_gap};
    if (const auto* click = std::get_if<Click>(&update.what)) {
        heard.query = click->query;
        heard.what = press_of(*click, bot_id(options_.token));
    } else if (const auto* text = std::get_if<Text>(&update.what)) {
        heard.what = typed_of(*text, bot_id(options_.token));
    } else {
        if (const auto* moved = std::get_if<Moved>(&update.what)) follow(*moved);
        return handled();
    }
    chat_.take(std::move(heard), std::move(handled));
}

// Anybody may put the bot into groups and move those: only what the configuration names is worth remembering. Of the
// others a send that fails tells it.
void Telegram::follow(const Moved& moved) {
    if (moved.from >= 0 || moved.to >= 0) return;  // only groups move, and to groups
    const auto from = std::to_string(moved.from);
    const auto to = std::to_string(moved.to);
    const auto& chats = chat_.engine().chats();
    const auto names = chats.names(from);
    const bool used = options_.is_used && std::ranges::any_of(names, options_.is_used);
    if (used && chats.target(from) != to) chat_.engine().moved(from, to);
}

}  // namespace countersign::channels::telegram
