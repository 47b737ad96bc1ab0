// SPDX-License-Identifier: Apache-2.0
// Hub: carries one question from an agent to people, and one answer back. All state lives here, on one thread.
//
// It knows channels and runtimes only as ports. `decide` is the product in one function: authorise, settle on disk,
// forward; every way in ends in it. Its tasks run in the hub's own group, which no caller can cancel.
//
// The other parts own their state and know each other by their functions alone: Intake (how a request gets in),
// Presenter (what people see), CardSharing (who gets a card), Orders (halt, resume, revoke), Grants, Orphans (what a
// restart left open), Refusals, DraftBook (answers that are not submitted yet), Queries. What they ask of this one is
// the Flow.
#pragma once

#include "core/hub/askers.hpp"
#include "core/hub/card_sharing.hpp"
#include "core/hub/context.hpp"
#include "core/hub/counts.hpp"
#include "core/hub/decision.hpp"
#include "core/hub/draft_book.hpp"
#include "core/hub/ended_requests.hpp"
#include "core/hub/flow.hpp"
#include "core/hub/gate.hpp"
#include "core/hub/grants.hpp"
#include "core/hub/intake.hpp"
#include "core/hub/listeners.hpp"
#include "core/hub/orders.hpp"
#include "core/hub/orphans.hpp"
#include "core/hub/presenter.hpp"
#include "core/hub/queries.hpp"
#include "core/hub/refusals.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/earlier.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

class Hub final : public Attempts, private Flow {
public:
    using Ports = HubPorts;
    Hub(boost::asio::any_io_executor executor, Ports ports, std::shared_ptr<const Configuration> configuration,
        std::function<void(const std::string&)> stray);

    // Before the first ask; borrowed like the ports.
    void add_channel(Channel& channel) { presenter_.add_channel(channel); }
    // Before the first ask: what the log knows of earlier processes.
    void remember_earlier(const std::vector<Ulid>& ids) { ended_.remember_used(ids); }
    void remember_ended(const std::vector<EndedRequest>& ended);  // oldest first
    void remember_halts(const std::vector<Halt>& halts) { orders_.remember(halts); }
    // After the channels are added: each of these messages is told how its request ended (I12).
    void conclude_earlier(const std::vector<EarlierMessage>& messages) { presenter_.conclude_earlier(messages); }
    // After the channels are added and before the first ask: what was open, and may be shown again.
    void await_orphans(std::vector<Orphan> orphans) { orphans_.await(std::move(orphans)); }

