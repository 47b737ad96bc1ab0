// SPDX-License-Identifier: Apache-2.0
#include "core/quorum.hpp"

#include <algorithm>

namespace countersign {

Result<Tally> tally(const std::vector<Vote>& votes, const Vote& next, std::uint32_t required,
                    const std::vector<Option>& options) {
    if (std::ranges::find(votes, next.person, &Vote::person) != votes.end()) {
        return Error{Errc::already_voted, next.person};
    }
    const Option* narrowest = nullptr;
    const auto count = [&](const Vote& vote) {
        const auto found = std::ranges::find(options, vote.option_id, &Option::option_id);
        if (found == options.end() || found->effect != Effect::allow) return false;
        if (narrowest == nullptr || found->scope < narrowest->scope) narrowest = &*found;
        return true;
    };
    // A vote for an option that isn't an allow of this request must not help to complete it.
    for (const auto& vote : votes) {
        if (!count(vote)) return Error{Errc::unknown_option, "an earlier vote is for no allow option of this request"};
    }
    if (!count(next)) return Error{Errc::unknown_option, "the vote is for no allow option of this request"};

    const auto have = static_cast<std::uint32_t>(votes.size() + 1);
    const auto need = std::max<std::uint32_t>(required, 1);
    return Tally{.complete = have >= need, .have = have, .need = need, .option_id = narrowest->option_id};
}

}  // namespace countersign
