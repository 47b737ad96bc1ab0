// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/webhook_info.hpp"

#include "channels/api_call.hpp"
#include "channels/telegram/message.hpp"
#include "core/json/members.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels::telegram {

namespace {

struct Cause {
    std::string_view words;
    std::string_view meaning;
};
constexpr std::array causes{
    Cause{"401", "the webhook was set with another secret than the one in webhook_secret_file: run countersign setup "
                 "telegram --webhook again"},
    Cause{"404", "nothing has that path: a proxy in front must pass /webhooks/… on unchanged"},
    Cause{"405", "a proxy in front changed the method, or answers itself"},
    Cause{"429", "a limit in front of us, or our own for one client: name the proxy's address in [gateway] proxies"},
    Cause{"502",
          "the proxy in front does not reach us: is countersign running, and on the address of [gateway] listen?"},
    Cause{"503",
          "the proxy in front does not reach us: is countersign running, and on the address of [gateway] listen?"},
    Cause{"resolve", "the name in the address has no public DNS entry"},
    Cause{"refused", "nothing listens at that address: is countersign, or the proxy in front of it, running?"},
    Cause{"timed out", "nobody answers at that address: a firewall, or a name that leads elsewhere"},
    Cause{"timeout", "nobody answers at that address in time: a firewall, or a name that leads elsewhere"},
    Cause{"certificate", "the certificate is not trusted or not for this name: give the whole chain (fullchain.pem)"},
    Cause{"SSL", "no TLS is spoken there, or the certificate's chain is not complete: give fullchain.pem"},
};

std::vector<std::string> allowed_of(const json::Object& object) {
    std::vector<std::string> allowed;
    for (const auto& one : array_in(object, "allowed_updates")) {
        if (const auto* text = one.string()) allowed.push_back(*text);
    }
    return allowed;
}

bool lacks(const WebhookInfo& info, std::string_view kind) {
    return !info.allowed.empty() && std::ranges::find(info.allowed, kind) == info.allowed.end();
}

}  // namespace

Result<WebhookInfo> read_webhook_info(const json::Value& result) {
    const auto* object = result.object();
    if (object == nullptr || object->find("url") == nullptr || object->find("url")->string() == nullptr) {
        return Error{Errc::malformed, "the answer to getWebhookInfo names no url"};
    }
    WebhookInfo info{.url = reason_line(text_of(*object, "url")),
                     .waiting = integer_of(*object, "pending_update_count").value_or(0),
                     .failed_at = std::nullopt,
                     .failure = reason_line(text_of(*object, "last_error_message")),
                     .allowed = allowed_of(*object)};
    if (const auto date = integer_of(*object, "last_error_date"); date && *date > 0) {
        info.failed_at = wall_time_of_seconds(static_cast<std::uint64_t>(*date));
    }
    return info;
}

std::string_view explain_failure(std::string_view failure) {
    const auto* const found =
        std::ranges::find_if(causes, [&](const Cause& cause) { return failure.find(cause.words) != failure.npos; });
    return found == causes.end() ? std::string_view{} : found->meaning;
}

std::vector<std::string> webhook_problems(const WebhookInfo& info, const WebhookWanted& wanted, WallTime now) {
    constexpr std::chrono::minutes recent{10};
    if (info.url.empty()) {
        return {"no webhook is set at Telegram, so no tap comes in: run countersign setup telegram --webhook "
                "https://your.host"};
    }
    std::vector<std::string> problems;
    const bool fits = wanted.url.empty() ? info.url.ends_with(wanted.path) : info.url == wanted.url;
    if (!fits) {
        problems.push_back("Telegram brings the updates of this bot to " + info.url + ", not to " +
                           (wanted.url.empty() ? "an address that ends with " + wanted.path : wanted.url) +
                           ": run countersign setup telegram --webhook to change that");
    }
    for (const auto kind : update_kinds) {
        if (lacks(info, kind)) {
            problems.push_back("Telegram brings no updates of the kind " + std::string{kind} +
                               " here: run countersign setup telegram --webhook again");
        }
    }
    if (!info.failure.empty() && info.failed_at && now - *info.failed_at < recent && info.waiting > 0) {
        // Without numbers, so that the same trouble is the same line.
        auto line = "updates wait at Telegram, because it could not deliver the last one: " + info.failure;
        if (const auto why = explain_failure(info.failure); !why.empty()) line += "; " + std::string{why};
        problems.push_back(std::move(line));
    }
    return problems;
}

}  // namespace countersign::channels::telegram
