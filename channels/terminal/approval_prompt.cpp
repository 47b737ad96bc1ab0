// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/approval_prompt.hpp"

#include "channels/option_words.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::channels::terminal {

namespace {

// An option that no table knows counts as the widest allow.
Ink ink_of(const Option& option) {
    if (!option.known) return Ink::warn;
    if (option.effect != Effect::allow) return Ink::bad;
    return option.scope == Scope::once ? Ink::good : Ink::warn;
}

}  // namespace

std::string effect_note(const Option& option) { return "(" + std::string{meaning_of(option)} + ")"; }

Row row_of(const Option& option) {
    return {.mark = {},
            .label = option.label,
            .meaning = effect_note(option),
            .detail = option.detail,
            .focused = false,
            .ink = ink_of(option)};
}

Decided refusal(const std::vector<Option>& offered) {
    if (const auto* option = refusal_of(offered)) return {.what = Choose{option->option_id}, .reason = {}};
    return {.what = Cancel{}, .reason = {}};
}

ApprovalPrompt::ApprovalPrompt(std::vector<Option> offered)
    : offered_{std::move(offered)}, reason_{limits::reason_bytes_max} {
    focus_refusal();
}

void ApprovalPrompt::focus_refusal() {
    focus_.reset();
    if (const auto* option = refusal_of(offered_)) focus_ = static_cast<std::size_t>(option - offered_.data());
}

std::optional<Decided> ApprovalPrompt::press(const Key& key) {
    note_.clear();
    if (refusing_) return press_in_reason(key, offered_[*refusing_]);
    const bool again = std::exchange(escaped_, false);
    switch (key.kind) {
    case KeyKind::up:
        move(false);
        return std::nullopt;
    case KeyKind::down:
        move(true);
        return std::nullopt;
    case KeyKind::text:
        focus_number(key.text);
        return std::nullopt;
    case KeyKind::enter:
        return choose();
    case KeyKind::escape:
        return escape(again);
    case KeyKind::paste:
    case KeyKind::paste_too_long:
        note_ = "pasted text decides nothing";
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

// The list does not wrap around: one key too many on a refusal must not end on an allow.
void ApprovalPrompt::move(bool down) {
    if (offered_.empty()) return;
    if (!focus_) {
        focus_ = down ? 0 : offered_.size() - 1;
    } else if (down && *focus_ + 1 < offered_.size()) {
        ++*focus_;
    } else if (!down && *focus_ > 0) {
        --*focus_;
    }
}

// A digit only moves there: one key alone decides nothing.
void ApprovalPrompt::focus_number(std::string_view digit) {
    if (digit.size() != 1 || digit[0] < '1' || digit[0] > '9') return;
    const auto at = static_cast<std::size_t>(digit[0] - '1');
    if (at < offered_.size()) focus_ = at;
}

std::optional<Decided> ApprovalPrompt::choose() {
    if (!focus_) {
        note_ = "nothing is chosen yet: move with the arrow keys";
        return std::nullopt;
    }
    const auto& option = offered_[*focus_];
    if (option.known && option.effect == Effect::deny) {
        refusing_ = focus_;
        return std::nullopt;
    }
    return Decided{.what = Choose{option.option_id}, .reason = {}};
}

std::optional<Decided> ApprovalPrompt::escape(bool again) {
    if (again) return refusal(offered_);
    focus_refusal();
    escaped_ = true;
    note_ = focus_ ? "Esc again: " + offered_[*focus_].label : "Esc again cancels the request";
    return std::nullopt;
}

std::optional<Decided> ApprovalPrompt::press_in_reason(const Key& key, const Option& option) {
    if (key.kind == KeyKind::enter) return Decided{.what = Choose{option.option_id}, .reason = reason_.text()};
    if (key.kind == KeyKind::escape) {
        refusing_.reset();
    } else if (!reason_.press(key)) {
        note_ = too_long_note(reason_);
    }
    return std::nullopt;
}

View ApprovalPrompt::view() const {
    View view;
    for (std::size_t at = 0; at < offered_.size(); ++at) {
        view.rows.push_back(row_of(offered_[at]));
        view.rows.back().focused = focus_ == at;
    }
    if (refusing_) {
        view.field = Field{.label = "reason (optional)", .text = reason_.text()};
        view.keys = "Enter " + offered_[*refusing_].label + " · Esc back";
    } else {
        view.keys = "↑↓ 1–9 move · Enter choose · Esc Esc refuse";
    }
    view.note = note_;
    return view;
}

}  // namespace countersign::channels::terminal
