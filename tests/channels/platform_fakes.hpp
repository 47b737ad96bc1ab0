// SPDX-License-Identifier: Apache-2.0
// What a platform of the tests borrows.
#pragma once

#include "channels/platform.hpp"
#include "security/button_token.hpp"
#include "security/secret.hpp"
#include "security/short_code.hpp"
#include "tests/fakes/world.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace countersign::channels::fakes {

struct TestKeys {
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}},
                                  security::Secret{std::string_view{"the button key before that one"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
};

struct FakeMemory final : Memory {
    [[nodiscard]] const std::map<std::string, std::string>& values() const override { return kept; }
    void keep(const std::string& name, std::string value) override {
        kept[name] = std::move(value);
        ++writes;
    }
    std::map<std::string, std::string> kept;
    int writes = 0;
};

// Those of a world, over a fake of the platform's own API.
struct TestPorts {
    [[nodiscard]] PlatformPorts of(countersign::fakes::World& world, HttpClient& http) {
        return of(world, http, world.hub.deliveries());
    }
    [[nodiscard]] PlatformPorts of(countersign::fakes::World& world, HttpClient& http, Deliveries& deliveries) {
        return {.http = http,
                .clock = world.clock,
                .ids = world.ids,
                .deliveries = deliveries,
                .attempts = world.hub,
                .open = world.hub.queries(),
                .drafts = world.hub.drafts(),
                .keys = {keys.tokens, keys.codes},
                .memory = memory};
    }
    TestKeys keys;
    FakeMemory memory;
};

}  // namespace countersign::channels::fakes
