// SPDX-License-Identifier: Apache-2.0
// BoxedOptional: an optional value that takes no more room than a pointer while it is not there.
//
// For what is large and mostly absent in something that there are many of. Otherwise as std::optional: a copy has a
// value of its own, and what is const has a const one.
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
    // Precondition of the four: it is there.
    [[nodiscard]] T& operator*() { return *value_; }
    [[nodiscard]] const T& operator*() const { return *value_; }
    [[nodiscard]] T* operator->() { return value_.get(); }
    [[nodiscard]] const T* operator->() const { return value_.get(); }
    void reset() { value_.reset(); }

private:
    std::unique_ptr<T> value_;
};

}  // namespace countersign
