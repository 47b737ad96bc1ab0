// SPDX-License-Identifier: Apache-2.0
// Hub: carries one question from an agent to people, and one answer back. All state lives here, on one thread.
//
// It knows channels and runtimes only as ports. `decide` is the product in one function: authorise, settle on disk,
// forward; every way in ends in it. Its tasks run in the hub's own group, which no caller can cancel.
#pragma once

#include "core/configuration.hpp"
#include "core/grant.hpp"
#include "core/halts.hpp"
#include "core/hub/alarm.hpp"
#include "core/hub/ask_rate.hpp"
#include "core/hub/askers.hpp"
#include "core/hub/counts.hpp"
#include "core/hub/dead_letters.hpp"
#include "core/hub/decision.hpp"
#include "core/hub/fatigue.hpp"
#include "core/hub/halt_records.hpp"
#include "core/hub/listeners.hpp"
#include "core/hub/notes.hpp"
#include "core/hub/pending.hpp"
#include "core/hub/records.hpp"
#include "core/hub/session_threads.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/authoriser.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/earlier.hpp"
#include "core/ports/ids.hpp"
#include "core/ports/ledger.hpp"
#include "core/ports/open_requests.hpp"
#include "core/ports/runtime.hpp"
#include "core/ports/text_guard.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace countersign {

class Hub final : public Asking, public Attempts, public Deliveries, public OpenRequests {
public:
    // Borrowed: main owns them, and they outlive every task of the hub.
    struct Ports {
        Ledger& ledger;
        Clock& clock;
        Ids& ids;
        const Authoriser& authoriser;
        const TextGuard& guard;
    };
    Hub(boost::asio::any_io_executor executor, Ports ports, std::shared_ptr<const Configuration> configuration,
        std::function<void(const std::string&)> stray);

    // Before the first ask; borrowed like the ports.
    void add_channel(Channel& channel);
    // Before the first ask: ids that the log already knows. An id is decided once, also across a restart (I15).
    void remember_earlier(const std::vector<Ulid>& ids) { earlier_.insert(ids.begin(), ids.end()); }
    // Before the first ask, oldest first: how the latest of them ended.
    void remember_ended(const std::vector<EndedRequest>& ended);

    // Before the first ask: who was halted when the last process ended. A crash lets nobody go on.
    void remember_halts(const std::vector<Halt>& halts);

    // After the channels are added: each of these messages is told how its request ended (I12).
    void conclude_earlier(const std::vector<EarlierMessage>& messages);
    // After the channels are added and before the first ask: what was open, and may be shown again. What is not within
    // orphan_wait_max ends as lost; so does at once what is past orphans_max.
    void await_orphans(std::vector<Orphan> orphans);

    boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override;
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override;
    void gone(Runtime& from, std::string why) override;
    void session_ended(const Runtime& from, std::string failure) override;
    void unreadable(const std::string& agent_id, const Error& why) override;
    void unasked(const UnaskedCall& call) override;

