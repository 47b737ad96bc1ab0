// SPDX-License-Identifier: Apache-2.0
#include "gateway/metrics.hpp"

#include "core/limits.hpp"
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::gateway {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MetricsPageTest, AFamilyHasAHelpATypeAndOneLinePerSample) {
    const auto page = metrics_page({{.name = "countersign_a_total",
                                     .help = "How many.",
                                     .samples = {{.labels = {{"channel", "ops"}, {"urgency", "other"}}, .value = 3}}},
                                    {.name = "countersign_b",
                                     .help = "How much.",
                                     .kind = Metric::Kind::gauge,
                                     .samples = {{.value = 18'446'744'073'709'551'615U}}}});
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.content_type, "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_EQ(page.body, "# HELP countersign_a_total How many.\n"
                         "# TYPE countersign_a_total counter\n"
                         "countersign_a_total{channel=\"ops\",urgency=\"other\"} 3\n"
                         "# HELP countersign_b How much.\n"
                         "# TYPE countersign_b gauge\n"
                         "countersign_b 18446744073709551615\n"
                         "# HELP countersign_metrics_left_out Families that did not fit this page.\n"
                         "# TYPE countersign_metrics_left_out gauge\n"
                         "countersign_metrics_left_out 0\n");
}

TEST(MetricsPageTest, AnyTextInALabelRemainsOneLabelOnOneLine) {
    const auto page =
        metrics_page({{.name = "a", .help = "h", .samples = {{.labels = {{"channel", "x\"} 9\nb\\ \xff"}}}}}});
    EXPECT_THAT(page.body, HasSubstr("a{channel=\"x\\\"} 9\\nb\\\\ \uFFFD\"} 0\n"));
}

Metric long_family(const std::string& name, std::size_t bytes) {
    return {.name = name, .help = "h", .samples = {{.labels = {{"channel", std::string(bytes, 'x')}}}}};
}

TEST(MetricsPageTest, I13_AFamilyThatDoesNotFitIsLeftOutWholeAndCounted) {
    const auto rest = metrics_page({long_family("a", 0)}).body.size();
    const auto fits = metrics_page({long_family("a", limits::metrics_bytes_max - rest)});
    EXPECT_EQ(fits.body.size(), limits::metrics_bytes_max);
    EXPECT_THAT(fits.body, HasSubstr("left_out 0\n"));
    const auto over = metrics_page(
        {long_family("a", limits::metrics_bytes_max - rest + 1), {.name = "b", .help = "h", .samples = {{}}}});
    EXPECT_THAT(over.body, Not(HasSubstr("xxx")));
    EXPECT_THAT(over.body, HasSubstr("\nb 0\n")) << "what fits is there";
    EXPECT_THAT(over.body, HasSubstr("left_out 1\n"));
}

class FixedMetrics final : public Metrics {
public:
    [[nodiscard]] std::vector<Metric> metrics() const override {
        return {{.name = "countersign_ready", .help = "h", .kind = Metric::Kind::gauge, .samples = {{.value = 1}}}};
    }
};

class MetricsServerTest : public Front {};

TEST_F(MetricsServerTest, MetricsAreServedOnlyOnTheirRoute) {
    const FixedMetrics metrics;
    MetricsPage page{metrics};
    open({}, {page.route()});
    Peer peer{*this};
    const auto answer = peer.ask(get("/metrics"));
    EXPECT_EQ(answer.status, 200U);
    EXPECT_THAT(answer.body, HasSubstr("countersign_ready 1\n"));
    EXPECT_EQ(peer.ask(get("/metrics/x")).status, 404U);
}

}  // namespace
}  // namespace countersign::gateway
