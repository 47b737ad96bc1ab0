// SPDX-License-Identifier: Apache-2.0
#include "gateway/http_connection.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;
using Stage = RequestReader::Stage;

namespace {

constexpr Refusal no_room{503, "too many bytes of other bodies wait to be verified"};

struct Target {
    std::string_view path;
    std::string_view query;
};

Target split_target(std::string_view target) {
    const auto mark = target.find('?');
    if (mark == target.npos) return {target, {}};
    return {target.substr(0, mark), target.substr(mark + 1)};
}

// Logs every request, even if the connection breaks off.
class LoggedAccess : public Access {
public:
    LoggedAccess(Access access, const Common& common)
        : Access{std::move(access)}, common_{common}, began_{common.clock.boot()} {}
    LoggedAccess(const LoggedAccess&) = delete;
    LoggedAccess& operator=(const LoggedAccess&) = delete;
    ~LoggedAccess() {
        if (status == 0) why = "the connection ended before the answer";
        took = common_.clock.boot() - began_;
        common_.access(to_line(*this));
    }

private:
    const Common& common_;
    BootTime began_;
};

}  // namespace

HttpConnection::HttpConnection(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls,
                               asio::ip::address peer, ConnectionCount::Ticket& ticket, Common& common)
    : stream_{std::move(socket), std::move(tls)},
      peer_{std::move(peer)},
      ticket_{ticket},
      common_{common},
      is_proxied_{common.proxies.contain(peer_)},
      reader_{common.bounds},
      received_(limits::gateway_read_bytes) {
    ticket_.on_eviction([this] { stream_.close(); });
}

void HttpConnection::end_if_idle() {
    if (!busy_) stream_.cancel();
}

asio::awaitable<void> HttpConnection::run() {
    stream_.allow(common_.bounds.head);
    if (common_.draining || ticket_.evicted() || !co_await stream_.handshake()) co_return;
    auto next = Next::again;
    while (next == Next::again) next = co_await exchange();
    if (next != Next::goodbye) co_return;
    if (drops_body_) co_return co_await stream_.finish(common_.bounds.body, dropped_body_bytes_max);
    co_await stream_.finish(common_.bounds.linger, limits::gateway_linger_bytes_max);
}

asio::awaitable<HttpConnection::Next> HttpConnection::exchange() {
    if (!co_await read_head()) co_return Next::gone;
    const bool read = reader_.stage() != Stage::refused;
    const auto head = read ? reader_.head() : Head{};
    const ClientAddress client{client_of(head)};
    LoggedAccess access{{.number = ++common_.requests,
                         .time = common_.clock.wall(),
                         .client = client.address(),
                         .method = head.method,
                         .route = {}},
                        common_};

    const auto response = co_await respond(client, &access);
    if (!response) co_return Next::gone;
    const bool again =
        head.keep_alive && skip_unread() && ++served_ < common_.bounds.requests_per_connection && !common_.draining;
    stream_.allow(common_.bounds.write);
    if (!co_await stream_.write(to_bytes(*response, again, common_.clock.wall()))) co_return Next::gone;
    access.status = response->reply.status;
    access.why = response->why;
    if (is_proxied_ && !ticket_.serve(std::nullopt)) co_return Next::gone;
    co_return again ? Next::again : Next::goodbye;
}

// True if there is a head or a refusal. False if the peer has gone, was idle too long, or the server drains.
asio::awaitable<bool> HttpConnection::read_head() {
    reader_.push({});
    busy_ = !reader_.untouched();
    stream_.allow(busy_ || served_ == 0 ? common_.bounds.head : common_.bounds.idle);
    while (reader_.stage() == Stage::head) {
        if (!busy_ && common_.draining) co_return false;
        if (co_await pull() == 0) {
            if (!busy_ || !stream_.late()) co_return false;
            reader_.refuse({408, "the head took too long"});
        }
        // The first byte of a request starts its deadline; later ones do not extend it.
        if (!std::exchange(busy_, true)) stream_.allow(common_.bounds.head);
    }
    co_return true;
}

// True if there is a body or a refusal. False if the peer has gone. The share must outlive this.
asio::awaitable<bool> HttpConnection::read_body(std::size_t body_bytes_max, BodyBudget::Share& share) {
    stream_.allow(common_.bounds.body);
    auto got = reader_.behind_head();
    reader_.accept(body_bytes_max);
    if (reader_.stage() != Stage::refused && !share.take(got)) reader_.refuse(no_room);
    while (reader_.stage() == Stage::body) {
        got = co_await pull();
        if (got == 0 && !stream_.late()) co_return false;
        if (got == 0) reader_.refuse({408, "the body took too long"});
        if (!share.take(got)) reader_.refuse(no_room);
    }
    co_return true;
}

asio::awaitable<std::size_t> HttpConnection::pull() {
    const auto got = co_await stream_.read(received_);
    reader_.push({received_.data(), got});
    co_return got;
}

