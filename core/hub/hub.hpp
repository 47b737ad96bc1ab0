// SPDX-License-Identifier: Apache-2.0
// Hub: carries one question from an agent to people and one answer back. It owns all state and runs on one thread.
//
// It knows channels and runtimes only as ports. `decide` is the product in one function: authorise, settle on disk,
// forward. Every entry point ends in it. Its tasks run in the hub's own group, which no caller can cancel.
//
// The other parts own their state and only call each other's functions: Intake (accepts requests), Presenter (what
// people see), CardSharing (which request gets a card), Orders (halt, resume, revoke), Grants, Orphans (requests that a
// restart left open), Refusals, DraftBook (answers that aren't submitted yet), Queries. They call the Hub through Flow.
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

    // Call before the first ask. Borrowed like the ports.
    void add_channel(Channel& channel) { presenter_.add_channel(channel); }
    // Call before the first ask: what the log knows of earlier processes.
    void remember_earlier(const std::vector<Ulid>& ids) { ended_.remember_used(ids); }
    void remember_ended(const std::vector<EndedRequest>& ended);  // oldest first
    void remember_halts(const std::vector<Halt>& halts) { orders_.remember(halts); }
    // Call after adding the channels: each of these messages is edited to show how its request ended (I12).
    void conclude_earlier(const std::vector<EarlierMessage>& messages) { presenter_.conclude_earlier(messages); }
    // Call after adding the channels and before the first ask: requests that were open and may be submitted again.
    void await_orphans(std::vector<Orphan> orphans) { orphans_.await(std::move(orphans)); }

    void expect() override { context_.ports.ledger.expect(); }
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) override;
    void order(Order order, std::function<void(const Result<Carried>&)> done) override;
    void refused(const RefusedAttempt& attempt, const Error& why) override { refusals_.note(attempt, why); }
    // Call before the first ask. The handler gets a line for the operator about each refusal that gets a record.
    void on_refused(std::function<void(const std::string& line)> handler) { refusals_.on_line(std::move(handler)); }

    // For runtimes, to submit requests.
    [[nodiscard]] Asking& asking() { return intake_; }
    // For channels: to report what became of their messages, to look up open requests, and to keep drafts.
    [[nodiscard]] Deliveries& deliveries() { return presenter_; }
    [[nodiscard]] const Queries& queries() const { return queries_; }
    [[nodiscard]] Drafts& drafts() { return drafts_; }

    // Replaces the configuration. The new deciders, roles and routes apply at once, also to pending requests. A request
    // whose route no longer exists ends as undeliverable.
    void reconfigure(std::shared_ptr<const Configuration> configuration);

    using Event = Listeners::Event;
    using Subscription = Listeners::Subscription;
    struct Subscribed {
        std::vector<std::shared_ptr<const Request>> pending;  // oldest first
        Subscription subscription;
    };
    // Takes the snapshot and subscribes in one step, so that no request is missing and none is reported twice.
    [[nodiscard]] Result<Subscribed> subscribe(Listeners::Listener listener);

    [[nodiscard]] boost::asio::any_io_executor executor() const { return context_.executor; }
    [[nodiscard]] std::size_t pending() const { return context_.pending.size(); }
    [[nodiscard]] std::size_t orphans() const { return orphans_.size(); }
    [[nodiscard]] const GrantBook& grants() const { return grants_.book(); }
    [[nodiscard]] const Halts& halts() const { return orders_.halts(); }
    // For metrics and `countersign outbox`.
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] const DeadLetters& dead_letters() const { return presenter_.dead_letters(); }

    // Writes a record that isn't about a request, e.g. the configuration. Doesn't wait; `lost` is called with the error
    // if a healthy ledger didn't take the record.
    void record(LogEntry entry, std::function<void(const Error&)> lost) {
        context_.notes.write(std::move(entry), std::move(lost));
    }

    // Posts a message in a chat that asks nothing. `done` is called once with the message's place, or with the error:
    // Errc::busy past announcements_max, too_large, undeliverable. It may be called inside this call, and any time
    // until the channel has stopped.
    void announce(const std::string& channel, Announcement announcement,
                  std::function<void(const Result<MessageRef>&)> done) {
        presenter_.announce(channel, std::move(announcement), std::move(done));
    }

    // Ends everything that is open as lost, except requests whose agent runs in another process: that agent submits
    // them to the next hub. Refuses new requests. Resolves when every decide has finished and every agent has its
    // answer, or didn't take it within agents_at_stop_max. Close the ledger only after that.
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
    Counts counts_;  // the totals that no other part keeps
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
