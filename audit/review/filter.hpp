// SPDX-License-Identifier: Apache-2.0
// Filter: which requests a reviewer wants to see.
#pragma once

#include "audit/review/catalogue.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign::audit::review {

// What is empty lets everything through. Texts are globs; times are those of the request.
struct Filter {
    std::optional<WallTime> since;  // at it or later
    std::optional<WallTime> until;  // before it
    std::string agent;
    std::string tool;
    std::string person;  // who decided or voted
    std::string channel;
    std::string session;
    std::vector<std::optional<Outcome>> outcomes;  // any of these; nothing stands for a request that is still open
};

// A filter on one catalogue: each text is compared once, however many requests have it.
class Matcher {
public:
    // Borrows the catalogue, which does not change meanwhile.
    Matcher(const Filter& filter, const Catalogue& catalogue);
    [[nodiscard]] bool fits(const Life& life) const;
    // By time, agent and tool: an incident has no more.
    [[nodiscard]] bool fits(const Incident& incident) const;

private:
    using Fitting = std::vector<bool>;  // by the number of a text; empty: all of them
    [[nodiscard]] bool at_that_time(std::int64_t milliseconds) const;
    [[nodiscard]] bool ended_so(const Life& life) const;
    [[nodiscard]] bool any_fits(const Fitting& fitting, Sets::Id set) const;
    [[nodiscard]] bool by_them(const Life& life) const;

    const Filter& filter_;
    const Sets& sets_;
    Fitting agents_, tools_, people_, channels_, sessions_;
};

// The requests that fit, as places in catalogue.lives(), in their order.
[[nodiscard]] std::vector<std::uint32_t> select(const Catalogue& catalogue, const Filter& filter);

}  // namespace countersign::audit::review
