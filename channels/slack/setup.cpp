// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/setup.hpp"

#include "channels/slack/client.hpp"
#include "channels/slack/ids.hpp"
#include "channels/slack/manifest.hpp"
#include "channels/slack/open.hpp"
#include "channels/slack/pairing.hpp"
#include "channels/slack/scopes.hpp"
#include "core/json/members.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

constexpr std::string_view own_server = "https://slack.com/api";
constexpr std::string_view token_setting = "token_file";
constexpr std::string_view app_token_setting = "app_token_file";
constexpr std::string_view signing_setting = "signing_secret_file";

Error refused(const Refusal& refusal, std::string_view what) {
    using enum Refusal::Kind;
    if (refusal.kind == retry || refusal.kind == flood) return {Errc::unavailable, refusal.why};
    const auto code = refusal.kind == bad_token ? Errc::missing_secret : Errc::bad_config;
    return {code, "Slack refuses " + std::string{what} + " (" + refusal.why + ")"};
}

Result<void> check_signing_secret(const security::Secret& secret) {
    const auto text = secret.reveal();
    if (looks_like_app_secret(text)) return {};
    const bool token = text.starts_with("xox") || text.starts_with("xapp-");
    return Error{Errc::missing_secret,
                 std::string{token ? "this is a token, not the signing secret" : "this is not a signing secret"} +
                     ": it has 32 letters and digits, and is on the app's page under Basic Information, App "
                     "Credentials"};
}

// The app's id in "xapp-1-A0123-…"; empty if there is none.
std::string app_of(const security::Secret& app_token) {
    const auto text = app_token.reveal();
    const auto first = text.find('-', std::string_view{"xapp-"}.size());
    const auto second = first == text.npos ? first : text.find('-', first + 1);
    if (second == text.npos) return {};
    const auto id = text.substr(first + 1, second - first - 1);
    return is_id(id, "A") ? std::string{id} : std::string{};
}

class SlackSetup final : public Setup {
public:
    explicit SlackSetup(SetupContext context) : context_{std::move(context)} {}

    std::optional<Result<std::string>> printed() override;
    std::vector<Credential> credentials() override;
    asio::awaitable<Result<void>> check(const Credential& credential, security::Secret value) override;
    asio::awaitable<Result<PairedPerson>> pair() override;
    std::vector<std::pair<std::string, std::string>> settings() override;
    bool changes_channel(bool is_configured) const override {
        return !context_.option("--socket").empty() || (is_configured && !webhook().empty());
    }
    asio::awaitable<Result<std::string>> change(ConfiguredChannel& channel) override;

private:
    [[nodiscard]] std::string webhook() const { return context_.option("--webhook"); }
    [[nodiscard]] SlackClient client_for(const std::string& base_url, const security::Secret& token) const {
        return {context_.http, base_url.empty() ? std::string{own_server} : base_url, token.duplicate()};
    }
    [[nodiscard]] Credential bot_token() const;
    [[nodiscard]] Credential app_token() const;
    [[nodiscard]] Credential signing_secret() const;
    asio::awaitable<Result<void>> check_bot(security::Secret value);
    asio::awaitable<Result<void>> check_app(const std::string& base_url, const security::Secret& value) const;
    asio::awaitable<std::map<std::string, std::string>> groups(const SlackClient& client) const;
    Result<void> to_webhook(ConfiguredChannel& channel) const;
    asio::awaitable<Result<void>> to_socket(ConfiguredChannel& channel) const;
    void tell_where_to_paste(const ConfiguredChannel& channel, const std::string& address) const;

    SetupContext context_;
    security::Secret token_;
    security::Secret app_token_;
    BotAccount bot_;
};

std::optional<Result<std::string>> SlackSetup::printed() {
    if (context_.option("--manifest").empty()) return std::nullopt;
    if (webhook().empty()) return std::string{manifest()};
    const auto address = context_.address(webhook());
    if (!address) return address.error();
    return webhook_manifest(manifest(), *address);
}

Credential SlackSetup::bot_token() const {
    return {.setting = token_setting,
            .file = "slack-token",
            .question = "Bot User OAuth Token (it is not shown): ",
            .steps = "Countersign needs a Slack app of its own. If you have it already, continue at step 3.\n\n"
                     "1. Open https://api.slack.com/apps and choose Create New App, From a manifest. Choose your\n"
                     "   workspace. In place of the text under YAML, paste what this prints:\n"
                     "       " +
                     context_.command +
                     " --manifest\n"
                     "   Choose Next, then Create.\n"
                     "2. Choose Install App on the left, then Install, and allow it.\n"
                     "3. Copy the Bot User OAuth Token from that page. It begins with xoxb-.\n"};
}

