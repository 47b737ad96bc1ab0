// SPDX-License-Identifier: Apache-2.0
#include "tests/gateway/front.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <filesystem>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace countersign::gateway {

namespace asio = boost::asio;

asio::awaitable<Reply> FakeInbound::handle(InboundMessage message) {
    messages.push_back(std::move(message));
    if (throws) throw std::runtime_error{"a bug in a channel"};
    while (held_) {
        boost::system::error_code woken;
        co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() == asio::cancellation_type::none) continue;
        ++cancelled;
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    ++answered;
    co_return reply;
}

void FakeInbound::release() {
    held_ = false;
    gate_.cancel();
}

Front::Front() = default;

Front::~Front() {
    if (server) drain();
}

void Front::open(ServerOptions options) {
    auto routes = webhook_routes({{.kind = "telegram", .channel = "ops", .inbound = &inbound}});
    open(std::move(options), std::move(*routes));
}

void Front::open(ServerOptions options, std::vector<Endpoint> routes) {
    auto opened = Server::open(io.get_executor(), std::move(options), std::move(routes),
                               {.clock = clock,
                                .access = [this](const std::string& line) { lines.push_back(line); },
                                .stray = [this](const std::string& what) { stray.push_back(what); }});
    ASSERT_TRUE(opened) << opened.error().detail;
    server = std::move(*opened);
    asio::co_spawn(io, server->run(), [this](const std::exception_ptr& failed) { ran = !failed; });
}

void Front::begin_drain(std::chrono::milliseconds deadline) {
    asio::co_spawn(io, server->drain(deadline), [this](const std::exception_ptr& failed) { drained = !failed; });
}

void Front::drain() {
    if (!drained) {
        begin_drain(std::chrono::milliseconds{0});
        EXPECT_TRUE(until([this] { return ran && drained; }));
    }
    server.reset();
}

bool Front::until(const std::function<bool()>& holds) {
    const auto bound = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!holds()) {
        if (std::chrono::steady_clock::now() > bound) return false;
        io.restart();
        io.run_one_for(std::chrono::milliseconds{1});
        io.poll();
    }
    return true;
}

std::size_t Front::lines_with(std::string_view text) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines, [&](const std::string& line) { return line.find(text) != line.npos; }));
}

Peer::Peer(Front& front, const char* from) : front_{front}, socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, from, &address.sin_addr);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    address.sin_port = htons(front.server->port());
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

Peer::~Peer() { close(); }

void Peer::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

bool Peer::handshake(int version_max) {
    context_.reset(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), version_max);
    tls_.reset(SSL_new(context_.get()));
    timeval short_wait{.tv_sec = 0, .tv_usec = 1000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &short_wait, sizeof short_wait);
    SSL_set_fd(tls_.get(), socket_);
    int done = 0;
    front_.until([&] {
        done = SSL_connect(tls_.get());
        return done == 1 || SSL_get_error(tls_.get(), done) != SSL_ERROR_WANT_READ;
    });
    return done == 1;
}

std::string Peer::certificate() const {
    const std::unique_ptr<X509, decltype(&X509_free)> shown{tls_ ? SSL_get1_peer_certificate(tls_.get()) : nullptr,
                                                            X509_free};
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (!shown || X509_digest(shown.get(), EVP_sha256(), digest, &size) != 1) return {};
    return {reinterpret_cast<const char*>(digest), size};
}

void Peer::send(std::string_view bytes) {
    front_.until([&] {
        // It doesn't matter here if the server has closed the connection meanwhile.
        const auto sent = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                               : ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) return tls_ != nullptr || (errno != EAGAIN && errno != EWOULDBLOCK);
        bytes.remove_prefix(static_cast<std::size_t>(sent));
        return bytes.empty();
    });
}

bool Peer::fill() {
    std::array<char, 65536> buffer{};
    ssize_t got = 0;
    if (tls_) {
        got = SSL_read(tls_.get(), buffer.data(), static_cast<int>(buffer.size()));
        ended_ = got <= 0 && SSL_get_error(tls_.get(), static_cast<int>(got)) != SSL_ERROR_WANT_READ;
    } else {
        got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        ended_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
    }
    if (got > 0) received_.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
}

Answer Peer::answer() {
    const auto wait_for = [&](const std::function<bool()>& holds) {
        return front_.until([&] { return holds() || (!fill() && ended_) || holds(); }) && holds();
    };
    const auto head_end = [&] { return received_.find("\r\n\r\n"); };
    if (!wait_for([&] { return head_end() != std::string::npos; })) return {};
    Answer answer;
    answer.head = received_.substr(0, head_end() + 4);
    received_.erase(0, answer.head.size());
    std::from_chars(answer.head.data() + 9, answer.head.data() + 12, answer.status);
    constexpr std::string_view name = "Content-Length: ";
    const auto at = answer.head.find(name);
    std::size_t length = 0;
    if (at != std::string::npos) {
        std::from_chars(answer.head.data() + at + name.size(), answer.head.data() + answer.head.size(), length);
    }
    wait_for([&] { return received_.size() >= length; });
    answer.body = received_.substr(0, length);
    received_.erase(0, length);
    return answer;
}

Answer Peer::ask(std::string_view bytes) {
    send(bytes);
    return answer();
}

std::string Peer::rest() {
    EXPECT_TRUE(front_.until([&] { return !fill() && ended_; })) << "the connection was not ended";
    return std::exchange(received_, {});
}

bool Peer::closed() {
    return front_.until([&] { return !fill() && ended_; }) && received_.empty();
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all{"/proc/self/fd"};
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace countersign::gateway