asio::awaitable<std::optional<Response>> HttpConnection::respond(ClientAddress client, Access* access) {
    const auto too_fast = over_rate(client);
    if (reader_.stage() == Stage::refused) co_return refused(reader_.refusal());
    if (too_fast) co_return *too_fast;
    if (auto too_many = over_share(client)) co_return *too_many;
    const auto admitted = admit(client);
    if (const auto* refusal = std::get_if<Response>(&admitted)) co_return *refusal;
    const auto& found = std::get<Router::Found>(admitted);
    const auto* route = found.route;
    access->route = route->name;
    const auto target = split_target(reader_.head().target);
    InboundMessage inbound{.method = reader_.head().method,
                           .path = std::string{target.path},
                           .query = std::string{target.query},
                           .parameters = found.parameters};

    BodyBudget::Share share{common_.unverified};
    if (!co_await read_body(route->body_bytes_max, share)) co_return std::nullopt;
    inbound.arrived = common_.clock.boot();
    Response response;
    if (reader_.stage() == Stage::refused) {
        response = refuse_body(*route, std::move(inbound));
    } else {
        auto message = reader_.take();
        access->bytes = message.body.size();
        inbound.headers = std::move(message.headers);
        inbound.body = std::move(message.body);
        response = co_await hand_over(route, std::move(inbound));
    }
    const bool unauthentic = response.reply.status == 401 || response.reply.status == 403;
    if (route->counts_refusals && unauthentic && is_a_client()) {
        common_.refusals.count(client, common_.clock.boot());
    }
    co_return response;
}

// Only a route that verifies its requests can protect a connection from eviction.
asio::awaitable<Response> HttpConnection::hand_over(const Endpoint* route, InboundMessage message) {
    ticket_.set_answering(true);
    auto response = co_await common_.handover.give(route, std::move(message));
    ticket_.set_answering(false);
    if (route->counts_refusals && response.reply.status < 300) ticket_.verify();
    co_return response;
}

// If the headers show that the platform sent a body that is too large, it must get an answer that it doesn't repeat it
// for. Others get the same 401 as with a small body, so that this is no second way to try secrets.
Response HttpConnection::refuse_body(const Endpoint& route, InboundMessage message) {
    const auto& refusal = reader_.refusal();
    if (refusal.status != 413) return refused(refusal);
    message.headers = reader_.headers();
    auto reply = route.handler->handle_without_body(message);
    if (!reply) return refused(refusal);
    auto response = sendable(std::move(*reply));
    response.why = refusal.why;
    drops_body_ = route.counts_refusals && response.reply.status < 300;
    return response;
}

asio::ip::address HttpConnection::client_of(const Head& head) const {
    const bool standard = common_.proxies.header == ProxyHeader::forwarded;
    return client_behind(peer_, standard ? head.forwarded : head.forwarded_for, common_.proxies);
}

// A direct connection was counted when it was accepted. The client behind a proxy is only known now.
std::optional<Response> HttpConnection::over_share(const ClientAddress& client) {
    if (!is_proxied_ || client == ClientAddress{peer_} || ticket_.serve(client)) return std::nullopt;
    auto response = refused({429, "this client has too many connections"});
    response.reply.headers.push_back({"Retry-After", "10"});
    return response;
}

// Every request costs a token, even an unreadable one.
std::optional<Response> HttpConnection::over_rate(const ClientAddress& client) {
    if (common_.rate == nullptr || !is_a_client()) return std::nullopt;
    const auto wait = common_.rate->take(client, common_.clock.boot());
    if (!wait) return std::nullopt;
    auto response = refused({429, "this client asks too often"});
    response.reply.headers.push_back({"Retry-After", std::to_string(wait->count())});
    return response;
}

// Checks that are possible before the body is read.
std::variant<Router::Found, Response> HttpConnection::admit(const ClientAddress& client) const {
    auto found = common_.router.find(reader_.head().method, split_target(reader_.head().target).path);
    if (std::holds_alternative<Router::NotFound>(found)) return refused({404, "there is nothing here"});
    if (const auto* others = std::get_if<Router::NotAllowed>(&found)) {
        auto response = refused({405, "this is not done with that method"});
        response.reply.headers.push_back({"Allow", others->allow});
        return response;
    }
    auto& match = std::get<Router::Found>(found);
    if (match.route->counts_refusals && is_a_client() && !common_.refusals.admits(client, common_.clock.boot())) {
        auto response = refused({429, "too many requests of this client were refused"});
        response.reply.headers.push_back({"Retry-After", "60"});
        return response;
    }
    return std::move(match);
}

// A loopback peer, when no proxy is configured, is an unconfigured proxy and stands for all its clients: an attacker's
// wrong secrets must not block the platform's deliveries.
bool HttpConnection::is_a_client() const {
    return !common_.proxies.addresses.empty() || !unmapped(peer_).is_loopback();
}

// After an answer that did not need the body: a request without a body is complete, and another may follow.
bool HttpConnection::skip_unread() {
    if (reader_.stage() == Stage::judging && reader_.accept(0) == Stage::complete) reader_.take();
    return reader_.stage() == Stage::head;
}

}  // namespace countersign::gateway