Credential SlackSetup::app_token() const {
    return {.setting = app_token_setting,
            .file = "slack-app-token",
            .question = "App-level token (it is not shown): ",
            .steps =
                "4. Choose Basic Information on the left. Under App-Level Tokens choose Generate Token and Scopes.\n"
                "   Give it any name, add the scope connections:write, and choose Generate.\n"
                "   Copy the token. It begins with xapp-.\n"};
}

Credential SlackSetup::signing_secret() const {
    return {.setting = signing_setting,
            .file = "slack-signing-secret",
            .question = "Signing secret (it is not shown): ",
            .steps = "On the app's page choose Basic Information. Under App Credentials show the Signing Secret, and\n"
                     "copy it.\n"};
}

std::vector<Credential> SlackSetup::credentials() {
    std::vector<Credential> wanted{bot_token(), app_token()};
    if (!webhook().empty()) wanted.push_back(signing_secret());
    return wanted;
}

asio::awaitable<Result<void>> SlackSetup::check(const Credential& credential, security::Secret value) {
    if (credential.setting == signing_setting) co_return check_signing_secret(value);
    if (credential.setting == token_setting) co_return co_await check_bot(std::move(value));
    const auto right = co_await check_app(context_.option("--base-url"), value);
    if (right) app_token_ = std::move(value);
    co_return right;
}

