// SPDX-License-Identifier: Apache-2.0
// PendingCalls: the calls of one agent that wait for an answer, by the agent's name for them and, once the hub has been
// asked, by ours. Each is answered or withdrawn, once. Entirely passive; the hub bounds how many are open, AskTasks how
// many are on their way there.
#pragma once

#include "core/ulid.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::runtimes {

// `Raw`: the native side of a call, which stays in its adapter (I6).
template <class Raw> class PendingCalls {
public:
    struct Call {
        std::string native_id;
        Raw raw;                      // whole once it is open
        std::optional<Ulid> id = {};  // nothing: the hub was not asked yet
        bool withdrawn = false;
    };
    using Handle = std::shared_ptr<Call>;

    // As soon as its line is read, so that a withdrawal that follows finds it.
    Handle begin(std::string native_id, Raw raw = {}) {
        calls_.push_back(std::make_shared<Call>(Call{.native_id = std::move(native_id), .raw = std::move(raw)}));
        return calls_.back();
    }
    // Just before the hub is asked: from here on it can be answered. A call that is open under this id already stays
    // the one that is answered; then the new one is closed.
    void open(const Handle& call, const Ulid& id, Raw raw) {
        if (find(id)) {
            close(call);
            return;
        }
        call->id = id;
        call->raw = std::move(raw);
    }
    // Null if it is not open: never asked, answered, or withdrawn.
    [[nodiscard]] Handle find(const Ulid& id) const {
        return first([&](const Call& call) { return call.id == id && !call.withdrawn; });
    }
    // A call of this name waits for its answer.
    [[nodiscard]] bool has(const std::string& native_id) const {
        return first([&](const Call& call) { return call.native_id == native_id && !call.withdrawn; }) != nullptr;
    }
    // It is answered, or never will be. False if it was closed before.
    bool close(const Handle& call) { return std::erase(calls_, call) > 0; }
    // The calls of this name, which are not answered any more. One that has no id yet stays until it is closed.
    std::vector<Handle> withdraw(const std::string& native_id) {
        std::vector<Handle> withdrawn;
        for (const auto& call : calls_) {
            if (call->native_id == native_id && !std::exchange(call->withdrawn, true)) withdrawn.push_back(call);
        }
        return withdrawn;
    }
    [[nodiscard]] bool empty() const { return calls_.empty(); }

private:
    template <class Condition> [[nodiscard]] Handle first(Condition holds) const {
        const auto found = std::ranges::find_if(calls_, [&](const Handle& call) { return holds(*call); });
        return found == calls_.end() ? nullptr : *found;
    }

    std::vector<Handle> calls_;
};

}  // namespace countersign::runtimes
