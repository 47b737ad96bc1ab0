// SPDX-License-Identifier: Apache-2.0
// Filter: the requests that a reviewer wants to see.
#pragma once

#include "audit/review/catalogue.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign::audit::review {

// Empty fields match everything. Texts are globs; times are when the request was asked.
struct Filter {
    std::optional<WallTime> since;  // inclusive
    std::optional<WallTime> until;  // exclusive
    std::string agent;
    std::string tool;
    std::string person;  // decided or voted
    std::string channel;
    std::string session;
    std::vector<std::optional<Outcome>> outcomes;  // any of these; nullopt matches requests that are still open
};

// A filter applied to one catalogue: each distinct text is compared once, however many requests have it.
class Matcher {
public:
    // Borrows the catalogue, which must not change.
    Matcher(const Filter& filter, const Catalogue& catalogue);
    [[nodiscard]] bool fits(const Life& life) const;
    // By time, agent and tool only: incidents have no other fields.
    [[nodiscard]] bool fits(const Incident& incident) const;

private:
    using Fitting = std::vector<bool>;  // indexed by text id; empty: all match
    [[nodiscard]] bool at_that_time(std::int64_t milliseconds) const;
    [[nodiscard]] bool ended_so(const Life& life) const;
    [[nodiscard]] bool any_fits(const Fitting& fitting, Sets::Id set) const;
    [[nodiscard]] bool by_them(const Life& life) const;

    const Filter& filter_;
    const Sets& sets_;
    Fitting agents_, tools_, people_, channels_, sessions_;
};

// The matching requests as indices into catalogue.lives(), in that order.
[[nodiscard]] std::vector<std::uint32_t> select(const Catalogue& catalogue, const Filter& filter);

}  // namespace countersign::audit::review
