// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/open.hpp"

#include "channels/discord/bounds.hpp"
#include "net/websocket.hpp"

#include <utility>

namespace countersign::channels::discord {

namespace asio = boost::asio;

namespace {

class SocketLine final : public Line {
public:
    // The connector must live as long as what it opened.
    SocketLine(std::shared_ptr<net::WebSocketConnector> connector, std::unique_ptr<net::WebSocket> socket)
        : connector_{std::move(connector)}, socket_{std::move(socket)} {}

    asio::awaitable<Result<std::string>> read() override { return socket_->read(); }
    asio::awaitable<Result<void>> write(std::string message) override { return socket_->write(std::move(message)); }
    void close() override { socket_->close(); }
    [[nodiscard]] std::optional<std::uint16_t> closed() const override {
        return socket_->closed() ? std::optional{socket_->closed()->code} : std::nullopt;
    }
    asio::awaitable<void> leave(std::uint16_t code) override { return socket_->leave(code); }

private:
    std::shared_ptr<net::WebSocketConnector> connector_;
    std::unique_ptr<net::WebSocket> socket_;
};

}  // namespace

Result<DiscordOptions> options_of(const Settings& settings) {
    DiscordOptions options;
    auto token = settings.secret("token_file");
    if (!token) return token.error();
    options.token = std::move(*token);
    options.public_key = settings.text("public_key");
    options.application = settings.text("application_id");
    options.guild = settings.text("guild");
    if (auto url = settings.text("base_url"); !url.empty()) options.base_url = std::move(url);
    options.mode = settings.text("mode") == "webhook" ? Mode::webhook : Mode::gateway;
    return options;
}

Connect socket_connect(const asio::any_io_executor& executor) {
    const auto connector = std::make_shared<net::WebSocketConnector>(executor);
    return [connector](std::string url) -> asio::awaitable<Result<LinePtr>> {
        auto socket =
            co_await connector->connect({.url = std::move(url), .message_bytes_max = limits::discord_frame_bytes_max});
        if (!socket) co_return socket.error();
        co_return LinePtr{std::make_shared<SocketLine>(connector, std::move(*socket))};
    };
}

Result<std::unique_ptr<Platform>> open(PlatformContext context) {
    auto& ports = context.ports;
    auto options = options_of(context.settings);
    if (!options) return options.error();
    options->name = std::move(context.name);
    options->people = std::move(context.people);
    options->handled = std::move(context.handled);
    options->is_used = std::move(context.is_used);
    options->chats = std::move(context.chats);
    auto opened = Discord::open(context.executor, std::move(*options), ports, socket_connect(context.executor));
    if (!opened) return opened.error();
    return std::unique_ptr<Platform>{std::move(*opened)};
}

}  // namespace countersign::channels::discord
