// SPDX-License-Identifier: Apache-2.0
// The hub with everything around it faked: one thread, a clock moved by hand, an in-memory ledger, two chat rooms.
#pragma once

#include "core/hub/hub.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/fakes/fake_ledger.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::fakes {

// Keeps everything that it was shown. Delivers at once unless told otherwise.
class FakeChannel final : public Channel {
public:
    explicit FakeChannel(std::string name) : name_{std::move(name)} {}
    [[nodiscard]] const std::string& name() const override { return name_; }
    void present(Presentation presentation) override;
    void conclude(DeliveryId id, const Conclusion& conclusion) override;
    void conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) override;
    void tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) override;
    void update(DeliveryId id, CardState state) override;
    void remind(DeliveryId id, const Reminder& reminder) override;
    void session_ended(SessionEnd end) override;
    void announce(Announcement announcement) override;

    enum class Mood { delivers, delivers_part, fails, delays, silent } mood = Mood::delivers;
    std::map<std::string, Mood> moods;  // exceptions for single chats or principals
    Deliveries* deliveries = nullptr;
    std::vector<Presentation> presented;
    std::vector<Announcement> announced;
    std::vector<Conclusion> concluded;
    std::vector<EarlierMessage> earlier;
    std::vector<std::pair<MessageRef, EarlierNews>> news;
    std::vector<std::string> progress_lines;
    std::vector<CardState> states;  // the changes of a card
    std::vector<std::pair<DeliveryId, Reminder>> reminded;
    std::vector<SessionEnd> sessions_ended;

private:
    std::string name_;
};

// An agent that keeps the answers it gets.
class FakeRuntime final : public Runtime {
public:
    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override;
    [[nodiscard]] bool outlives_hub() const override { return sidecar; }
    std::vector<Verdict> forwarded;
    std::vector<std::string> interrupted;  // with the number of answers that it had by then
    std::vector<Asker> interrupted_in;     // the sessions of the same calls
    bool broken = false;
    bool interruptible = true;
    std::string in_session;            // the only session whose turn can be ended; empty: all
    bool sidecar = false;              // it lives in another process
    std::function<void()> on_forward;  // called before the answer is stored
    bool hangs = false;                // it was stopped, or does not read: each call waits until listen()
    void listen();

private:
    boost::asio::awaitable<void> heard() const;
    std::shared_ptr<std::vector<boost::asio::steady_timer*>> waiting_ =
        std::make_shared<std::vector<boost::asio::steady_timer*>>();
};

// A decider of the route may decide; roles and assurance are left to the real authoriser.
class FakeAuthoriser final : public Authoriser {
public:
    [[nodiscard]] Result<Permit> permit(const Attempt& attempt, const Request& request, const Route& route,
                                        const std::vector<Option>& offered,
                                        const Configuration& configuration) const override;
};

class FakeGuard final : public TextGuard {
public:
    [[nodiscard]] std::string clean(std::string_view text) const override;
    [[nodiscard]] std::string digest(std::string_view text) const override;
};

// alice, bob and carol may decide on "ops"; "pager" is a second channel.
[[nodiscard]] Configuration small_configuration();
// Its options: allow, allow for the session, deny.
[[nodiscard]] Request shell_request(Ulid id, const std::string& command = "ls");
[[nodiscard]] Request question_request(Ulid id);

class World {
public:
    explicit World(Configuration configuration = small_configuration());
    ~World();

    // Runs everything that is ready.
    void settle();
    void advance(std::chrono::milliseconds by);
    Result<Ulid> ask(Request request) { return ask(std::move(request), agent); }
    Result<Ulid> ask(Request request, Runtime& from);
    void begin_ask(Request request);  // started, but not waited for
    Result<Receipt> decide(Attempt attempt);
    Result<Carried> order(Order order);
    [[nodiscard]] Order halt(const std::string& target, const std::string& person = "alice") const;
    [[nodiscard]] Order resume(const std::string& target, const std::string& person = "alice") const;
    [[nodiscard]] Attempt click(const Ulid& id, const std::string& option, const std::string& person = "alice") const;
    [[nodiscard]] Attempt submit(const Ulid& id, std::vector<Answer> answers) const;
    void stop();

    boost::asio::io_context io;
    FakeClock clock;
    FakeIds ids;
    FakeLedger ledger{clock};
    FakeAuthoriser authoriser;
    FakeGuard guard;
    FakeRuntime agent;
    FakeChannel ops{"ops"};
    FakeChannel pager{"pager"};
    std::vector<std::string> stray;
    Hub hub;
};

}  // namespace countersign::fakes
