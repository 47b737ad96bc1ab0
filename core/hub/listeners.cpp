// SPDX-License-Identifier: Apache-2.0
#include "core/hub/listeners.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign {

Result<Listeners::Subscription> Listeners::add(Listener listener) {
    if (listeners_->size() >= limits::listeners_max) return Error{Errc::busy, "too many listeners"};
    Subscription subscription;
    subscription.listeners_ = listeners_;
    subscription.id_ = ++last_;
    listeners_->emplace(last_, std::move(listener));
    return subscription;
}

void Listeners::tell(const Event& event) const {
    const auto listeners = *listeners_;  // a copy, because a listener may unsubscribe during the call
    for (const auto& [id, listener] : listeners) listener(event);
}

Listeners::Subscription::Subscription(Subscription&& other) noexcept
    : listeners_{std::exchange(other.listeners_, {})}, id_{other.id_} {}

Listeners::Subscription& Listeners::Subscription::operator=(Subscription&& other) noexcept {
    std::swap(listeners_, other.listeners_);
    std::swap(id_, other.id_);
    return *this;
}

Listeners::Subscription::~Subscription() {
    if (const auto listeners = listeners_.lock()) listeners->erase(id_);
}

}  // namespace countersign
