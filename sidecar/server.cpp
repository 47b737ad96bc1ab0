// SPDX-License-Identifier: Apache-2.0
#include "sidecar/server.hpp"

#include "core/limits.hpp"
#include "core/local_order.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace countersign::sidecar {

namespace asio = boost::asio;
using asio::local::stream_protocol;

// One connection. A verdict passed to it is forwarded only once the sidecar confirms it.
class Server::SidecarConnection final : public Runtime, public std::enable_shared_from_this<SidecarConnection> {
public:
    SidecarConnection(stream_protocol::socket socket, Asking& hub, Clock& clock, std::string rules,
                      std::function<void(const std::string&)> complain, Server& server)
        : executor_{socket.get_executor()},
          server_{server},
          connection_{std::move(socket)},
          hub_{hub},
          clock_{clock},
          rules_{std::move(rules)},
          complain_{complain},
          tasks_{executor_, std::move(complain)} {}

    asio::awaitable<void> run() {
        const auto uid = connection_.peer_uid();
        if (!uid || (*uid != ::geteuid() && *uid != 0)) co_return connection_.close();
        uid_ = *uid;
        tasks_.spawn(connection_.run_writer());
        end_after(introduction_max);
        bool welcome = co_await introduced();
        deadline_.cancel();
        const bool taken = welcome;
        if (taken) ++server_.taken_;
        while (welcome) {
            auto message = co_await connection_.read();
            if (!message && message.error().code != Errc::unavailable) complain_(describe(message.error()));
            welcome = message && take(std::move(*message));
        }
        connection_.close();
        deadline_.cancel();
        if (taken) --server_.taken_;
        for (auto& [id, waiting] : forwarding_) waiting->cancel();
        for (const auto& one : interrupting_) one->said.cancel();
        hub_.gone(*this, {}, "the sidecar is gone");
        co_await tasks_.join();
        hub_.gone(*this, {}, "the sidecar is gone");  // also what it asked just before the end
    }

    asio::awaitable<Result<void>> forward(Verdict verdict) override {
        const auto keep = shared_from_this();
        const auto id = verdict.request_id;
        const auto until = clock_.boot() + limits::sidecar_verdict_max;
        if (const auto written = connection_.write(Message{TimedVerdict{std::move(verdict), until}}); !written) {
            co_return written.error();
        }
        // The sidecar may begin to write to its agent until the verdict expires, and the write itself takes time.
        const auto said = std::make_shared<asio::steady_timer>(
            executor_, limits::sidecar_verdict_max + limits::agent_write_max + limits::agent_write_max);
        forwarding_[id] = said;
        boost::system::error_code ignored;
        co_await said->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        forwarding_.erase(id);
        const auto found = forwarded_.extract(id);
        if (found.empty()) co_return Error{Errc::unavailable, "the sidecar did not say that the agent has it"};
        if (found.mapped().failed) co_return Error{*found.mapped().failed, found.mapped().detail};
        co_return Result<void>{};
    }

    // One at a time per session: a second caller gets the result of the first.
    asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override {
        const auto keep = shared_from_this();
        auto known = std::ranges::find(interrupting_, who, [](const auto& one) { return one->who; });
        if (known == interrupting_.end()) {
            const auto number = ++interrupts_;
            if (const auto written = connection_.write(Message{Interrupt{number, std::move(why), who}}); !written) {
                co_return written.error();
            }
            interrupting_.push_back(std::make_shared<Interrupting>(
                Interrupting{.who = std::move(who),
                             .said = asio::steady_timer{executor_, limits::agent_write_max},
                             .heard = {.number = number,
                                       .failed = Errc::unavailable,
                                       .detail = "the sidecar did not say what came of it"}}));
            known = std::prev(interrupting_.end());
        }
        const auto waiting = *known;
        boost::system::error_code ignored;
        co_await waiting->said.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        std::erase(interrupting_, waiting);
        if (waiting->heard.failed) co_return Error{*waiting->heard.failed, waiting->heard.detail};
        co_return Result<void>{};
    }
    [[nodiscard]] bool outlives_hub() const override { return true; }
    [[nodiscard]] bool owns_its_sessions() const override { return !asks_once_; }

