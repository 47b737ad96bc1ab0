// SPDX-License-Identifier: Apache-2.0
#include "security/secret.hpp"

#include "security/sodium.hpp"

#include <algorithm>
#include <new>
#include <sodium.h>
#include <utility>

namespace countersign::security {

// sodium_free wipes the memory before it unmaps it.
void Secret::Free::operator()(std::uint8_t* bytes) const { sodium_free(bytes); }

Secret Secret::zeroed(std::size_t size) {
    Secret secret;
    if (size == 0) return secret;
    sodium_ready();
    // sodium_malloc adds guard pages, mlock and MADV_DONTDUMP.
    auto* memory = static_cast<std::uint8_t*>(sodium_malloc(size));
    if (memory == nullptr) throw std::bad_alloc{};
    secret.bytes_.reset(memory);
    secret.size_ = size;
    sodium_memzero(memory, size);
    return secret;
}

Secret Secret::random(std::size_t size) {
    auto secret = zeroed(size);
    if (size > 0) randombytes_buf(secret.bytes_.get(), size);
    return secret;
}

Secret::Secret(std::span<const std::uint8_t> bytes) : Secret{zeroed(bytes.size())} {
    std::ranges::copy(bytes, bytes_.get());
}

Secret::Secret(std::string_view text)
    : Secret{std::span{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}} {}

Secret::Secret(Secret&& other) noexcept : bytes_{std::move(other.bytes_)}, size_{std::exchange(other.size_, 0)} {}

Secret& Secret::operator=(Secret&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    return *this;
}

void Secret::shorten(std::size_t size) {
    if (size >= size_) return;
    sodium_memzero(bytes_.get() + size, size_ - size);
    size_ = size;
    if (size == 0) bytes_.reset();
}

}  // namespace countersign::security
