// SPDX-License-Identifier: Apache-2.0
// Result: a value, or the error why there is none. Expected failures use it; a bug is an assertion, never a Result.
//
// Named like std::expected, which will replace it in C++23.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace countersign {

// Why something failed. One list for the whole program: callers may branch on it, and the audit log stores it by name,
// so a name is never reused.
enum class Errc {
    internal,         // a bug inside the program; also the state of an unset Result
    malformed,        // input that can't be parsed
    too_large,        // a bound of core/limits.hpp was crossed
    unsupported,      // well-formed, but deliberately not accepted
    bad_signature,    // a signature, secret or MAC doesn't match
    stale,            // signed too long ago, too far ahead, or before this process started
    replayed,         // seen before
    not_authorised,   // this principal may not decide this request
    not_shown,        // the whole text wasn't delivered to the place the allow came from
    late,             // an allow made too long before it arrived
    asked_again,      // an allow on a card that covers more requests now than when it was clicked
    already_decided,  // another decision came first
    already_voted,    // this person has already voted
    unknown_request,  // no such request is open
    unknown_option,   // the request offers no such option
    conflict,         // the same id with different content
    undeliverable,    // the request couldn't be shown to anyone
    unavailable,      // a part we need isn't working: the log, a channel, the agent
    missing_secret,   // a secret is absent, empty, weak or readable by others
    bad_config,       // invalid configuration
    busy,             // a queue is full, or another process holds the lock
    timeout,          // the deadline passed
    away,             // the other side exited and is expected back; nothing happens until then
    damaged,          // stored data was changed or is incomplete
};
[[nodiscard]] std::string_view name(Errc code);

struct Error {
    Errc code = Errc::internal;
    std::string detail;  // for the operator's log; never contains a secret or a message body
};

// "code: detail", for the operator.
[[nodiscard]] std::string describe(const Error& error);

template <class T> class [[nodiscard]] Result {
public:
    using value_type = T;

    Result() : state_{Error{Errc::internal, "no result was set"}} {}  // co_spawn needs one
    Result(T value) : state_{std::move(value)} {}                     // NOLINT(google-explicit-constructor)
    Result(Error error) : state_{std::move(error)} {}                 // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const { return std::holds_alternative<T>(state_); }
    explicit operator bool() const { return has_value(); }

    // Precondition of the value accessors: has_value(). If violated, they throw std::bad_variant_access, which is never
    // caught.
    [[nodiscard]] T& value() & { return std::get<T>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<T>(state_); }
    [[nodiscard]] T&& value() && { return std::get<T>(std::move(state_)); }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

    // Precondition: !has_value().
    [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }

private:
    std::variant<T, Error> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
    using value_type = void;

    Result() = default;
    Result(Error error) : error_{std::move(error)}, failed_{true} {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const { return !failed_; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Error& error() const { return error_; }

private:
    Error error_;
    bool failed_ = false;
};

}  // namespace countersign