    // Reads and writes nothing more; an order that was received is still carried out.
    void close() {
        connection_.close();
        if (ordering_) ordering_->cancel();
    }
    void narrate(const Ulid& request, const std::string& line, bool ended) {
        const auto found = open_.find(request);
        if (found == open_.end()) return;
        if (ended) open_.erase(found);
        // If the queue has no room for a line, dropping it is better than closing the connection.
        if (!line.empty()) (void)connection_.write(Message{Narrated{line}});
    }
    [[nodiscard]] Stage stage() const { return stage_; }
    [[nodiscard]] bool is_closed() const { return connection_.closed(); }

private:
    // Each call restarts the deadline.
    void end_after(std::chrono::milliseconds time) {
        deadline_.cancel();
        deadline_ = tasks_.spawn(close_at(clock_.boot() + time));
    }
    asio::awaitable<void> close_at(BootTime when) {
        co_await clock_.sleep_until(when);
        connection_.close();
    }
    // It has identified itself as a command: from now on, silent connections cannot take its place, however long it
    // takes.
    void become_command() {
        deadline_.cancel();
        server_.make_room(Stage::command, local_commands_max);
        stage_ = Stage::command;
    }

    // True if it is a sidecar and was accepted.
    asio::awaitable<bool> introduced() {
        const auto message = co_await connection_.read();
        if (!message && message.error().code != Errc::unavailable) complain_(describe(message.error()));
        if (!message) co_return false;
        if (!std::holds_alternative<Hello>(*message)) become_command();
        if (std::holds_alternative<Reload>(*message)) {
            co_await reload();
            co_return false;
        }
        if (const auto* order = std::get_if<GiveOrder>(&*message)) {
            co_await carry_out(*order);
            co_return false;
        }
        if (std::holds_alternative<ListOutbox>(*message)) {
            if (server_.list_outbox_) co_await answer(Message{OutboxListed{server_.list_outbox_()}});
            co_return false;
        }
        if (const auto* list = std::get_if<ListHub>(&*message)) {
            auto listing = server_.list_hub_ ? server_.list_hub_(list->what) : json::Value{};
            if (listing.object() != nullptr) co_await answer(Message{HubListed{std::move(listing)}});
            co_return false;
        }
        const auto* hello = std::get_if<Hello>(&*message);
        if (hello == nullptr) complain_("a sidecar did not say by which rules it judges");
        if (hello == nullptr) co_return false;
        const auto welcome = welcome_for(*hello);
        asks_once_ = hello->asks_once;
        if (!welcome.failed) stage_ = Stage::sidecar;
        if (!welcome.failed) co_return connection_.write(Message{welcome}).has_value();
        // Anything sent after the first line is ignored.
        co_await answer(Message{welcome});
        co_return false;
    }

    [[nodiscard]] Welcome welcome_for(const Hello& hello) const {
        if (hello.rules != rules_) {
            return {.failed = Errc::conflict, .detail = "its policy, risk or always rules are others than yours"};
        }
        if (server_.taken_ >= static_cast<std::size_t>(limits::sidecars_max)) {
            const auto agents = std::to_string(server_.taken_);
            return {.failed = Errc::busy, .detail = "the hub already serves " + agents + " agents, its limit"};
        }
        const Asker asker{.agent_id = hello.agent_id, .session_key = hello.session_key};
        return {.failed = {}, .detail = {}, .halted = server_.halted_ ? server_.halted_(asker) : std::string{}};
    }

    asio::awaitable<void> reload() {
        Result<void> done = Error{Errc::unsupported, "this hub has no configuration file to load again"};
        if (server_.reload_) done = co_await server_.reload_();
        Reloaded came_of_it;
        if (!done) came_of_it = {.failed = done.error().code, .detail = done.error().detail};
        co_await answer(Message{std::move(came_of_it)});
    }

    // Sends the answer and gives the peer time to read it and disconnect.
    asio::awaitable<void> answer(Message message) {
        end_after(answer_read_max);
        const auto written = connection_.write(message);
        while (written && co_await connection_.read()) {}
    }

