// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/open.hpp"

#include "net/websocket.hpp"

#include <utility>

namespace countersign::channels::slack {

Connect socket_connect(const boost::asio::any_io_executor& executor) {
    return [connector = std::make_shared<net::WebSocketConnector>(executor)](
               std::string url) -> boost::asio::awaitable<Result<Stream>> {
        auto stream = co_await connector->connect({.url = std::move(url)});
        if (!stream) co_return stream.error();
        co_return Stream{std::move(*stream)};
    };
}

Result<SlackOptions> options_of(const Settings& settings, WallTime now) {
    SlackOptions options;
    auto token = settings.secret("token_file");
    if (!token) return token.error();
    options.token = std::move(*token);
    auto app = settings.optional_secret("app_token_file");
    if (!app) return app.error();
    options.app_token = std::move(*app);
    auto secrets = read_webhook_secrets(settings, "signing_secret_file", now);
    if (!secrets) return secrets.error();
    options.secrets = std::move(*secrets);
    options.team = settings.text("team");
    if (auto command = settings.text("command"); !command.empty()) options.command = std::move(command);
    if (auto url = settings.text("base_url"); !url.empty()) options.base_url = std::move(url);
    const auto mode = settings.text("mode");
    // Without a word the way that needs no public address, where its token is there.
    const bool webhook = mode == "webhook" || (mode.empty() && !options.app_token);
    options.mode = webhook ? Mode::webhook : Mode::socket;
    return options;
}

Result<std::unique_ptr<Platform>> open(PlatformContext context) {
    auto& ports = context.ports;
    auto options = options_of(context.settings, ports.clock.wall());
    if (!options) return options.error();
    options->name = std::move(context.name);
    options->people = std::move(context.people);
    options->handled = std::move(context.handled);
    options->chats = std::move(context.chats);
    auto opened = Slack::open(context.executor, std::move(*options), ports, socket_connect(context.executor));
    if (!opened) return opened.error();
    return std::unique_ptr<Platform>{std::move(*opened)};
}

}  // namespace countersign::channels::slack
