// SPDX-License-Identifier: Apache-2.0
// MetricsPage: GET /metrics in the text format of Prometheus. For the admin listener only, because it does not
// authenticate clients.
#pragma once

#include "core/ports/inbound.hpp"
#include "core/ports/metrics.hpp"
#include "gateway/response.hpp"
#include "gateway/router.hpp"

#include <vector>

namespace countersign::gateway {

class MetricsPage {
public:
    explicit MetricsPage(const Metrics& metrics) : page_{metrics} {}  // borrows
    MetricsPage(const MetricsPage&) = delete;
    MetricsPage& operator=(const MetricsPage&) = delete;

    [[nodiscard]] Endpoint route();

private:
    class Page final : public Inbound {
    public:
        explicit Page(const Metrics& metrics) : metrics_{metrics} {}
        boost::asio::awaitable<Reply> handle(InboundMessage message) override;
        [[nodiscard]] Reply deferred() const override { return unavailable(); }

    private:
        const Metrics& metrics_;
    };
    Page page_;
};

// The page, at most metrics_bytes_max long. A family that does not fit is left out completely, because half a family
// would give wrong sums. countersign_metrics_left_out counts these.
[[nodiscard]] Reply metrics_page(const std::vector<Metric>& metrics);

}  // namespace countersign::gateway
