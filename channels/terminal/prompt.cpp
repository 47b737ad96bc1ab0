// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/prompt.hpp"

#include "channels/terminal/call_line.hpp"

#include <utility>

namespace countersign::channels::terminal {

namespace {

std::variant<ApprovalPrompt, QuestionPrompt> widget_for(const Request& request, std::vector<Option> offered,
                                                        Language language) {
    if (const auto* questionnaire = request.questionnaire()) return QuestionPrompt{*questionnaire, language};
    return ApprovalPrompt{std::move(offered), language};
}

bool may_decide(const Key& key) { return key.kind == KeyKind::enter || key.kind == KeyKind::escape; }

}  // namespace

Prompt::Prompt(const Request& request, std::vector<Option> offered, std::chrono::milliseconds dwell, Language language)
    : widget_{widget_for(request, std::move(offered), language)}, call_{call_line(request, language)}, dwell_{dwell} {}

void Prompt::behind(std::uint32_t waiting) {
    if (auto* approval = std::get_if<ApprovalPrompt>(&widget_)) approval->behind(waiting);
}

std::optional<Decided> Prompt::press(const Key& key, BootTime now) {
    if (!shown_ || waiting_) return std::nullopt;
    if (now - *shown_ < dwell_) return std::nullopt;
    // A paste that carries its own end would go on as keys.
    if (may_decide(key) && pasted_ && now - *pasted_ < dwell_) return std::nullopt;
    if (key.kind == KeyKind::paste || key.kind == KeyKind::paste_too_long) pasted_ = now;
    auto decided = std::visit([&](auto& widget) { return widget.press(key); }, widget_);
    waiting_ = decided.has_value();
    return decided;
}

void Prompt::reopen() { waiting_ = false; }

bool Prompt::typing() const {
    return std::visit([](const auto& widget) { return widget.typing(); }, widget_);
}

View Prompt::view() const {
    auto view = std::visit([](const auto& widget) { return widget.view(); }, widget_);
    view.call = call_;
    view.waiting = waiting_;
    return view;
}

}  // namespace countersign::channels::terminal
