// SPDX-License-Identifier: Apache-2.0
// `check signature`: verifies one webhook with the function that the gateway uses, and says why it would be refused.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "channels/signature_check.hpp"
#include "security/secret_file.hpp"
#include "security/webhook_signature.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace countersign::app {
namespace {

// Command-line options that the platforms share.
struct Given {
    std::string secret_file;
    std::string public_key;
    std::string body_file = "-";
    std::string timestamp;
    std::string signature;
    std::string url;
    std::string content_type = "application/x-www-form-urlencoded";
    std::optional<std::string> now;
};

Result<security::Secret> secret_of(const Given& given) {
    // The platform chose the secret, so its length is not checked here. A channel that starts is stricter.
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
    show("valid\n");
    return exit_holds;
}

int check_kind(const Given& given, const channels::SignatureCheck& check) {
    auto secret = check.key_is_public ? Result<security::Secret>{security::Secret{}} : secret_of(given);
    if (!secret) return report(secret.error());
    const auto key = check.key_is_public ? std::string_view{given.public_key} : secret->reveal();
    const auto window = window_of(given);
    if (!window) return report(window.error());
    channels::CapturedDelivery delivery{.timestamp = given.timestamp, .signature = given.signature, .window = *window};
    if (check.signs_body) {
        auto body = read_file(given.body_file);
        if (!body) return report(body.error());
        delivery.body = std::move(*body);
    }
    return say(channels::explain(check, key, delivery));
}

int check_twilio(const Given& given) {
    const auto secret = secret_of(given);
    if (!secret) return report(secret.error());
    const auto body = read_input();
    if (!body) return report(body.error());
    // Twilio signs a body that is not a form by adding bodySHA256 to the URL.
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

void add_options(Command& command, Given& given, const channels::SignatureCheck& check) {
    const std::string key{check.key};
    if (check.key_is_public) {
        command.option("--public-key", given.public_key, key).required();
    } else {
        command.option("--secret-file", given.secret_file, "File with " + key + ", mode 0600").required();
    }
    if (!check.signs_body) {
        command.option("--header", given.signature, "The header's value").required();
        return;
    }
    command.option("--timestamp", given.timestamp, "The timestamp header").required();
    command.option("--signature", given.signature, "The signature header").required();
    command.option("--body", given.body_file, "File with the body as it came; default: standard input");
    command.option("--now", given.now, "Unix seconds to take as now, for an old recording");
}

}  // namespace

void add_check_signature(Command& check) {
    auto signature = check.subcommand("signature", "Explain why a webhook delivery is refused");
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
    for (const auto& entry : channel_registry()) {
        if (entry.signature == nullptr) continue;
        auto given = std::make_shared<Given>();
        auto command = signature.subcommand(std::string{entry.kind.name}, std::string{entry.signature->header});
        command.runs([given, check = entry.signature] { return check_kind(*given, *check); });
        add_options(command, *given, *entry.signature);
    }

    auto [twilio, twilio_given] = platform("twilio", "X-Twilio-Signature", check_twilio);
    secret(twilio, twilio_given, "File with the auth token, mode 0600");
    twilio.option("--url", twilio_given->url, "The full public URL as configured at Twilio, with its query").required();
    twilio.option("--signature", twilio_given->signature, "The signature header").required();

    auto [meta, meta_given] = platform("meta", "X-Hub-Signature-256", check_meta);
    secret(meta, meta_given, "File with the app secret, mode 0600");
    meta.option("--signature", meta_given->signature, "The signature header").required();
}

}  // namespace countersign::app
