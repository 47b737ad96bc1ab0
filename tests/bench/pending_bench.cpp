// SPDX-License-Identifier: Apache-2.0
// The cost of a pending request beyond its text: ten thousand of them in a real hub with a real Telegram channel, on a
// network that answers or not. The log stores nothing here, and the clock is moved by hand.
#include "channels/telegram/telegram.hpp"
#include "core/hub/hub.hpp"
#include "core/limits.hpp"
#include "tests/channels/platform_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <string>
#include <vector>

namespace {

// The number of live allocations of each size from operator new; Asio's allocations for its tasks aren't included.
constexpr std::size_t sizes = 4'096;
std::array<long, sizes> held{};
void count(void* piece, long by) {
    if (const auto size = ::malloc_usable_size(piece); size < sizes) held[size] += by;
}

}  // namespace

void* operator new(std::size_t size) {
    auto* const piece = std::malloc(size);
    if (piece == nullptr) std::abort();
    count(piece, 1);
    return piece;
}
void operator delete(void* piece) noexcept {
    if (piece != nullptr) count(piece, -1);
    std::free(piece);
}
void operator delete(void* piece, std::size_t /*size*/) noexcept { ::operator delete(piece); }

namespace {

using namespace countersign;
using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace telegram = channels::telegram;

constexpr std::size_t requests = limits::pending_requests_max;
constexpr std::size_t agents = 100;  // each with its own session, route and chat
constexpr std::size_t bytes_wanted = 4 * 1024;

std::size_t allocated() {
    const auto heap = ::mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

// Records at once and stores nothing.
class NoLedger final : public Ledger {
public:
    asio::awaitable<Result<Receipt>> append(LogEntry /*entry*/, Haste /*haste*/) override {
        co_return Receipt{.seq = ++seq_, .root = {}, .at = {}};
    }
    asio::awaitable<Settled> settle(Ulid /*request*/, Winner /*winner*/, LogEntry /*terminal*/) override {
        co_return Receipt{.seq = ++seq_, .root = {}, .at = {}};
    }
    [[nodiscard]] Result<void> health() const override { return {}; }
    void on_poisoned(std::function<void(const Error&)> /*handler*/) override {}

private:
    std::uint64_t seq_ = 0;
};

// Accepts every message and gives it a number, or is unreachable.
class Network final : public HttpClient {
public:
    asio::awaitable<Result<HttpResponse>> send(HttpRequest /*request*/) override {
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        if (down) co_return Error{Errc::unavailable, "not reached"};
        co_return HttpResponse{.status = 200,
                               .body = R"({"ok":true,"result":{"message_id":)" + std::to_string(++sent) + "}}"};
    }
    bool down = false;
    std::uint64_t sent = 0;
};

// Shows everything and keeps nothing, so that only the hub's memory is measured.
class NoChannel final : public Channel {
public:
    explicit NoChannel(asio::any_io_executor executor) : executor_{std::move(executor)} {}
    [[nodiscard]] const std::string& name() const override { return name_; }
    void present(Presentation shown) override {
        MessageRef ref{{name_, shown.to.chat, "", std::to_string(shown.id)}, shown.generation};
        asio::post(executor_, [this, id = shown.id, ref = std::move(ref)] { deliveries->delivered(id, ref, true); });
    }
    void conclude(DeliveryId, const Conclusion&) override {}
    void conclude_earlier(DeliveryId, const MessageRef&, const Conclusion&) override {}
    void tell_earlier(DeliveryId, const MessageRef&, const EarlierNews&) override {}
    void update(DeliveryId, CardState) override {}
    void announce(Announcement) override {}
    Deliveries* deliveries = nullptr;

private:
    asio::any_io_executor executor_;
    std::string name_ = "chat";
};

std::string agent_name(std::size_t at) { return "agent-" + std::to_string(at % agents); }

Configuration configuration() {
    auto made = fakes::small_configuration();
    made.people.at("alice").principals.push_back("telegram:77");
    made.channels["chat"] = {.name = "chat", .kind = "telegram"};
    auto route = made.routes.front();
    made.routes.clear();
    for (std::size_t at = 0; at < agents; ++at) {
        route.name = "route-" + std::to_string(at);
        route.match = RouteMatch{.agent = agent_name(at), .runtime = {}, .tool = {}, .session = {}, .risk = {}};
        route.steps = {{.channel = "chat", .chat = "-100123456" + std::to_string(1'000 + at), .people = {}}};
        made.routes.push_back(route);
    }
    route.name = "others";
    route.match.reset();
    made.routes.push_back(std::move(route));
    return made;
}

// A typical request: a command of a line or two, its reason, and three options with a short description each.
Request request_of(Ids& ids, std::size_t at) {
    auto made = fakes::shell_request(ids.next(), "cd /srv/app && make -j4 check TARGET=" + std::to_string(at) + " " +
                                                     std::string(160, 'x'));
    made.agent_id = agent_name(at);
    made.session_key = "2f6c1d0e-5b1a-4a57-9d3a-" + std::to_string(100'000'000'000 + at % agents);
    made.cwd = "/srv/app/projects/shop";
    made.args_hash.hex = std::string(64 - 8, '0') + std::to_string(10'000'000 + at);
    auto& approval = std::get<Approval>(made.body);
    approval.untrusted_reason = "The build directory holds objects of another compiler, so I make everything anew.";
    for (auto& option : approval.options) option.detail = "this call, and nothing that looks like it";
    return made;
}

// The number of bytes of text that the agent wrote.
std::size_t text_of(const Request& request) {
    const auto& approval = *request.approval();
    auto bytes = request.agent_id.size() + request.runtime.size() + request.session_key.size() + request.cwd.size() +
                 request.args_hash.hex.size() + request.judgement.risk.rule.size() + approval.display_text.size() +
                 approval.untrusted_reason.size() + tool_name_of(request).size();
    for (const auto& option : approval.options) {
        bytes += option.option_id.size() + option.label.size() + option.detail.size();
    }
    return bytes;
}

class World {
public:
    World() { channel_.deliveries = &hub.deliveries(); }
    ~World() {
        bool stopped = false;
        asio::co_spawn(io, hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
        settle();
        if (chat_) asio::co_spawn(io, chat_->stop(), [](const std::exception_ptr&) {});
        for (int i = 0; i < 10; ++i) advance(1s);
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void open_channel(bool real) {
        if (!real) return hub.add_channel(channel_);
        telegram::TelegramOptions options;
        options.name = "chat";
        options.token = security::Secret{std::string_view{"123456789:AAFakeTokenOfTheBenchmarkAlone"}};
        auto opened = telegram::Telegram::open(io.get_executor(), std::move(options),
                                               {.http = network,
                                                .clock = clock,
                                                .ids = ids,
                                                .deliveries = hub.deliveries(),
                                                .attempts = hub,
                                                .open = hub.queries(),
                                                .drafts = hub.drafts(),
                                                .keys = {tokens_, codes_},
                                                .memory = memory_});
        if (!opened) std::exit(2);
        chat_ = std::move(*opened);
        hub.add_channel(chat_->chat());
    }
    void ask_all() {
        for (std::size_t at = 0; at < requests; ++at) {
            asio::co_spawn(io, hub.asking().ask(request_of(ids, at), agent_),
                           [this](const std::exception_ptr&, Result<Ulid> id) { asked += id ? 1 : 0; });
            if (at % 100 == 99) settle();
        }
        settle();
    }
    void settle() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }

    asio::io_context io;
    fakes::FakeClock clock;
    fakes::FakeIds ids;
    Network network;
    std::size_t asked = 0;

private:
    NoLedger ledger_;
    fakes::FakeAuthoriser authoriser_;
    fakes::FakeGuard guard_;
    fakes::FakeRuntime agent_;
    NoChannel channel_{io.get_executor()};
    security::ButtonTokens tokens_{security::Secret{std::string_view{"a key for buttons, of this benchmark"}}};
    security::ShortCodes codes_{security::Secret{std::string_view{"a key for codes, of this benchmark"}}};
    channels::fakes::FakeMemory memory_;

public:
    Hub hub{io.get_executor(),
            {.ledger = ledger_, .clock = clock, .ids = ids, .authoriser = authoriser_, .guard = guard_},
            std::make_shared<const Configuration>(configuration()),
            [](const std::string& what) { std::printf("a task ended: %s\n", what.c_str()); }};

private:
    std::unique_ptr<telegram::Telegram> chat_;
};

std::size_t bytes_a_request(std::size_t before) { return (allocated() - before) / requests; }

// The allocations of which each request has about one or more, largest first.
void print_pieces(const std::array<long, sizes>& before, std::size_t bytes) {
    std::size_t told = 0;
    std::printf("pieces  ");
    for (std::size_t size = sizes; size-- > 0;) {
        const auto each = static_cast<double>(held[size] - before[size]) / static_cast<double>(requests);
        if (each < 0.2) continue;
        std::printf(" %.1f x %zu", each, size);
        told += static_cast<std::size_t>(each * static_cast<double>(size + sizeof(void*)));
    }
    std::printf("; tasks and the rest: %zu\n", bytes - std::min(bytes, told));
}

std::size_t of_the_values() {
    fakes::FakeIds ids;
    std::vector<std::shared_ptr<const Request>> kept;
    kept.reserve(requests);
    const auto before = allocated();
    for (std::size_t at = 0; at < requests; ++at) kept.push_back(std::make_shared<const Request>(request_of(ids, at)));
    return bytes_a_request(before);
}

enum class Shown { nowhere, in_chats, not_yet };

std::size_t of_a_world(Shown shown) {
    World world;
    world.network.down = shown == Shown::not_yet;
    world.open_channel(shown != Shown::nowhere);
    world.settle();
    const auto pieces = held;
    const auto before = allocated();
    world.ask_all();
    if (shown == Shown::in_chats) {
        // A group accepts one card every three seconds, the whole bot one every 40 ms.
        for (auto passed = 0s; passed < 8min && world.network.sent < requests; passed += 1s) world.advance(1s);
    }
    const auto bytes = bytes_a_request(before);
    const bool all_there = world.asked == requests && (shown != Shown::in_chats || world.network.sent == requests);
    if (shown != Shown::not_yet) print_pieces(pieces, bytes);
    if (!all_there) std::printf("only %zu were asked and %zu shown\n", world.asked, std::size_t{world.network.sent});
    return all_there ? bytes : 0;
}

}  // namespace

int main() {
    fakes::FakeIds ids;
    const auto text = text_of(request_of(ids, requests - 1));
    const auto value = of_the_values();
    const auto hub = of_a_world(Shown::nowhere);
    const auto shown = of_a_world(Shown::in_chats);
    const auto waiting = of_a_world(Shown::not_yet);
    if (hub == 0 || shown == 0 || waiting == 0) return 1;
    std::printf("sizes    Request %zu, Option %zu, Pending %zu, Delivery %zu, Presentation %zu, Card %zu\n",
                sizeof(Request), sizeof(Option), sizeof(Pending), sizeof(Delivery), sizeof(Presentation),
                sizeof(channels::Card));
    std::printf("text     %zu bytes of %zu requests each, in %zu chats\n", text, requests, agents);
    std::printf("value    %5zu bytes beyond it: the request by itself\n", value - text);
    std::printf("hub      %5zu more: what the hub keeps of it\n", hub - value);
    std::printf("channel  %5zu more, once its card is shown\n", shown - hub);
    std::printf("outbox   %5zu more, while its card waits to be sent\n", waiting - hub);
    bool holds = true;
    const auto line = [&](const char* what, std::size_t bytes) {
        holds = holds && bytes < bytes_wanted;
        std::printf("%-8s %5zu bytes a request beyond its text (under %zu: %s)\n", what, bytes, bytes_wanted,
                    bytes < bytes_wanted ? "holds" : "FAILS");
    };
    line("shown", shown - text);
    line("waiting", waiting - text);
    return holds ? 0 : 1;
}
