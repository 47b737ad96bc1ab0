// SPDX-License-Identifier: Apache-2.0
#include "gateway/connection_count.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::gateway {

std::size_t connections_within(std::size_t wanted, std::size_t descriptors) {
    if (descriptors <= limits::descriptors_reserved) return 1;
    return std::min(wanted, descriptors - limits::descriptors_reserved);
}

ConnectionCount::Ticket::Ticket(ConnectionCount& count, const Client& client)
    : count_{&count}, place_{count.clients_.try_emplace(client, 0).first} {
    ++place_->second;
    ++count.total_;
}

ConnectionCount::Ticket::~Ticket() {
    if (count_ == nullptr) return;
    --count_->total_;
    if (--place_->second == 0) count_->clients_.erase(place_);
}

ConnectionCount::Ticket ConnectionCount::admit(const Client& client) {
    const auto found = clients_.find(client);
    const bool full = total_ >= max_ || (found != clients_.end() && found->second >= per_client_max_);
    if (!full) return {*this, client};
    ++refused_;
    return {};
}

}  // namespace countersign::gateway
