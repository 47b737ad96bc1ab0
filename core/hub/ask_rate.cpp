// SPDX-License-Identifier: Apache-2.0
#include "core/hub/ask_rate.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

namespace countersign {

namespace {

constexpr std::int64_t milliseconds_per_minute = 60'000;

std::uint64_t bytes_of(const Approval& approval) {
    auto bytes = approval.display_text.size() + approval.diff.size() + approval.untrusted_reason.size();
    for (const auto& option : approval.options) bytes += option.label.size() + option.detail.size();
    return bytes;
}

std::uint64_t bytes_of(const Questionnaire& asked) {
    std::uint64_t bytes = 0;
    for (const auto& question : asked.questions) {
        bytes += question.text.size();
        for (const auto& choice : question.choices) bytes += choice.label.size() + choice.description.size();
    }
    return bytes;
}

Error too_much(const std::string& what, std::int64_t missing, std::uint64_t per_minute) {
    const auto per_second = static_cast<std::int64_t>(per_minute) * 1000;
    const auto wait = (missing + per_second - 1) / per_second;
    return {Errc::busy, "this agent has asked " + what + " within a minute, so this was not asked; try again in " +
                            std::to_string(wait) + " s"};
}

}  // namespace

std::uint64_t bytes_of(const Request& request) {
    return ask_base_bytes + std::visit([](const auto& body) { return bytes_of(body); }, request.body);
}

AskRate::Used& AskRate::used_by(const std::string& agent_id, const AskLimits& limits, BootTime now) {
    const auto [found, is_new] = agents_.try_emplace(agent_id, Used{.as_of = now});
    auto& used = found->second;
    // A minute refills the whole bucket; a larger value could only overflow.
    const auto passed = std::clamp<std::int64_t>((now - used.as_of).count(), 0, milliseconds_per_minute);
    const auto left = [passed](std::int64_t before, std::uint64_t limit) {
        return std::max<std::int64_t>(0, before - passed * static_cast<std::int64_t>(limit));
    };
    used = {.requests = left(used.requests, limits.requests), .bytes = left(used.bytes, limits.bytes), .as_of = now};
    if (agents_.size() > ask_rate_agents_max) {
        auto oldest = found == agents_.begin() ? std::next(found) : agents_.begin();
        for (auto one = agents_.begin(); one != agents_.end(); ++one) {
            if (one != found && one->second.as_of < oldest->second.as_of) oldest = one;
        }
        agents_.erase(oldest);
    }
    return used;
}

Result<void> AskRate::take(const Request& request, const AskLimits& limits, BootTime now) {
    auto& used = used_by(request.agent_id, limits, now);
    const auto parts = [](std::uint64_t number) { return static_cast<std::int64_t>(number) * milliseconds_per_minute; };
    const auto cost = parts(std::min(limits.bytes, bytes_of(request)));
    if (const auto missing = used.requests + parts(1) - parts(limits.requests); missing > 0) {
        return too_much("more than " + std::to_string(limits.requests) + " times", missing, limits.requests);
    }
    if (const auto missing = used.bytes + cost - parts(limits.bytes); missing > 0) {
        return too_much("for more than " + std::to_string(limits.bytes / 1024) + " KiB", missing, limits.bytes);
    }
    used.requests += parts(1);
    used.bytes += cost;
    return {};
}

}  // namespace countersign
