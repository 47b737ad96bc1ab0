// SPDX-License-Identifier: Apache-2.0
#include "gateway/metrics.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"

namespace countersign::gateway {

namespace asio = boost::asio;

namespace {

// As the format requires: escapes backslashes, quotes and line feeds, and leaves other UTF-8 as it is.
std::string escaped(std::string_view value) {
    std::string text;
    for (const char symbol : utf8::repaired(value)) {
        if (symbol == '\\' || symbol == '"') text += '\\';
        if (symbol == '\n') {
            text += "\\n";
        } else {
            text += symbol;
        }
    }
    return text;
}

std::string lines_of(const Metric& metric) {
    std::string text = "# HELP " + metric.name + ' ' + metric.help + "\n# TYPE " + metric.name +
                       (metric.kind == Metric::Kind::counter ? " counter\n" : " gauge\n");
    for (const auto& sample : metric.samples) {
        text += metric.name;
        for (std::size_t i = 0; i < sample.labels.size(); ++i) {
            text += (i == 0 ? "{" : ",") + sample.labels[i].first + "=\"" + escaped(sample.labels[i].second) + '"';
        }
        text += (sample.labels.empty() ? " " : "} ") + std::to_string(sample.value) + '\n';
    }
    return text;
}

Metric left_out(std::uint64_t count) {
    return {.name = "countersign_metrics_left_out",
            .help = "Families that did not fit this page.",
            .kind = Metric::Kind::gauge,
            .samples = {{.value = count}}};
}

}  // namespace

Reply metrics_page(const std::vector<Metric>& metrics) {
    const auto room = limits::metrics_bytes_max - lines_of(left_out(metrics.size())).size();
    std::string body;
    std::uint64_t missing = 0;
    for (const auto& metric : metrics) {
        const auto lines = lines_of(metric);
        if (body.size() + lines.size() <= room) {
            body += lines;
        } else {
            ++missing;
        }
    }
    body += lines_of(left_out(missing));
    return {.status = 200, .content_type = "text/plain; version=0.0.4; charset=utf-8", .body = std::move(body)};
}

asio::awaitable<Reply> MetricsPage::Page::handle(InboundMessage) { co_return metrics_page(metrics_.metrics()); }

Endpoint MetricsPage::route() { return {.method = "GET", .path = "/metrics", .name = "metrics", .handler = &page_}; }

}  // namespace countersign::gateway
