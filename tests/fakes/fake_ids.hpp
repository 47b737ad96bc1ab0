// SPDX-License-Identifier: Apache-2.0
// Ids from a seed: the same run gives the same ids.
#pragma once

#include "core/ports/ids.hpp"

#include <array>
#include <random>

namespace countersign::fakes {

class FakeIds final : public Ids {
public:
    explicit FakeIds(std::uint64_t seed = 1) : engine_{seed} {}

    [[nodiscard]] Ulid next() override {
        std::array<std::uint8_t, 10> bytes{};
        random(bytes);
        return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, bytes};
    }
    void random(std::span<std::uint8_t> bytes) override {
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(engine_());
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace countersign::fakes
