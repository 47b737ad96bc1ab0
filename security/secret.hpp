// SPDX-License-Identifier: Apache-2.0
// Secret: bytes that must not leak. They are kept in guarded, locked memory that is excluded from core dumps, and are
// wiped on destruction.
//
// It can't be printed, compared or copied by accident. It doesn't protect against an attacker who can read our memory,
// and locking is best effort: past RLIMIT_MEMLOCK the pages may be swapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace countersign::security {

class Secret {
public:
    Secret() = default;  // empty: no verifier accepts it
    explicit Secret(std::span<const std::uint8_t> bytes);
    explicit Secret(std::string_view text);

    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&& other) noexcept;
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    ~Secret() = default;

    // A zeroed secret to fill in place, so that the bytes never pass through ordinary memory.
    [[nodiscard]] static Secret zeroed(std::size_t size);
    [[nodiscard]] static Secret random(std::size_t size);
    // An explicit copy, for a second owner.
    [[nodiscard]] Secret duplicate() const { return Secret{bytes()}; }

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {bytes_.get(), size_}; }
    [[nodiscard]] std::span<std::uint8_t> writable() { return {bytes_.get(), size_}; }
    // The bytes as text, for a header or URL that must carry them. Never pass it to a log.
    [[nodiscard]] std::string_view reveal() const { return {reinterpret_cast<const char*>(bytes_.get()), size_}; }
    // Wipes and drops the bytes from `size` on.
    void shorten(std::size_t size);

    template <class Stream> friend Stream& operator<<(Stream&, const Secret&) = delete;
    friend bool operator==(const Secret&, const Secret&) = delete;  // == leaks by its timing; see security/hmac.hpp

private:
    struct Free {
        void operator()(std::uint8_t* bytes) const;
    };
    std::unique_ptr<std::uint8_t[], Free> bytes_;
    std::size_t size_ = 0;
};

}  // namespace countersign::security
