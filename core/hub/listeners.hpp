// SPDX-License-Identifier: Apache-2.0
// Listeners: receive an event for every request. Events arrive in order, on the owner thread. A listener must not
// block, and may unsubscribe while it handles an event.
#pragma once

#include "core/ports/channel.hpp"
#include "core/quorum.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace countersign {

class Listeners {
public:
    struct Event {
        enum class Kind { requested, voted, ended } kind = Kind::requested;
        std::shared_ptr<const Request> request;
        std::vector<Vote> votes;
        std::optional<Conclusion> conclusion;  // for ended
    };
    using Listener = std::function<void(const Event&)>;

    // The listener gets events as long as this lives. It may outlive the Listeners object.
    class Subscription {
    public:
        Subscription() = default;
        Subscription(Subscription&& other) noexcept;
        Subscription& operator=(Subscription&& other) noexcept;
        ~Subscription();

    private:
        friend class Listeners;
        std::weak_ptr<std::map<std::uint64_t, Listener>> listeners_;
        std::uint64_t id_ = 0;
    };

    // Errc::busy past listeners_max.
    [[nodiscard]] Result<Subscription> add(Listener listener);
    void tell(const Event& event) const;

private:
    std::shared_ptr<std::map<std::uint64_t, Listener>> listeners_ =
        std::make_shared<std::map<std::uint64_t, Listener>>();
    std::uint64_t last_ = 0;
};

}  // namespace countersign