asio::awaitable<Result<void>> SlackSetup::check_bot(security::Secret value) {
    if (const auto token = check_token(value, "xoxb-"); !token) co_return token.error();
    const auto client = client_for(context_.option("--base-url"), value);
    auto account = co_await client.account();
    if (const auto* refusal = std::get_if<Refusal>(&account)) co_return refused(*refusal, "this token");
    bot_ = std::get<BotAccount>(std::move(account));
    if (!bot_.missing.empty()) co_return Error{Errc::bad_config, explain_missing_scopes(bot_.missing)};
    context_.tell("This is @" + bot_.user_name + " of " + bot_.team_name + " (" + bot_.team + ").\n");
    token_ = std::move(value);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> SlackSetup::check_app(const std::string& base_url, const security::Secret& value) const {
    if (const auto token = check_token(value, "xapp-"); !token) co_return token.error();
    const auto client = client_for(base_url, value);
    const auto reply = co_await client.call(open_connection());
    const auto* refusal = std::get_if<Refusal>(&reply);
    if (refusal != nullptr && refusal->why.starts_with("missing_scope")) {
        co_return Error{Errc::bad_config,
                        "this app-level token lacks the scope connections:write: generate another one "
                        "that has it, under Basic Information, App-Level Tokens"};
    }
    if (refusal != nullptr) co_return refused(*refusal, "this app-level token");
    co_return Result<void>{};
}

asio::awaitable<Result<PairedPerson>> SlackSetup::pair() {
    const auto client = client_for(context_.option("--base-url"), token_);
    const auto app = client_for(context_.option("--base-url"), app_token_);
    const auto app_id = app_of(app_token_);
    const auto name = "@" + bot_.user_name;
    const auto link = app_id.empty()
                          ? std::string{}
                          : ":\n    https://slack.com/app_redirect?app=" + app_id + "&team=" + bot_.team + "\n";
    const auto terminal = pairing_terminal(
        context_.tell, {.intro = "If requests are to be shown in a channel, type /invite " + name + " there first.\n",
                        .how = [name, link](const std::string& code) {
                            return "Open a direct message to " + name + (link.empty() ? " " : link) +
                                   "and send this code, within ten minutes:\n\n    " + code + "\n\n";
                        }});
    auto paired = co_await slack::pair({.bot = client,
                                        .app = app,
                                        .clock = context_.clock,
                                        .ids = context_.ids,
                                        .connect = socket_connect(context_.executor),
                                        .tell = context_.tell},
                                       bot_.user, terminal);
    if (!paired) co_return paired.error();
    co_return PairedPerson{
        .id = std::move(paired->id), .first_name = std::move(paired->name), .groups = co_await groups(client)};
}

// Nothing, where Slack does not tell: then the person's direct messages it is.
asio::awaitable<std::map<std::string, std::string>> SlackSetup::groups(const SlackClient& client) const {
    std::map<std::string, std::string> found;
    const auto reply = co_await client.call(joined_channels(limits::paired_groups_max));
    const auto* answer = std::get_if<json::Object>(&reply);
    if (answer == nullptr) co_return found;
    for (const auto& one : array_in(*answer, "channels")) {
        const auto* channel = one.object();
        if (channel == nullptr || found.size() >= limits::paired_groups_max) continue;
        if (auto id = text_of(*channel, "id"); is_channel(id)) found[std::move(id)] = "#" + text_of(*channel, "name");
    }
    co_return found;
}

std::vector<std::pair<std::string, std::string>> SlackSetup::settings() {
    std::vector<std::pair<std::string, std::string>> known{{"team", bot_.team}};
    if (auto url = context_.option("--base-url"); !url.empty()) known.emplace_back("base_url", std::move(url));
    return known;
}

asio::awaitable<Result<std::string>> SlackSetup::change(ConfiguredChannel& channel) {
    // A hub that runs has its way of hearing people; only a secret or an address may change under it.
    const bool is_webhook =
        channel.settings().text("mode") == "webhook" ||
        (channel.settings().text("mode").empty() && channel.settings().text("app_token_file").empty());
    const bool will_be_webhook = !webhook().empty();
    if (is_webhook != will_be_webhook) {
        if (const auto alone = channel.no_hub_runs(); !alone) co_return alone.error();
    }
    const auto changed = will_be_webhook ? to_webhook(channel) : co_await to_socket(channel);
    if (!changed) co_return changed.error();
    co_return std::string{will_be_webhook ? "The next start listens for Slack there."
                                          : "The next start uses Socket Mode: switch it on at the app's page, "
                                            "Socket Mode."};
}

Result<void> SlackSetup::to_webhook(ConfiguredChannel& channel) const {
    const auto address = channel.address(webhook());
    if (!address) return address.error();
    const auto secret = channel.secret_or_asked(signing_secret(), check_signing_secret);
    if (!secret) return secret.error();
    const auto planned =
        channel.plan({.set = {{"mode", "webhook"}, {std::string{signing_setting}, secret->file}}, .remove = {}});
    if (!planned) return planned.error();
    if (const auto listens = channel.plan_listener(context_.option("--listen")); !listens) return listens.error();
    if (const auto written = channel.write(); !written) return written.error();
    tell_where_to_paste(channel, *address);
    return {};
}

void SlackSetup::tell_where_to_paste(const ConfiguredChannel& channel, const std::string& address) const {
    context_.tell(
        "\nOn the app's page, https://api.slack.com/apps, while the hub runs, because Slack checks what you save:\n"
        "    Socket Mode: switch it off.\n"
        "    Interactivity & Shortcuts, Request URL:\n        " +
        address + "\n    Event Subscriptions, Request URL:\n        " + address +
        "\n    Slash Commands, Request URL of each command:\n        " + address +
        "\nOr choose App Manifest there, and paste what this prints:\n    " + context_.command +
        " --manifest --webhook " + security::display(webhook(), security::DisplayMode::line) + " --channel " +
        channel.name() + "\n\n");
}

asio::awaitable<Result<void>> SlackSetup::to_socket(ConfiguredChannel& channel) const {
    const auto secret =
        channel.secret_or_asked(app_token(), [](const security::Secret& value) { return check_token(value, "xapp-"); });
    if (!secret) co_return secret.error();
    const auto right = co_await check_app(channel.settings().text("base_url"), secret->value);
    if (!right) co_return right.error();
    const auto planned = channel.plan({.set = {{std::string{app_token_setting}, secret->file}}, .remove = {"mode"}});
    if (!planned) co_return planned.error();
    if (const auto written = channel.write(); !written) co_return written.error();
    tell_unused(context_, "Socket Mode", channel,
                {"signing_secret_file", "previous_signing_secret_file", "previous_until"});
    co_return Result<void>{};
}

constexpr SetupOption options[] = {
    {.name = "--manifest",
     .help = "Print the app's manifest, to paste at https://api.slack.com/apps, and do nothing else",
     .is_flag = true},
    {.name = "--webhook",
     .help = "Make Slack deliver to your https address, without Socket Mode; also changes an existing channel"},
    {.name = "--socket",
     .help = "Switch a channel back to Socket Mode, which needs no address",
     .is_flag = true,
     .excludes = "--webhook"},
    {.name = "--listen",
     .help = "With --webhook: where this machine listens, behind a proxy that handles TLS (default: 127.0.0.1:8080)"},
    {.name = "--base-url", .help = "The address of a Web API server other than https://slack.com/api"}};

}  // namespace

constinit const SetupKind setup_kind{
    .title = "Slack",
    .help = "Connect an app, pair your account, send a test approval",
    .what = "the app",
    .channel = "slack",
    .channel_help =
        "The name of the new channel (default: slack), or with --webhook and --socket the channel to change",
    .force_help = "",
    .footer = "It takes five minutes, and each step is explained before it asks. The command asks for the "
              "tokens; they can't be arguments.\n\n"
              "Example: countersign setup slack --person alice\n"
              "Later, with your own https address: countersign setup slack --webhook https://your.host\n"
              "and back again: countersign setup slack --socket",
    .options = options,
    .open = [](SetupContext context) -> std::unique_ptr<Setup> {
        return std::make_unique<SlackSetup>(std::move(context));
    }};

}  // namespace countersign::channels::slack
