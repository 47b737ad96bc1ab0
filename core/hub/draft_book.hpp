// SPDX-License-Identifier: Apache-2.0
// DraftBook: the drafts of open requests, by request and person. Kept in memory only; a restart loses them.
#pragma once

#include "core/hub/context.hpp"
#include "core/ports/drafts.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace countersign {

class DraftBook final : public Drafts {
public:
    explicit DraftBook(const HubContext& context) : context_{context} {}

    [[nodiscard]] std::optional<Draft> draft_of(const Ulid& request, const std::string& principal) const override;
    // Ignored if the request isn't open.
    void keep(const Ulid& request, const std::string& principal, Draft draft) override;
    // Call when the request has ended.
    void forget(const Ulid& request);
    [[nodiscard]] std::size_t size() const { return drafts_.size(); }

private:
    using Key = std::tuple<Ulid, bool, std::string>;  // true: the name of a person; false: a principal
    [[nodiscard]] Key key_of(const Ulid& request, const std::string& principal) const;

    const HubContext& context_;
    std::map<Key, Draft> drafts_;
    std::deque<Key> by_age_;
};

}  // namespace countersign