    // The socket identifies the person: the user who runs the hub, or root. The gate decides whether they may give the
    // order.
    asio::awaitable<void> carry_out(const GiveOrder& given) {
        const auto order =
            local_order(given.resume ? Order::Kind::resume : Order::Kind::halt, given.target, uid_, clock_);
        Result<Carried> carried = Error{Errc::unsupported, "this hub takes no orders"};
        if (server_.orders_ != nullptr) carried = co_await carried_out(order);
        if (connection_.closed()) co_return;  // no one is left to hear it
        OrderCarried came_of_it{.failed = {}, .detail = {}, .said = {}};
        if (server_.order_words_) came_of_it.said = server_.order_words_(order, carried);
        if (!carried) {
            came_of_it.failed = carried.error().code;
            came_of_it.detail = carried.error().detail;
        }
        co_await answer(Message{std::move(came_of_it)});
    }

    // The hub may answer after this connection has ended.
    asio::awaitable<Result<Carried>> carried_out(Order order) {
        struct Awaited {
            std::shared_ptr<asio::steady_timer> heard;
            std::optional<Result<Carried>> carried;
        };
        ordering_ = std::make_shared<asio::steady_timer>(executor_, asio::steady_timer::time_point::max());
        const auto awaited = std::make_shared<Awaited>(Awaited{ordering_, std::nullopt});
        server_.orders_->order(std::move(order), [awaited](const Result<Carried>& carried) {
            awaited->carried = carried;
            awaited->heard->cancel();
        });
        boost::system::error_code ignored;
        while (!awaited->carried && !connection_.closed()) {
            co_await awaited->heard->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        co_return awaited->carried.value_or(Error{Errc::unavailable, "the client disconnected"});
    }

    // False: a sidecar does not send such a message.
    bool take(Message message) {
        if (auto* ask = std::get_if<Ask>(&message)) {
            asked_ = true;
            open_.insert(ask->request.id);
            tasks_.spawn(ask_hub(std::move(ask->request)));
        } else if (auto* withdraw = std::get_if<Withdraw>(&message)) {
            tasks_.spawn(in_turn([this, taken = std::move(*withdraw)] { hub_.withdraw(taken.id, *this, taken.why); }));
        } else if (auto* agent = std::get_if<Gone>(&message)) {
            tasks_.spawn(in_turn([this, gone = std::move(*agent)] { hub_.gone(*this, gone.who, gone.why); }));
        } else if (auto* ended = std::get_if<SessionEnded>(&message)) {
            // Without an ask it has no sessions in the hub.
            if (!asked_) return true;
            tasks_.spawn(in_turn([this, end = std::move(*ended)] { hub_.session_ended(*this, end.who, end.failure); }));
        } else if (auto* unreadable = std::get_if<Unreadable>(&message)) {
            hub_.unreadable(unreadable->agent_id, {unreadable->code, std::move(unreadable->detail)});
        } else if (auto* unasked = std::get_if<Unasked>(&message)) {
            hub_.unasked(unasked->call);
        } else if (auto* forwarded = std::get_if<Forwarded>(&message)) {
            const auto waiting = forwarding_.find(forwarded->id);
            if (waiting == forwarding_.end()) return true;
            waiting->second->cancel();
            forwarded_.insert_or_assign(forwarded->id, std::move(*forwarded));
        } else if (auto* interrupted = std::get_if<Interrupted>(&message)) {
            // Older sidecars send no number. An interrupt that was given up is no longer in the list.
            const auto known = std::ranges::find_if(interrupting_, [&](const auto& one) {
                return interrupted->number == 0 || interrupted->number == one->heard.number;
            });
            if (known == interrupting_.end()) return true;
            (*known)->heard = std::move(*interrupted);
            (*known)->said.cancel();
        } else {
            complain_("a sidecar sent what only a hub says");
            return false;
        }
        return true;
    }

    // Runs after an earlier ask, which begins one turn later.
    static asio::awaitable<void> in_turn(std::function<void()> act) {
        act();
        co_return;
    }

    asio::awaitable<void> ask_hub(Request request) {
        const auto id = request.id;
        const auto asked = co_await hub_.ask(std::move(request), *this);
        if (!asked && asked.error().code == Errc::away) co_return;  // it will ask the next hub when this one is gone
        Asked came_of_it{.id = id};
        // The hub may know the request by an id from before a restart.
        if (asked && *asked != id && open_.erase(id) > 0) open_.insert(*asked);
        if (!asked) {
            open_.erase(id);
            came_of_it.failed = asked.error().code;
            came_of_it.detail = asked.error().detail;
        }
        if (const auto written = connection_.write(Message{std::move(came_of_it)}); !written) connection_.close();
    }

    asio::any_io_executor executor_;
    Server& server_;  // outlives its connections
    Connection connection_;
    Asking& hub_;
    Clock& clock_;
    std::string rules_;
    std::function<void(const std::string&)> complain_;
    std::map<Ulid, std::shared_ptr<asio::steady_timer>> forwarding_;  // cancelled when the sidecar confirms
    std::map<Ulid, Forwarded> forwarded_;
    std::set<Ulid> open_;  // asked, but not concluded
    bool asked_ = false;
    bool asks_once_ = false;
    unsigned uid_ = 0;  // of the peer
    Stage stage_ = Stage::unintroduced;
    std::shared_ptr<asio::steady_timer> ordering_;  // cancelled when its order was carried out
    TaskGroup::Handle deadline_;
    struct Interrupting {
        Asker who;
        asio::steady_timer said;  // cancelled when the sidecar confirms
        Interrupted heard;
    };
    std::vector<std::shared_ptr<Interrupting>> interrupting_;
    std::int64_t interrupts_ = 0;
    TaskGroup tasks_;
};

Result<std::unique_ptr<Server>> Server::open(asio::any_io_executor executor, std::string path, Asking& hub,
                                             Clock& clock, std::string rules,
                                             std::function<void(const std::string&)> complain) {
    (void)::unlink(path.c_str());  // its hub is dead: we hold the lock
    boost::system::error_code failed;
    stream_protocol::acceptor acceptor{executor};
    if (path.size() >= sizeof(sockaddr_un::sun_path)) {
        return Error{Errc::bad_config, path + " is too long for a socket; use a shorter --state"};
    }
    acceptor.open(stream_protocol{}, failed);
    if (!failed) acceptor.bind(stream_protocol::endpoint{path}, failed);
    if (!failed && ::chmod(path.c_str(), 0600) != 0) failed.assign(errno, boost::system::system_category());
    if (!failed) acceptor.listen(limits::sidecars_max, failed);
    if (failed) return Error{Errc::unavailable, "cannot listen on " + path + ": " + failed.message()};
    return std::unique_ptr<Server>{
        new Server{std::move(acceptor), std::move(path), hub, clock, std::move(rules), std::move(complain)}};
}

Server::Server(stream_protocol::acceptor acceptor, std::string path, Asking& hub, Clock& clock, std::string rules,
               std::function<void(const std::string&)> complain)
    : acceptor_{std::move(acceptor)},
      path_{std::move(path)},
      hub_{hub},
      clock_{clock},
      rules_{std::move(rules)},
      complain_{complain},
      tasks_{acceptor_.get_executor(), std::move(complain)} {}

Server::~Server() { (void)::unlink(path_.c_str()); }

asio::awaitable<void> Server::serve(std::shared_ptr<SidecarConnection> session) { co_await session->run(); }

asio::awaitable<void> Server::run() {
    while (acceptor_.is_open()) {
        boost::system::error_code failed;
        auto socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
        if (failed == asio::error::operation_aborted || !acceptor_.is_open()) break;
        if (failed) {  // e.g. no descriptors left: don't spin
            asio::steady_timer pause{acceptor_.get_executor(), limits::sidecar_accept_pause};
            co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, failed));
            continue;
        }
        std::erase_if(sessions_, [](const auto& known) { return known.expired(); });
        make_room(Stage::unintroduced, unintroduced_max);
        const auto session =
            std::make_shared<SidecarConnection>(std::move(socket), hub_, clock_, rules_, complain_, *this);
        sessions_.push_back(session);
        tasks_.spawn(serve(session));
    }
    co_await tasks_.join();
}

void Server::narrate(const Ulid& request, const std::string& line, bool ended) {
    for (const auto& known : sessions_) {
        if (const auto session = known.lock()) session->narrate(request, line, ended);
    }
}

void Server::make_room(Stage stage, std::size_t most) {
    std::size_t there = 0;
    std::shared_ptr<SidecarConnection> oldest;
    for (const auto& known : sessions_) {
        const auto session = known.lock();
        if (!session || session->stage() != stage || session->is_closed()) continue;
        ++there;
        if (!oldest) oldest = session;
    }
    if (there >= most) oldest->close();
}

void Server::close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);  // NOLINT(bugprone-unused-return-value): it is closed either way
    for (const auto& known : sessions_) {
        if (const auto session = known.lock()) session->close();
    }
}

}  // namespace countersign::sidecar
