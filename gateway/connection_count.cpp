// SPDX-License-Identifier: Apache-2.0
#include "gateway/connection_count.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::gateway {

std::size_t connections_within(std::size_t wanted, std::size_t descriptors) {
    if (descriptors <= limits::descriptors_reserved) return 1;
    return std::min(wanted, descriptors - limits::descriptors_reserved);
}

ConnectionCount::Ticket::Ticket(ConnectionCount& count, const std::optional<ClientAddress>& client)
    : count_{&count}, position_{count.tickets_.insert(count.tickets_.end(), this)} {
    join(client);
}

void ConnectionCount::Ticket::join(const std::optional<ClientAddress>& client) {
    verified_ = false;
    if (!client) return;
    client_ = count_->clients_.try_emplace(*client).first;
    ++(*client_)->second.all;
    ++(*client_)->second.unverified;
}

void ConnectionCount::Ticket::leave() {
    const auto left = std::exchange(client_, std::nullopt);
    if (!left) return;
    auto& held = (*left)->second;
    if (!verified_) --held.unverified;
    if (--held.all == 0) count_->clients_.erase(*left);
}

void ConnectionCount::Ticket::release() {
    if (evicted()) return;
    leave();
    count_->tickets_.erase(position_);
    count_ = nullptr;
}

bool ConnectionCount::Ticket::serve(const std::optional<ClientAddress>& client) {
    if (evicted()) return false;
    leave();
    if (!count_->has_room_for(client)) return false;
    join(client);
    return true;
}

void ConnectionCount::Ticket::verify() {
    if (client_ && !verified_) --(*client_)->second.unverified;
    verified_ = true;
}

std::size_t ConnectionCount::Ticket::unverified_of_client() const {
    return client_ ? (*client_)->second.unverified : 0;
}

std::unique_ptr<ConnectionCount::Ticket> ConnectionCount::admit(const std::optional<ClientAddress>& client) {
    if (has_room_for(client) && (total() < max_ || evict_one(std::nullopt))) {
        return std::make_unique<Ticket>(*this, client);
    }
    ++refused_;
    return nullptr;
}

bool ConnectionCount::has_room_for(const std::optional<ClientAddress>& client) {
    if (!client) return true;
    const auto found = clients_.find(*client);
    return found == clients_.end() || found->second.all < per_client_max_ || evict_one(found);
}

bool ConnectionCount::evict_one(const std::optional<Clients::iterator>& of) {
    Ticket* chosen = nullptr;
    for (auto* ticket : tickets_) {
        if (!ticket->is_evictable() || (of && ticket->client_ != of)) continue;
        if (chosen == nullptr || ticket->unverified_of_client() > chosen->unverified_of_client()) chosen = ticket;
    }
    if (chosen == nullptr) return false;
    ++evicted_;
    chosen->release();
    if (chosen->close_) chosen->close_();
    return true;
}

}  // namespace countersign::gateway
