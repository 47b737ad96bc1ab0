// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace countersign {

// Offered: the options that people see, fixed when their request was accepted. All copies share one list: every card,
// table and lookup.
class Offered {
public:
    Offered() : options_{none()} {}
    Offered(std::vector<Option> options)  // NOLINT(google-explicit-constructor)
        : options_{std::make_shared<const std::vector<Option>>(std::move(options))} {}
    Offered(std::initializer_list<Option> options) : Offered{std::vector<Option>{options}} {}
    // Shares a list that is already owned elsewhere, e.g. the request's own. Precondition: not null.
    explicit Offered(std::shared_ptr<const std::vector<Option>> options) : options_{std::move(options)} {}

    operator const std::vector<Option>&() const { return *options_; }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] auto begin() const { return options_->begin(); }
    [[nodiscard]] auto end() const { return options_->end(); }
    [[nodiscard]] std::size_t size() const { return options_->size(); }
    // True if both share the same list object, not just equal lists.
    [[nodiscard]] bool shares(const Offered& other) const { return options_ == other.options_; }

private:
    static const std::shared_ptr<const std::vector<Option>>& none() {
        static const auto empty = std::make_shared<const std::vector<Option>>();
        return empty;
    }
    std::shared_ptr<const std::vector<Option>> options_;  // never null
};

}  // namespace countersign