    void expect() override { ports_.ledger.expect(); }
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) override;
    void order(Order order, std::function<void(const Result<Carried>&)> done) override;
    void refused(const RefusedAttempt& attempt, const Error& why) override;
    // Before the first ask: a line for the operator about each refusal that gets a record.
    void on_refused(std::function<void(const std::string& line)> handler) { on_refused_ = std::move(handler); }

    void delivered(DeliveryId id, MessageRef ref, bool whole) override;
    void undeliverable(DeliveryId id, std::string why) override;
    void delayed(DeliveryId id, std::string why) override;
    void given_up(DeadLetter letter) override;
    void also_delivered(DeliveryId id, MessageRef ref) override;
    void concluded(DeliveryId id) override;

    [[nodiscard]] std::optional<OpenRequest> open_request(const Ulid& id) const override;
    [[nodiscard]] std::vector<OpenRequest> open_requests() const override;
    [[nodiscard]] std::vector<OpenRequest> open_requests_for(const std::string& principal) const override;
    [[nodiscard]] std::vector<Halt> halts_for(const std::string& principal) const override;
    [[nodiscard]] std::vector<Grant> grants_for(const std::string& principal) const override;
    [[nodiscard]] std::optional<Winner> ended(const Ulid& id) const override;
    // Since when a request is open, and the channels that have its card. Nothing if it is not open.
    struct Standing {
        BootTime asked;
        std::vector<std::string> shown_on;
    };
    [[nodiscard]] std::optional<Standing> standing_of(const Ulid& id) const;

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

    [[nodiscard]] boost::asio::any_io_executor executor() const { return executor_; }
    [[nodiscard]] std::size_t pending() const { return pending_.size(); }
    [[nodiscard]] std::size_t orphans() const { return orphans_.size(); }
    [[nodiscard]] const GrantBook& grants() const { return grants_; }
    [[nodiscard]] const Halts& halts() const { return halts_; }
    // For metrics and `countersign outbox`.
    [[nodiscard]] const Counts& counts() const { return counts_; }
    [[nodiscard]] const DeadLetters& dead_letters() const { return dead_letters_; }

    // Writes a record that is about no request, such as the configuration. Nobody waits for it; `lost` hears why, if a
    // ledger that is healthy did not take it.
    void record(Entry entry, std::function<void(const Error&)> lost) {
        notes_.write(std::move(entry), std::move(lost));
    }

    // Says something in a chat that asks nothing. `done` hears once where it stands, or why it does not: Errc::busy
    // past announcements_max, too_large, undeliverable. It may come inside this call, and until the channel has
    // stopped.
    void announce(const std::string& channel, Announcement announcement,
                  std::function<void(const Result<MessageRef>&)> done);

    // Ends everything that is open as lost, but for what an agent of another process waits for: that one shows it again
    // to the next hub. Refuses what comes, and resolves when every decide has finished. The ledger may be closed after
    // it, not before.
    boost::asio::awaitable<void> stop();

