// SPDX-License-Identifier: Apache-2.0
// ConnectionCount: limits the connections, in total and per client.
//
// At the limit a new connection is not refused. Instead the oldest connection without an authentic request is closed,
// from the client with the most of those. So slow attackers take places from each other, not from the platform.
#pragma once

#include "gateway/client_address.hpp"

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>

namespace countersign::gateway {

// How many connections to allow so that the rest of the program has enough descriptors: an attacker who holds
// connections open must not keep the log from opening its next file. At least one, so that an operator can still read
// what is wrong.
[[nodiscard]] std::size_t connections_within(std::size_t wanted, std::size_t descriptors);

class ConnectionCount {
    struct Held {
        std::size_t all = 0;
        std::size_t unverified = 0;
    };
    using Clients = std::map<ClientAddress, Held>;

public:
    ConnectionCount(std::size_t max, std::size_t per_client_max) : max_{max}, per_client_max_{per_client_max} {}

    // The place of one connection, from admission until it ends or is evicted. The count must outlive every ticket.
    class Ticket {
    public:
        Ticket(ConnectionCount& count, const std::optional<ClientAddress>& client);
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        ~Ticket() { release(); }

        // Called once when the connection is evicted. The callback must close the socket and must not destroy the
        // ticket.
        void on_eviction(std::function<void()> close) { close_ = std::move(close); }
        [[nodiscard]] bool evicted() const { return count_ == nullptr; }

        // Sets the client that a proxy's connection now serves, or none between two requests. The connection is
        // unverified again. False if that client has all its connections and none of them can be evicted.
        [[nodiscard]] bool serve(const std::optional<ClientAddress>& client);
        // The client sent an authentic request, so its connection keeps its place.
        void verify();
        // A connection is not evicted while a handler works on its request.
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
        std::optional<Clients::iterator> client_;  // empty: it serves no client
        bool verified_ = false;
        bool answering_ = false;
        std::function<void()> close_;
    };

    // `client` is empty for a configured proxy, which has no limit of its own. Null if a limit is reached and no
    // connection can be evicted.
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
    std::list<Ticket*> tickets_;  // oldest first
};

}  // namespace countersign::gateway
