// SPDX-License-Identifier: Apache-2.0
#include "security/secret_ring.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::security {
namespace {

using namespace std::chrono_literals;
using Entries = std::vector<SecretRing::Kept>;

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 16} + 12h};

Entries present_and(std::string_view previous, std::optional<WallTime> until) {
    Entries entries;
    entries.push_back({.name = "present", .secret = Secret{std::string_view{"new-secret-0123456789"}}});
    entries.push_back({.name = "previous", .secret = Secret{previous}, .until = until});
    return entries;
}

std::string fitting(const SecretRing& ring, std::string_view given, WallTime now) {
    const auto* entry = ring.match(given, now);
    return entry == nullptr ? "none" : entry->name;
}

TEST(SecretRing, SaysWhichSecretMatches) {
    const auto ring = SecretRing::make(present_and("old-secret-0123456789", noon));
    ASSERT_TRUE(ring);
    EXPECT_EQ(fitting(*ring, "new-secret-0123456789", noon - 1h), "present");
    EXPECT_EQ(fitting(*ring, "old-secret-0123456789", noon - 1h), "previous");
    for (const auto* wrong :
         {"", "new-secret-012345678", "new-secret-01234567890", "old-secret-0123456788", "present"}) {
        EXPECT_EQ(fitting(*ring, wrong, noon - 1h), "none") << wrong;
    }
}

TEST(SecretRing, APreviousSecretExpiresOnTime) {
    const auto ring = SecretRing::make(present_and("old-secret-0123456789", noon));
    ASSERT_TRUE(ring);
    EXPECT_EQ(fitting(*ring, "old-secret-0123456789", noon - 1ms), "previous");
    EXPECT_EQ(fitting(*ring, "old-secret-0123456789", noon), "none");
    EXPECT_EQ(fitting(*ring, "new-secret-0123456789", noon + 24h * 365), "present");
}

TEST(SecretRing, TwoEqualSecretsAreRefusedWithoutBeingShown) {
    const auto ring = SecretRing::make(present_and("new-secret-0123456789", noon));
    ASSERT_FALSE(ring);
    EXPECT_EQ(ring.error().code, Errc::bad_config);
    EXPECT_EQ(ring.error().detail.find("0123456789"), std::string::npos);
}

TEST(SecretRing, I2_AnEmptySecretIsRefusedAndAnEmptyRingMatchesNothing) {
    EXPECT_EQ(SecretRing::make(present_and("", noon)).error().code, Errc::missing_secret);
    EXPECT_EQ(SecretRing{}.match("", noon), nullptr);
}

TEST(SecretRing, I13_OneSecretTooManyIsRefused) {
    Entries entries;
    for (std::size_t i = 0; i < limits::webhook_secrets_max; ++i) {
        entries.push_back({.name = std::to_string(i), .secret = Secret{"secret-of-number-" + std::to_string(i)}});
    }
    auto one_more = Entries{};
    for (const auto& entry : entries) one_more.push_back({.name = entry.name, .secret = entry.secret.duplicate()});
    one_more.push_back({.name = "more", .secret = Secret{std::string_view{"secret-of-somebody"}}});
    EXPECT_TRUE(SecretRing::make(std::move(entries)));
    EXPECT_EQ(SecretRing::make(std::move(one_more)).error().code, Errc::too_large);
}

}  // namespace
}  // namespace countersign::security
