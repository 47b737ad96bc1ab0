// SPDX-License-Identifier: Apache-2.0
// BoxedOptional: an optional value that takes only the space of a pointer while it is empty.
//
// For large members that are mostly empty in objects of which there are many. Otherwise it behaves like std::optional:
// copies are deep, and a const BoxedOptional gives const access.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace countersign {

template <class T> class BoxedOptional {
public:
    BoxedOptional() = default;
    BoxedOptional(std::nullopt_t) {}                                           // NOLINT(google-explicit-constructor)
    BoxedOptional(T value) : value_{std::make_unique<T>(std::move(value))} {}  // NOLINT(google-explicit-constructor)
    BoxedOptional(const BoxedOptional& other) : value_{other ? std::make_unique<T>(*other) : nullptr} {}
    BoxedOptional(BoxedOptional&&) noexcept = default;
    BoxedOptional& operator=(const BoxedOptional& other) {
        auto copy = other;
        value_ = std::move(copy.value_);
        return *this;
    }
    BoxedOptional& operator=(BoxedOptional&&) noexcept = default;
    ~BoxedOptional() = default;

    [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
    // Precondition of these four: it has a value.
    [[nodiscard]] T& operator*() { return *value_; }
    [[nodiscard]] const T& operator*() const { return *value_; }
    [[nodiscard]] T* operator->() { return value_.get(); }
    [[nodiscard]] const T* operator->() const { return value_.get(); }
    void reset() { value_.reset(); }

private:
    std::unique_ptr<T> value_;
};

}  // namespace countersign
