// SPDX-License-Identifier: Apache-2.0
#include "audit/review/strings.hpp"

namespace countersign::audit::review {

Strings::Id Strings::id_of(std::string_view text) {
    for (; looked_up_ < texts_.size(); ++looked_up_) ids_.emplace(texts_[looked_up_], static_cast<Id>(looked_up_));
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<Id>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    return id;
}

}  // namespace countersign::audit::review