    void expect() override { context_.ports.ledger.expect(); }
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) override;
    void order(Order order, std::function<void(const Result<Carried>&)> done) override;
    void refused(const RefusedAttempt& attempt, const Error& why) override { refusals_.note(attempt, why); }
    // Before the first ask: a line for the operator about each refusal that gets a record.
    void on_refused(std::function<void(const std::string& line)> handler) { refusals_.on_line(std::move(handler)); }

    // Where runtimes ask.
    [[nodiscard]] Asking& asking() { return intake_; }
    // Where channels report what became of their messages, look up what is open, and keep half-given answers.
    [[nodiscard]] Deliveries& deliveries() { return presenter_; }
    [[nodiscard]] const Queries& queries() const { return queries_; }
    [[nodiscard]] Drafts& drafts() { return drafts_; }

    // Today's deciders, roles and routes count at once, also for what is pending. A request whose route is gone ends as
    // undeliverable.
    void reconfigure(std::shared_ptr<const Configuration> configuration);

    using Event = Listeners::Event;
    using Subscription = Listeners::Subscription;
    struct Subscribed {
        std::vector<std::shared_ptr<const Request>> pending;  // oldest first
        Subscription subscription;
    };
    // Snapshot and subscription in one step: what is not in the one comes by the other, nothing comes twice.
    [[nodiscard]] Result<Subscribed> subscribe(Listeners::Listener listener);

    [[nodiscard]] boost::asio::any_io_executor executor() const { return context_.executor; }
    [[nodiscard]] std::size_t pending() const { return context_.pending.size(); }
    [[nodiscard]] std::size_t orphans() const { return orphans_.size(); }
    [[nodiscard]] const GrantBook& grants() const { return grants_.book(); }
    [[nodiscard]] const Halts& halts() const { return orders_.halts(); }
    // For metrics and `countersign outbox`.
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] const DeadLetters& dead_letters() const { return presenter_.dead_letters(); }

    // Writes a record that is about no request, such as the configuration. Nobody waits for it; `lost` hears why, if a
    // ledger that is healthy did not take it.
    void record(LogEntry entry, std::function<void(const Error&)> lost) {
        context_.notes.write(std::move(entry), std::move(lost));
    }

    // Says something in a chat that asks nothing. `done` hears once where it stands, or why it does not: Errc::busy
    // past announcements_max, too_large, undeliverable. It may come inside this call, and until the channel has
    // stopped.
    void announce(const std::string& channel, Announcement announcement,
                  std::function<void(const Result<MessageRef>&)> done) {
        presenter_.announce(channel, std::move(announcement), std::move(done));
    }

    // Ends everything that is open as lost, but for what an agent of another process waits for: that one shows it again
    // to the next hub. Refuses what comes, and resolves when every decide has finished and every agent has its answer,
    // or did not take it within agents_at_stop_max. The ledger may be closed after it, not before.
    boost::asio::awaitable<void> stop();

private:
    boost::asio::awaitable<Result<Receipt>> decide(Attempt attempt, std::optional<Permit> automatic) override;
    boost::asio::awaitable<void> answer(Attempt attempt, std::function<void(const Result<Receipt>&)> done);
    boost::asio::awaitable<Result<Receipt>> vote(Attempt attempt, Permit permit, Tally tally);
    boost::asio::awaitable<Settled> settle(Ulid id, Winner winner, LogEntry terminal);
    boost::asio::awaitable<void> forward_and_conclude(Verdict verdict, Conclusion conclusion);
    boost::asio::awaitable<bool> forward_unless_withdrawn(Ulid id, Verdict verdict, std::uint64_t seq);
    boost::asio::awaitable<void> end(Ulid id, Outcome outcome, std::string reason);
    void end_later(const Ulid& id, Outcome outcome, std::string reason) override;
    boost::asio::awaitable<void> not_ended(Ulid id, Outcome outcome, std::string reason);
    void end_unlogged(const Ulid& id);
    boost::asio::awaitable<void> end_unlogged_later(Ulid id);
    boost::asio::awaitable<void> refuse_unlogged(Ulid id);
    Error not_settled(const Attempt& attempt, Error failure);
    void conclude(const Ulid& id, const Conclusion& conclusion);
    [[nodiscard]] Error unknown_or_ended(const Ulid& id) const;
    Error refuse(const Attempt& attempt, Error why);

    HubContext context_;
    Listeners listeners_;
    EndedRequests ended_;
    Askers askers_;
    Counts counts_;  // those that no other part keeps
    Gate gate_{context_};
    DraftBook drafts_{context_};
    Refusals refusals_{context_};
    Grants grants_{context_};
    Presenter presenter_{{context_, gate_, *this}, [this](const Pending& open) { return sharing_.state_of(open); }};
    Orphans orphans_{{context_, ended_, presenter_}};
    Orders orders_{{context_, gate_, *this, refusals_, grants_, orphans_, askers_}};
    CardSharing sharing_{{context_, gate_, *this, grants_, presenter_, orders_.halts()}};
    Intake intake_{
        {context_, *this, *this, listeners_, ended_, askers_, grants_, presenter_, orphans_, orders_, sharing_}};
    Queries queries_{{context_, gate_, grants_, orders_, sharing_, ended_}};
};

}  // namespace countersign
