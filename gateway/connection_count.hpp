// SPDX-License-Identifier: Apache-2.0
// ConnectionCount: how many connections there may be, in all and from one client.
//
// A full house doesn't turn a newcomer away: it closes the oldest connection that has not brought an authentic request,
// of the client that has the most of those. Slow strangers then cost each other their places, not the platform its own.
#pragma once

#include "gateway/client_address.hpp"

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>

namespace countersign::gateway {

// How many connections leave the rest of the program descriptors enough: a stranger who holds connections open must not
// keep the log from opening its next file. At least one, so that an operator still hears what is wrong.
[[nodiscard]] std::size_t connections_within(std::size_t wanted, std::size_t descriptors);

class ConnectionCount {
    struct Held {
        std::size_t all = 0;
        std::size_t unverified = 0;
    };
    using Clients = std::map<ClientAddress, Held>;

public:
    ConnectionCount(std::size_t max, std::size_t per_client_max) : max_{max}, per_client_max_{per_client_max} {}

    // The place of one connection, from its admission until it ends or is evicted. The count outlives every ticket.
    class Ticket {
    public:
        Ticket(ConnectionCount& count, const std::optional<ClientAddress>& client);
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        ~Ticket() { release(); }

        // Called once, when the connection loses its place. It must close its socket and must not destroy the ticket.
        void on_eviction(std::function<void()> close) { close_ = std::move(close); }
        [[nodiscard]] bool evicted() const { return count_ == nullptr; }

        // The client that a proxy's connection serves from now on; nothing between two requests. It is unverified
        // again. False: that client has its share of connections, and none of them can be evicted.
        [[nodiscard]] bool serve(const std::optional<ClientAddress>& client);
        // This client has sent an authentic request. Its connection keeps its place.
        void verify();
        // A connection isn't evicted while a handler works on its request.
        void set_answering(bool answering) { answering_ = answering; }

    private:
        friend class ConnectionCount;
        void join(const std::optional<ClientAddress>& client);
        void leave();
        void release();
        [[nodiscard]] bool is_evictable() const { return !verified_ && !answering_; }
        [[nodiscard]] std::size_t unverified_of_client() const;

        ConnectionCount* count_;
        std::list<Ticket*>::iterator position_;
        std::optional<Clients::iterator> client_;  // nothing: it serves no client
        bool verified_ = false;
        bool answering_ = false;
        std::function<void()> close_;
    };

    // Nothing: a named proxy, which has no share of its own. Null when a bound is reached and no connection can be
    // evicted.
    [[nodiscard]] std::unique_ptr<Ticket> admit(const std::optional<ClientAddress>& client);
    [[nodiscard]] std::size_t total() const { return tickets_.size(); }
    [[nodiscard]] std::size_t refused() const { return refused_; }
    [[nodiscard]] std::size_t evicted() const { return evicted_; }

private:
    [[nodiscard]] bool has_room_for(const std::optional<ClientAddress>& client);
    bool evict_one(const std::optional<Clients::iterator>& of);

    std::size_t max_;
    std::size_t per_client_max_;
    std::size_t refused_ = 0;
    std::size_t evicted_ = 0;
    Clients clients_;
    std::list<Ticket*> tickets_;  // the oldest first
};

}  // namespace countersign::gateway
