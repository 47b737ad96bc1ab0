// SPDX-License-Identifier: Apache-2.0
// Health: reports whether the process is alive, and whether it can do its work. For the admin listener only, because
// the reasons are meant for the operator.
#pragma once

#include "core/ports/inbound.hpp"
#include "core/ports/readiness.hpp"
#include "gateway/response.hpp"
#include "gateway/router.hpp"

#include <vector>

namespace countersign::gateway {

class Health {
public:
    explicit Health(const Readiness& readiness) : ready_{readiness} {}  // borrows
    Health(const Health&) = delete;
    Health& operator=(const Health&) = delete;

    // GET /livez: 200 while the event loop runs. GET /readyz: 200, or 503 with one line per reason.
    [[nodiscard]] std::vector<Endpoint> routes();

private:
    class Alive final : public Inbound {
    public:
        boost::asio::awaitable<Reply> handle(InboundMessage message) override;
        [[nodiscard]] Reply deferred() const override { return unavailable(); }
    };
    class Ready final : public Inbound {
    public:
        explicit Ready(const Readiness& readiness) : readiness_{readiness} {}
        boost::asio::awaitable<Reply> handle(InboundMessage message) override;
        [[nodiscard]] Reply deferred() const override { return unavailable(); }

    private:
        const Readiness& readiness_;
    };
    Alive alive_;
    Ready ready_;
};

// The page for /readyz: bounded; each reason becomes exactly one line.
[[nodiscard]] Reply readiness_page(const std::vector<std::string>& unready);

}  // namespace countersign::gateway