private:
    struct Concluding {
        Ulid request;
        std::vector<MessageRef> refs;
    };
    struct Concluded {
        std::string agent_id;
        std::string args_hash;
        Winner winner;
    };

    // hub.cpp: the flow.
    boost::asio::awaitable<Result<Receipt>> decide(Attempt attempt, std::optional<Permit> automatic);
    boost::asio::awaitable<Result<Receipt>> vote(Attempt attempt, Permit permit, Tally tally);
    boost::asio::awaitable<Settled> settle(Ulid id, Winner winner, Entry terminal);
    boost::asio::awaitable<bool> forward_unless_withdrawn(Ulid id, Verdict verdict, std::uint64_t seq);
    boost::asio::awaitable<void> end(Ulid id, Outcome outcome, std::string reason);
    boost::asio::awaitable<void> not_ended(Ulid id, Outcome outcome, std::string reason);
    boost::asio::awaitable<void> end_unlogged(Ulid id);
    boost::asio::awaitable<Error> not_settled(Attempt attempt, Error failure);
    // Its scope, or once if there is none.
    boost::asio::awaitable<Scope> mint_grant(std::shared_ptr<const Request> request, Decision decision);
    boost::asio::awaitable<void> own_turn(Ulid id);
    void settled_on_disk(const Ulid& id);
    [[nodiscard]] Result<Permit> permitted(const Attempt& attempt, const Pending& open) const;
    [[nodiscard]] bool is_late(const std::optional<WallTime>& made, bool after_gap) const;
    [[nodiscard]] Result<Tally> counted(const Attempt& attempt, const Permit& permit, const Pending& open) const;
    [[nodiscard]] CardState state_of(const Pending& open) const;
    [[nodiscard]] std::vector<Vote> standing_votes(const Pending& open) const;
    [[nodiscard]] std::string unfinished(const Pending& open) const;
    [[nodiscard]] Decision decision_of(Attempt attempt, const Permit& permit, const Tally& tally,
                                       const Pending& open) const;
    [[nodiscard]] std::string unlogged_because() const;
    [[nodiscard]] Verdict verdict_of(const Request& request, const Decision& decision) const;
    [[nodiscard]] Conclusion conclusion_of(const Decision& decision, const Receipt& receipt, bool forwarded) const;

    // asking.cpp: how a request gets in.
    Pending* find(const Ulid& id);
    Pending take_out(const Ulid& id);  // precondition: it is pending
    [[nodiscard]] Result<bool> asked_before(const Request& request) const;
    [[nodiscard]] Result<const Route*> way_to_people(const Request& request) const;
    [[nodiscard]] Pending begun(Request request, Runtime& from, const records::RouteInForce& route);
    [[nodiscard]] Offered offer_of(const std::shared_ptr<const Request>& request);
    void set_going(Pending& open);
    // Why a request does not become open, and what its agent hears.
    struct Obstacle {
        Outcome outcome;
        Error why;
        std::string by = {};        // who refused it
        bool is_over_rate = false;  // its agent asks too much: one record a minute says so
    };
    [[nodiscard]] std::optional<Obstacle> obstacle_to(const Request& request) const;
    boost::asio::awaitable<Result<Ulid>> turn_away(Request request, Runtime& from, Obstacle obstacle);
    boost::asio::awaitable<Result<Ulid>> refuse_halted(Ulid id, Halt halt);
    [[nodiscard]] std::optional<std::pair<Attempt, Permit>> automatic_answer(const Request& request);
    void show_to_people(Pending& open);
    boost::asio::awaitable<void> decide_automatically(Attempt attempt, Permit permit);
    void set_alarm(Pending& open);
    boost::asio::awaitable<void> moment_came(Ulid id);
    [[nodiscard]] std::optional<BootTime> next_moment(const Pending& open) const;

    // reminding.cpp: while nobody answers, and when nobody waits any more.
    [[nodiscard]] std::optional<BootTime> reminder_due(const Pending& open) const;
    void remind_if_due(Pending& open);

    // sharing.cpp: what has no card of its own.
    void give_to_people(Pending& open);
    [[nodiscard]] static Asker line_of(const Pending& open);
    [[nodiscard]] Pending* same_call_as(const Pending& open);
    [[nodiscard]] Pending* same_call_in(const Asker& line, const Pending& open);
    void share_card(Pending& shown, Pending& open);
    boost::asio::awaitable<void> show_shared(Ulid shared, Ulid with, std::uint32_t generation);
    void wait_behind(Pending& shown, Pending& open);
    void answer_others(const Decision& decision, bool by_a_person);
    boost::asio::awaitable<void> decide_along(Attempt attempt, std::optional<Permit> permit);
    void show_next(const Pending& ended);
    void show_state(const Pending& open, std::optional<std::uint32_t> generation = std::nullopt);

    // halting.cpp: what is about no single request.
    struct Ordered {
        std::vector<Asker> whom;  // of those that were meant, whom the person may order about
        Permit permit;
        Error why;  // where there is none
    };
    boost::asio::awaitable<void> carry_out(Order order, std::function<void(const Result<Carried>&)> done);
    boost::asio::awaitable<Result<Carried>> halt(Order order);
    boost::asio::awaitable<Result<Carried>> resume(Order order);
    boost::asio::awaitable<Result<Carried>> revoke(Order order);
    void end_session_grants(Runtime& from);
    std::vector<Grant> revoke_grants_of(const std::vector<Asker>& whom);
    boost::asio::awaitable<void> record_revoked(std::vector<Grant> grants, Order order, std::string person);
    [[nodiscard]] std::set<Asker> named(const std::string& target) const;
    [[nodiscard]] Ordered permitted(const Order& order, const std::set<Asker>& meant) const;
    [[nodiscard]] Result<Permit> permitted(const Order& order, const Asker& about) const;
    [[nodiscard]] bool may_order_about(const std::string& principal, const Asker& about) const;
    boost::asio::awaitable<void> deny_open_of(std::vector<Asker> whom, Order order, Permit permit,
                                              std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> interrupt_turns_of(std::vector<Asker> whom, std::string why,
                                                    std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> end_halted(Ulid orphan, Winner winner, std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> deny_halted(Attempt attempt, Permit permit, std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> interrupt(Runtime* runtime, std::string why, std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> together(std::vector<boost::asio::awaitable<void>> tasks);
    [[nodiscard]] const Halt* halt_of(const Request& request) const;
    [[nodiscard]] std::optional<Error> halt_against(const Decision& decision, const Request& request) const;
    [[nodiscard]] static Attempt refusal_by(const Halt& halt, const Pending& open);
    Error refuse(const Order& order, Error why);

    // resuming.cpp: what a restart left open (I12).
    [[nodiscard]] Result<bool> is_orphan(const Request& request) const;
    [[nodiscard]] std::optional<Orphan> take_orphan(const Ulid& id);
    [[nodiscard]] Pending resumed(Pending fresh, const Orphan& orphan) const;
    void take_over(const Ulid& id, Runtime& from);
    boost::asio::awaitable<void> lose_orphans();
    void expire_orphans();
    [[nodiscard]] std::optional<BootTime> deadline_of(const Orphan& orphan) const;
    [[nodiscard]] bool is_overdue(const Orphan& orphan) const;
    boost::asio::awaitable<void> end_orphan(Ulid id, Winner winner, std::string reason);
    void tell_orphan_waits(const Orphan& orphan);
    void tell_goes_on(Pending& open);
    void conclude_earlier(const std::vector<MessageRef>& refs, const Conclusion& conclusion);

    // presenting.cpp: what people see.
    struct FoundDelivery {
        Pending* open = nullptr;
        Delivery* delivery = nullptr;
    };
    boost::asio::awaitable<void> answer(Attempt attempt, std::function<void(const Result<Receipt>&)> done);
    void present_due_steps(Pending& open);
    boost::asio::awaitable<void> present_again(Ulid id, Place where, Errc why);
    boost::asio::awaitable<bool> record_generation(Ulid id, std::uint32_t generation, Entry entry);
    void present(Pending& open, const Step& step);
    void present(Pending& open, const std::string& channel, const std::vector<Recipient>& recipients);
    [[nodiscard]] Audience audience_for(const Pending& open, const std::string& channel, const Recipient& to) const;
    [[nodiscard]] FoundDelivery find_delivery(DeliveryId id);
    void conclude(const Ulid& id, const Conclusion& conclusion);
    [[nodiscard]] std::string answered(const Decision& decision) const;
    void await_conclusion(DeliveryId id, Concluding concluding);
    void bury(DeadLetter letter);
    [[nodiscard]] bool announced(DeliveryId id, const Result<MessageRef>& result);  // false: it was no announcement
    void remember(const Ulid& id, Concluded concluded);
    [[nodiscard]] Error unknown_or_ended(const Ulid& id) const;
    [[nodiscard]] Error already_decided(const Winner& winner) const;
    Error refuse(const Attempt& attempt, Error why);
    void note_refused(const std::string& principal, const std::function<Entry(std::uint64_t left_out)>& make);

    void note(Entry entry) { notes_.write(std::move(entry)); }

    Ports ports_;
    std::shared_ptr<const Configuration> configuration_;
    boost::asio::any_io_executor executor_;
    TaskGroup tasks_;
    Notes notes_{tasks_, ports_.ledger, ports_.clock};
    Alarm alarm_{tasks_, ports_.clock, [this](Ulid id) { return moment_came(id); }};  // escalation and expiry
    std::map<std::string, Channel*> channels_;
    std::map<Ulid, Pending> pending_;  // by id, which is by age
    std::unordered_map<std::string, std::size_t> pending_of_agent_;
    std::map<std::string, Offered> last_offer_;  // by runtime; the next request mostly offers the same
    AskRate ask_rate_;
    Askers askers_;
    Halts halts_;
    std::set<Asker> resuming_;  // whose resume is being written
    HaltRecords halt_records_{{tasks_, ports_.ledger, ports_.clock, halts_, resuming_}};
    // Of each session that has a name, and of each agent that was refused too often: what has a card, and what waits
    // behind the last of those, oldest first.
    struct Session {
        std::vector<Ulid> shown;
        std::deque<Ulid> waiting;
    };
    std::map<Asker, Session> sessions_;
    SessionThreads threads_;
    Fatigue fatigue_;
    std::unordered_map<DeliveryId, Ulid> delivery_of_;
    std::map<DeliveryId, Concluding> concluding_;
    struct Announcing {
        std::string channel;
        std::string chat;
        std::function<void(const Result<MessageRef>&)> done;
    };
    std::map<DeliveryId, Announcing> announcing_;
    DeliveryId last_delivery_ = 0;
    std::unordered_map<Ulid, Concluded> concluded_;
    std::deque<Ulid> concluded_order_;
    GrantBook grants_;
    std::size_t minting_ = 0;  // grants whose records are being written
    Listeners listeners_;
    std::unordered_set<Ulid> earlier_;  // ids that were used before the start
    struct Waiting {
        Orphan orphan;
        std::optional<Winner> ending = std::nullopt;  // its terminal record is being written
    };
    std::map<Ulid, Waiting> orphans_;
    TaskGroup::Handle losing_orphans_;
    DeadLetters dead_letters_;
    Counts counts_;
    std::function<void(const std::string& line)> on_refused_;
    bool stopping_ = false;
};

}  // namespace countersign
