// SPDX-License-Identifier: Apache-2.0
#include "app/metrics.hpp"

#include "app/gateway.hpp"
#include "app/outbox_listing.hpp"

namespace countersign::app {
namespace {

using Kind = Metric::Kind;
using channels::ByUrgency;

Metric number(std::string name, std::string help, Kind kind, std::uint64_t value) {
    return {.name = std::move(name), .help = std::move(help), .kind = kind, .samples = {{.value = value}}};
}

template <class Number> void add(Metric& metric, const std::string& channel, const ByUrgency<Number>& numbers) {
    for (std::size_t one = 0; one < channels::urgencies; ++one) {
        const auto urgency = std::string{name(static_cast<channels::Urgency>(one))};
        metric.samples.push_back({.labels = {{"channel", channel}, {"urgency", urgency}}, .value = numbers[one]});
    }
}

void add_hub(std::vector<Metric>& metrics, const Hub& hub) {
    const auto& counts = hub.counts();
    metrics.push_back(
        number("countersign_pending_requests", "Requests that wait for a decision.", Kind::gauge, hub.pending()));
    Metric ended{.name = "countersign_requests_ended_total", .help = "Requests that ended, by outcome."};
    for (std::size_t one = 0; one < counts.ended.size(); ++one) {
        const auto outcome = std::string{name(static_cast<Outcome>(one))};
        ended.samples.push_back({.labels = {{"outcome", outcome}}, .value = counts.ended[one]});
    }
    metrics.push_back(std::move(ended));
    metrics.push_back(number("countersign_requests_turned_away_total",
                             "Requests that were answered without anybody having been asked.", Kind::counter,
                             counts.turned_away));
    metrics.push_back(number("countersign_attempts_refused_total", "Attempts and orders that did nothing.",
                             Kind::counter, counts.refused));
    metrics.push_back(number("countersign_cards_delayed_total",
                             "Cards that were late, so that the route went on to its next step.", Kind::counter,
                             counts.delayed));
}

void add_outboxes(std::vector<Metric>& metrics, const Host& host) {
    Metric letters{.name = "countersign_outbox_letters", .help = "Messages that wait to be sent.", .kind = Kind::gauge};
    Metric sent{.name = "countersign_outbox_sent_total", .help = "Messages that a platform took."};
    Metric retried{.name = "countersign_outbox_retried_total", .help = "Tries that were followed by another."};
    Metric dead{.name = "countersign_dead_letters_total", .help = "Messages that were given up."};
    for (const auto& outbox : host.outboxes()) {
        const auto report = outbox.report(0);
        add(letters, outbox.channel, report.waiting);
        add(sent, outbox.channel, report.sent);
        add(retried, outbox.channel, report.retried);
    }
    for (const auto& [channel, count] : host.bridge->hub().dead_letters().counts()) {
        dead.samples.push_back({.labels = {{"channel", channel}}, .value = count});
    }
    for (auto* metric : {&letters, &sent, &retried, &dead}) metrics.push_back(std::move(*metric));
}

}  // namespace

std::vector<Metric> metrics_of(const Host& host) {
    std::vector<Metric> metrics;
    metrics.push_back(number("countersign_ready", "1 if the hub could do its work now; /readyz says why not.",
                             Kind::gauge, host.unready().empty() ? 1 : 0));
    metrics.push_back(number("countersign_reload_refused",
                             "1 if the last reload was refused and the configuration before it is in force.",
                             Kind::gauge, host.reload_refused ? 1 : 0));
    add_hub(metrics, host.bridge->hub());
    metrics.push_back(number("countersign_log_records_total", "Records of the log that are on disk.", Kind::counter,
                             host.bridge->log().checkpoint().tree.size));
    add_outboxes(metrics, host);
    return metrics;
}

}  // namespace countersign::app
