// SPDX-License-Identifier: Apache-2.0
// ConnectionCount: how many connections there may be, in all and from one client.
#pragma once

#include "gateway/client.hpp"

#include <cstddef>
#include <map>

namespace countersign::gateway {

// How many connections leave the rest of the program descriptors enough: a stranger who holds connections open must not
// keep the log from opening its next file. At least one, so that an operator still hears what is wrong.
[[nodiscard]] std::size_t connections_within(std::size_t wanted, std::size_t descriptors);

class ConnectionCount {
public:
    ConnectionCount(std::size_t max, std::size_t per_client_max) : max_{max}, per_client_max_{per_client_max} {}

    // Counted while the ticket lives. The count outlives every ticket.
    class Ticket {
    public:
        Ticket() = default;
        Ticket(ConnectionCount& count, const Client& client);
        Ticket(Ticket&& other) noexcept : count_{other.count_}, place_{other.place_} { other.count_ = nullptr; }
        Ticket& operator=(Ticket&&) = delete;
        ~Ticket();
        explicit operator bool() const { return count_ != nullptr; }

    private:
        ConnectionCount* count_ = nullptr;
        std::map<Client, std::size_t>::iterator place_;
    };

    // An empty ticket when one of the bounds is reached.
    [[nodiscard]] Ticket admit(const Client& client);
    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t refused() const { return refused_; }

private:
    std::size_t max_;
    std::size_t per_client_max_;
    std::size_t total_ = 0;
    std::size_t refused_ = 0;
    std::map<Client, std::size_t> clients_;
};

}  // namespace countersign::gateway
