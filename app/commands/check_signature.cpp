// SPDX-License-Identifier: Apache-2.0
// `check signature`: one webhook, verified by the same function that the front uses.
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "security/ed25519.hpp"
#include "security/secret_file.hpp"
#include "security/webhook_signature.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace countersign::app {
namespace {

// What the platforms have in common on the command line.
struct Given {
    std::string secret_file;
    std::string public_key;
    std::string header;
    std::string timestamp;
    std::string signature;
    std::string url;
    std::string content_type = "application/x-www-form-urlencoded";
    std::optional<std::string> now;
};

Result<security::Secret> secret_of(const Given& given) {
    // The platform chose these; their length is not ours to judge. A channel that starts is stricter.
    return security::read_secret(given.secret_file, {.bytes_min = 1});
}

Result<security::FreshnessWindow> window_of(const Given& given) {
    auto now = SystemClock{}.wall();
    if (given.now) {
        const auto parsed = security::parse_unix_seconds(*given.now);
        if (!parsed) return Error{Errc::malformed, "--now: " + parsed.error().detail};
        now = *parsed;
    }
    return security::FreshnessWindow{.now = now, .started = {}};
}

int say(const Result<void>& verified) {
    if (!verified) return report(verified.error());
    show("holds\n");
    return exit_holds;
}

int check_telegram(const Given& given) {
    const auto secret = secret_of(given);
    if (!secret) return report(secret.error());
    return say(security::verify_telegram(*secret, given.header));
}

int check_slack(const Given& given) {
    const auto secret = secret_of(given);
    if (!secret) return report(secret.error());
    const auto window = window_of(given);
    if (!window) return report(window.error());
    const auto body = read_input();
    if (!body) return report(body.error());
    return say(security::verify_slack(*secret, {given.timestamp, given.signature, *body}, *window));
}

int check_discord(const Given& given) {
    const auto key = security::Ed25519PublicKey::parse(given.public_key);
    if (!key) return report(key.error());
    const auto window = window_of(given);
    if (!window) return report(window.error());
    const auto body = read_input();
    if (!body) return report(body.error());
    return say(security::verify_discord(*key, {given.timestamp, given.signature, *body}, *window));
}

int check_twilio(const Given& given) {
    const auto secret = secret_of(given);
    if (!secret) return report(secret.error());
    const auto body = read_input();
    if (!body) return report(body.error());
    // A bodySHA256 in the URL is how Twilio signs what is no form.
    const bool json = given.url.find("bodySHA256=") != std::string::npos;
    return say(security::verify_twilio(*secret, {.url = given.url,
                                                 .content_type = json ? "application/json" : given.content_type,
                                                 .signature = given.signature,
                                                 .body = *body}));
}

int check_meta(const Given& given) {
    const auto secret = secret_of(given);
    if (!secret) return report(secret.error());
    const auto body = read_input();
    if (!body) return report(body.error());
    return say(security::verify_meta(*secret, {given.signature, *body}));
}

}  // namespace

void add_check_signature(Command& check) {
    auto signature = check.subcommand("signature", "Verify a webhook's signature; the body is on standard input");
    signature.needs_subcommand();
    const auto platform = [&](const char* name, const char* what, int (*run)(const Given&)) {
        auto given = std::make_shared<Given>();
        auto command = signature.subcommand(name, what);
        command.runs([given, run] { return run(*given); });
        return std::pair{command, given};
    };
    const auto secret = [](Command& command, const std::shared_ptr<Given>& given, const char* what) {
        command.option("--secret-file", given->secret_file, what).required();
    };
    const auto timed = [](Command& command, const std::shared_ptr<Given>& given) {
        command.option("--timestamp", given->timestamp, "The timestamp header").required();
        command.option("--signature", given->signature, "The signature header").required();
        command.option("--now", given->now, "Unix seconds to take as now, for an old recording");
    };

    auto [telegram, telegram_given] = platform("telegram", "X-Telegram-Bot-Api-Secret-Token", check_telegram);
    secret(telegram, telegram_given, "File with the secret token, mode 0600");
    telegram.option("--header", telegram_given->header, "The header's value").required();

    auto [slack, slack_given] = platform("slack", "X-Slack-Signature", check_slack);
    secret(slack, slack_given, "File with the signing secret, mode 0600");
    timed(slack, slack_given);

    auto [discord, discord_given] = platform("discord", "X-Signature-Ed25519", check_discord);
    discord.option("--public-key", discord_given->public_key, "The application's public key, 64 hex digits").required();
    timed(discord, discord_given);

    auto [twilio, twilio_given] = platform("twilio", "X-Twilio-Signature", check_twilio);
    secret(twilio, twilio_given, "File with the auth token, mode 0600");
    twilio.option("--url", twilio_given->url, "The full public URL as configured at Twilio, with its query").required();
    twilio.option("--signature", twilio_given->signature, "The signature header").required();

    auto [meta, meta_given] = platform("meta", "X-Hub-Signature-256", check_meta);
    secret(meta, meta_given, "File with the app secret, mode 0600");
    meta.option("--signature", meta_given->signature, "The signature header").required();
}

}  // namespace countersign::app
