// SPDX-License-Identifier: Apache-2.0
// DraftBook: the drafts of the open requests, by request and person. They live in memory alone: a restart forgets them.
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
    // Of a request that is not open nothing is kept.
    void keep(const Ulid& request, const std::string& principal, Draft draft) override;
    // The request has ended.
    void forget(const Ulid& request);
    [[nodiscard]] std::size_t size() const { return drafts_.size(); }

private:
    using Key = std::tuple<Ulid, bool, std::string>;  // true: a person by name; else a principal
    [[nodiscard]] Key key_of(const Ulid& request, const std::string& principal) const;

    const HubContext& context_;
    std::map<Key, Draft> drafts_;
    std::deque<Key> by_age_;
};

}  // namespace countersign
