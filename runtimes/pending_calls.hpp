// SPDX-License-Identifier: Apache-2.0
// PendingCalls: the calls of one agent that wait for an answer, found by the agent's id and, once the hub has been
// asked, by ours. Each is answered or withdrawn exactly once. Entirely passive; the hub bounds the open calls, AskTasks
// those not asked yet.
#pragma once

#include "core/ulid.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::runtimes {

// `Raw`: the native side of a call, which never leaves its adapter (I6).
template <class Raw> class PendingCalls {
public:
    struct Call {
        std::string native_id;
        Raw raw;                      // complete once the call is open
        std::optional<Ulid> id = {};  // empty: the hub has not been asked yet
        bool withdrawn = false;
    };
    using Handle = std::shared_ptr<Call>;

    // Call it as soon as the line is read, so that a later withdrawal finds the call.
    Handle begin(std::string native_id, Raw raw = {}) {
        calls_.push_back(std::make_shared<Call>(Call{.native_id = std::move(native_id), .raw = std::move(raw)}));
        return calls_.back();
    }
    // Call it just before asking the hub: from here on the call can be answered. If another call is already open under
    // this id, that one stays the one to answer and the new one is closed.
    void open(const Handle& call, const Ulid& id, Raw raw) {
        if (find(id)) {
            close(call);
            return;
        }
        call->id = id;
        call->raw = std::move(raw);
    }
    // Null unless the call is open: it may be unknown, answered or withdrawn.
    [[nodiscard]] Handle find(const Ulid& id) const {
        return first([&](const Call& call) { return call.id == id && !call.withdrawn; });
    }
    // Whether a call with this native id waits for its answer.
    [[nodiscard]] bool has(const std::string& native_id) const {
        return first([&](const Call& call) { return call.native_id == native_id && !call.withdrawn; }) != nullptr;
    }
    // The call was answered, or never will be. False if it was closed before.
    bool close(const Handle& call) { return std::erase(calls_, call) > 0; }
    // Withdraws the calls with this native id, which must not be answered any more. A call without an id stays until it
    // is closed.
    std::vector<Handle> withdraw(const std::string& native_id) {
        return withdraw_if([&](const Call& call) { return call.native_id == native_id; });
    }
    // The same for the calls whose native side meets a condition.
    template <class Condition> std::vector<Handle> withdraw_where(Condition holds) {
        return withdraw_if([&](const Call& call) { return holds(call.raw); });
    }
    [[nodiscard]] bool empty() const { return calls_.empty(); }

private:
    template <class Condition> std::vector<Handle> withdraw_if(Condition holds) {
        std::vector<Handle> withdrawn;
        for (const auto& call : calls_) {
            if (holds(*call) && !std::exchange(call->withdrawn, true)) withdrawn.push_back(call);
        }
        return withdrawn;
    }
    template <class Condition> [[nodiscard]] Handle first(Condition holds) const {
        const auto found = std::ranges::find_if(calls_, [&](const Handle& call) { return holds(*call); });
        return found == calls_.end() ? nullptr : *found;
    }

    std::vector<Handle> calls_;
};

}  // namespace countersign::runtimes
