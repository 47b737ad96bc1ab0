// SPDX-License-Identifier: Apache-2.0
#include "app/narration.hpp"

#include "channels/duration.hpp"

#include <algorithm>
#include <set>

namespace countersign::app {
namespace {

std::string call_of(const Request& request) { return tool_name_of(request) + ": " + summary_of(request); }

bool answered_by_itself(const Request& request, const std::vector<Grant>& grants) {
    if (request.judgement.policy.effect != PolicyEffect::ask) return true;
    return std::ranges::any_of(grants, [&](const Grant& grant) {
        return grant.agent_id == request.agent_id && grant.tool_name == tool_name_of(request) &&
               grant.args_hash == request.args_hash.hex && grant.cwd == request.cwd;
    });
}

// The channels where it is shown first.
std::string places(const Request& request, const Configuration& configuration) {
    const auto* route = route_for(configuration, request);
    std::set<std::string> channels;
    for (const auto& step : route == nullptr ? std::vector<Step>{} : route->steps) {
        if (step.after == std::chrono::milliseconds{0}) channels.insert(step.channel);
    }
    std::string text;
    for (const auto& channel : channels) text += (text.empty() ? " on " : ", ") + channel;
    return text;
}

std::string who(const Conclusion& conclusion) {
    const auto& by = conclusion.decided_by;
    if (by.starts_with("policy:")) return " by policy rule " + by.substr(7);
    if (by.starts_with("grant:")) return " by what was allowed before";
    if (by.empty()) return {};
    return " by " + by + (conclusion.channel.empty() ? "" : " on " + conclusion.channel);
}

std::string after(const Conclusion& conclusion) {
    if (conclusion.took < std::chrono::seconds{1}) return {};
    return " after " + channels::duration(conclusion.took);
}

}  // namespace

std::optional<std::string> narrated(const Hub::Event& event, const Configuration& configuration,
                                    const std::vector<Grant>& grants) {
    using Kind = Hub::Event::Kind;
    if (event.kind == Kind::requested) {
        if (answered_by_itself(*event.request, grants)) return std::nullopt;
        return "? asked" + places(*event.request, configuration) + ": " + call_of(*event.request);
    }
    if (event.kind != Kind::ended || !event.conclusion) return std::nullopt;
    const auto& end = *event.conclusion;
    const bool good = end.outcome == Outcome::allowed || end.outcome == Outcome::answered;
    auto line =
        (good ? "✓ " : "✗ ") + std::string{name(end.outcome)} + who(end) + after(end) + ": " + call_of(*event.request);
    if (!good && end.decided_by.empty() && !end.reason.empty()) line += " (" + end.reason + ")";
    return line;
}

}  // namespace countersign::app
