// SPDX-License-Identifier: Apache-2.0
#include "app/demo/unattended.hpp"

#include "channels/terminal/render.hpp"

#include <algorithm>

namespace countersign::app::demo {
namespace {

namespace terminal = channels::terminal;

std::variant<Choose, Submit, Cancel> answer_to(const Presentation& shown, UnattendedAnswer answer) {
    if (const auto* questionnaire = shown.request->questionnaire()) {
        if (answer == UnattendedAnswer::deny) return Cancel{};
        Submit submit;
        for (const auto& question : questionnaire->questions) {
            Answer given{.question_id = question.question_id};
            if (question.choices.empty()) {
                given.text = "nothing to add";
            } else {
                given.choices.push_back(question.choices.front().label);
            }
            submit.answers.push_back(std::move(given));
        }
        return submit;
    }
    const auto wanted = answer == UnattendedAnswer::allow ? Effect::allow : Effect::deny;
    const auto option = std::ranges::find_if(
        shown.offered, [&](const Option& offered) { return offered.effect == wanted && offered.scope == Scope::once; });
    if (option == shown.offered.end()) return Cancel{};
    return Choose{option->option_id};
}

}  // namespace

void Unattended::present(Presentation presentation) {
    say_(terminal::card(presentation, ports_.clock.wall(), {.plain = true}));
    const Place place{name_, "unattended", "", std::to_string(presentation.id)};
    ports_.deliveries.delivered(presentation.id, {place, presentation.generation}, true);
    ports_.attempts.submit({.request_id = presentation.request->id,
                            .principal = unattended_principal,
                            .what = answer_to(presentation, answer_),
                            .where = place,
                            .assurance = Assurance::chat,
                            .arrived = ports_.clock.boot(),
                            .made = ports_.clock.wall()},
                           [this](const Result<Receipt>& receipt) {
                               if (receipt) return;
                               say_(terminal::refused(receipt.error(), {.principal = unattended_principal}) + "\n");
                           });
}

void Unattended::conclude(DeliveryId id, const Conclusion& conclusion) {
    say_(terminal::conclusion(conclusion, {.plain = true}, {}));
    ports_.deliveries.concluded(id);
}

void Unattended::announce(Announcement announcement) {
    ports_.deliveries.undeliverable(announcement.id, "nobody reads here");
}

}  // namespace countersign::app::demo
