// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace countersign {

// Offered: the options that people are shown, fixed when their request was accepted. One list for all who hold it:
// every card, every table and every look-up, however many there are.
class Offered {
public:
    Offered() : options_{none()} {}
    Offered(std::vector<Option> options)  // NOLINT(google-explicit-constructor)
        : options_{std::make_shared<const std::vector<Option>>(std::move(options))} {}
    Offered(std::initializer_list<Option> options) : Offered{std::vector<Option>{options}} {}
    // A list that somebody else keeps already, such as the request's own. Precondition: not null.
    explicit Offered(std::shared_ptr<const std::vector<Option>> options) : options_{std::move(options)} {}

    operator const std::vector<Option>&() const { return *options_; }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] auto begin() const { return options_->begin(); }
    [[nodiscard]] auto end() const { return options_->end(); }
    [[nodiscard]] std::size_t size() const { return options_->size(); }
    // True if both are the very same list, not only equal ones.
    [[nodiscard]] bool shares(const Offered& other) const { return options_ == other.options_; }

private:
    static const std::shared_ptr<const std::vector<Option>>& none() {
        static const auto empty = std::make_shared<const std::vector<Option>>();
        return empty;
    }
    std::shared_ptr<const std::vector<Option>> options_;  // never null
};

}  // namespace countersign
