// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/webhook.hpp"

#include "channels/telegram/bounds.hpp"
#include "core/limits.hpp"

#include <boost/asio/this_coro.hpp>

#include <utility>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

constexpr std::string_view secret_header = "x-telegram-bot-api-secret-token";

}  // namespace

WebhookInbound::WebhookInbound(security::SecretRing secrets, Clock& clock, UpdateHandler handler,
                               std::function<void(const std::string& line)> on_problem,
                               std::function<void(const Error&)> on_refused)
    : secrets_{std::move(secrets)},
      clock_{clock},
      handler_{std::move(handler)},
      on_problem_{std::move(on_problem)},
      on_refused_{std::move(on_refused)} {}

void WebhookInbound::trust(security::SecretRing secrets) {
    secrets_ = std::move(secrets);
    said_expiring_ = false;
}

bool WebhookInbound::is_telegrams(const InboundMessage& message) {
    const auto* secret = single_header(message.headers, secret_header);
    if (secret == nullptr) return false;
    const auto* fits = secrets_.match(*secret, clock_.wall());
    if (fits == nullptr) return false;
    if (fits->until && !std::exchange(said_expiring_, true) && on_problem_) {
        on_problem_("Telegram still brings updates with the " + fits->name + " secret, which counts until " +
                    rfc3339(*fits->until) + ": set the webhook with the present one before that");
    }
    return true;
}

Reply WebhookInbound::refuse_sender() {
    on_refused_({Errc::bad_signature, "a webhook delivery without the right secret"});
    return {.status = 401};
}

Reply WebhookInbound::pass_over() {
    on_refused_({Errc::too_large, "Telegram sent an update of more than " +
                                      std::to_string(limits::webhook_body_bytes_max) + " bytes, which was not read"});
    return {.status = 200};
}

std::optional<Reply> WebhookInbound::handle_without_body(const InboundMessage& message) {
    return is_telegrams(message) ? pass_over() : refuse_sender();
}

asio::awaitable<Reply> WebhookInbound::handle(InboundMessage message) {
    if (!is_telegrams(message)) co_return refuse_sender();
    if (message.body.size() > limits::webhook_body_bytes_max) co_return pass_over();
    handler_.expect();
    auto update = read_body(message.body);
    if (!update) {
        if (on_problem_) on_problem_("Telegram sent an update that cannot be read: " + describe(update.error()));
        co_return Reply{.status = 200};
    }
    Handling handling{co_await asio::this_coro::executor};
    // Telegram keeps an undelivered click for 150 seconds, so none that comes here is older than an allow may be.
    handler_.handle(std::move(*update), false, handling.one_more());
    co_await handling.all_handled(clock_, limits::telegram_handle_max);
    co_return Reply{.status = 200};
}

}  // namespace countersign::channels::telegram
