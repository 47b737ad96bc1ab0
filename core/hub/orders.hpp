// SPDX-License-Identifier: Apache-2.0
// Orders: commands that aren't about a single request: halt an agent or a session, resume it, revoke a grant. Each
// passes the same gate as a decision and is on disk before it is reported as done (docs/adr/0015).
#pragma once

#include "core/halts.hpp"
#include "core/hub/askers.hpp"
#include "core/hub/context.hpp"
#include "core/hub/decision.hpp"
#include "core/hub/flow.hpp"
#include "core/hub/gate.hpp"
#include "core/hub/grants.hpp"
#include "core/hub/halt_records.hpp"
#include "core/hub/orphans.hpp"
#include "core/hub/refusals.hpp"
#include "core/order.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace countersign {

class Orders {
public:
    // Borrowed: they outlive every task of the group.
    struct Borrowed {
        HubContext& context;
        const Gate& gate;
        Flow& flow;
        Refusals& refusals;
        Grants& grants;
        Orphans& orphans;
        const Askers& askers;
    };
    explicit Orders(Borrowed borrowed);

    // Call before the first ask: who was halted when the last process ended.
    void remember(const std::vector<Halt>& halts);
    void carry_out(Order order, std::function<void(const Result<Carried>&)> done);
    // Stops retrying the records of halts; write_waiting tries each once more.
    void stop() { records_.stop(); }
    boost::asio::awaitable<void> write_waiting() { return records_.write_waiting(); }

    [[nodiscard]] const Halts& halts() const { return halts_; }
    [[nodiscard]] const Halt* halt_of(const Request& request) const { return halts_.of(asker_of(request)); }
    // Also checked for attempts that skip the gate: a grant's answer, or one to a shared card, may have started before
    // the halt.
    [[nodiscard]] std::optional<Error> halt_against(const Decision& decision, const Request& request) const;
    // The attempt with which a halt refuses a request of the halted agent.
    [[nodiscard]] static Attempt refusal_by(const Halt& halt, const Pending& open);

private:
    struct Permitted {
        std::vector<Asker> whom;  // the ones that the person may order about
        Permit permit;
        Error why;  // if there is none
    };
    boost::asio::awaitable<void> run(Order order, std::function<void(const Result<Carried>&)> done);
    boost::asio::awaitable<Result<Carried>> halt(Order order);
    boost::asio::awaitable<Result<Carried>> resume(Order order);
    boost::asio::awaitable<Result<Carried>> revoke(Order order);
    [[nodiscard]] std::set<Asker> named(const std::string& target) const;
    [[nodiscard]] Result<void> check_room_for(const std::vector<Asker>& whom, const Order& order) const;
    [[nodiscard]] Permitted permitted(const Order& order, const std::set<Asker>& meant) const;
    boost::asio::awaitable<void> deny_open_of(std::vector<Asker> whom, Order order, Permit permit,
                                              std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> deny(Attempt attempt, Permit permit, std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> end_orphan(Ulid orphan, Winner winner, std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> interrupt_turns_of(std::vector<Asker> whom, std::string why,
                                                    std::shared_ptr<Carried> carried);
    boost::asio::awaitable<void> interrupt(RuntimeId runtime, Asker who, std::string why,
                                           std::shared_ptr<Carried> carried,
                                           std::shared_ptr<boost::asio::steady_timer> changed);
    boost::asio::awaitable<void> wake_at(BootTime when, std::shared_ptr<boost::asio::steady_timer> timer);
    Error refuse(const Order& order, Error why);

    Borrowed borrowed_;
    HubContext& context_;
    Halts halts_;
    std::set<Asker> resuming_;  // whose resume record is being written
    HaltRecords records_;
};

}  // namespace countersign
