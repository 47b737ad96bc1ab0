// SPDX-License-Identifier: Apache-2.0
#include "app/hub_listing.hpp"

#include "app/commands/audit/screen.hpp"
#include "app/commands/audit/zone.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr BootTime now{1'000'000ms};
const WallTime wall{1'763'258'400'000ms};

Screen pipe() { return {.style = {.plain = true, .colour = false, .columns = 1'000}}; }

// As it arrives over the socket.
json::Value sent(const json::Object& listing) {
    const auto line = json::canonical(listing);
    EXPECT_LT(line.size(), limits::sidecar_line_bytes_max);
    auto document = json::read(line);
    EXPECT_TRUE(document);
    return document->value;
}

Ulid id_of(std::size_t number) {
    return {wall, {0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(number / 256), static_cast<std::uint8_t>(number)}};
}

std::vector<OpenRequest> open_requests(std::size_t count) {
    std::vector<OpenRequest> open;
    for (std::size_t at = 0; at < count; ++at) {
        auto request = fakes::shell_request(id_of(at), "make \x1b[2J target");
        open.push_back({.request = std::make_shared<const Request>(std::move(request)), .offered = {}});
    }
    return open;
}

std::string printed(std::size_t count) {
    const auto standing = [](const Ulid&) {
        return Queries::Standing{.asked = now - 90s, .shown_on = {"phone", "desk"}};
    };
    const auto text = printed_pending(sent(pending_listing(open_requests(count), standing, now)), pipe());
    EXPECT_TRUE(text) << describe(text.error());
    return text ? *text : std::string{};
}

TEST(HubListing, APendingRequestShowsItsAgeAndWhereItIsShown) {
    EXPECT_EQ(printed(0), "Nothing is pending.\n");
    const auto text = printed(1);
    EXPECT_THAT(text, HasSubstr(id_of(0).str()));
    EXPECT_THAT(text, HasSubstr("2 min"));
    EXPECT_THAT(text, HasSubstr("phone, desk"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << "an agent's words do nothing to the terminal";
    const auto nowhere = pending_listing(open_requests(1), [](const Ulid&) { return std::nullopt; }, now);
    EXPECT_THAT(*printed_pending(sent(nowhere), pipe()), HasSubstr("not shown yet"));
}

TEST(HubListing, I13_OnePastTheBoundIsCountedAndNotListed) {
    EXPECT_THAT(printed(hub_listed_max), Not(HasSubstr("more")));
    EXPECT_THAT(printed(hub_listed_max + 1), HasSubstr("  and 1 more\n"));
    EXPECT_THAT(printed(hub_listed_max + 1), Not(HasSubstr(id_of(hub_listed_max).str())));
    std::vector<Grant> grants(hub_listed_max + 1, Grant{.granted_by = "alice", .expires = now + 1h, .uses_left = 3});
    EXPECT_THAT(*printed_grants(sent(grants_listing(grants, {now, wall})), pipe(), Zone::utc),
                HasSubstr("  and 1 more\n"));
}

TEST(HubListing, AGrantShowsItsCallItsPersonAndItsEnd) {
    std::vector<Grant> grants{{.id = id_of(1),
                               .agent_id = "builder",
                               .tool_name = "Bash",
                               .cwd = "/srv",
                               .summary = "make all",
                               .session_key = "s-7",
                               .granted_by = "alice",
                               .expires = now + 1h,
                               .uses_left = 41},
                              {.id = id_of(2), .summary = "expired", .expires = now, .uses_left = 1},
                              {.id = id_of(3), .summary = "used up", .expires = now + 1h, .uses_left = 0}};
    const auto listing = sent(grants_listing(grants, {now, wall}));
    const auto text = *printed_grants(listing, pipe(), Zone::utc);
    EXPECT_THAT(text, HasSubstr("builder  session s-7  alice  2025-11-16T03:00:00Z  41"));
    EXPECT_THAT(text, HasSubstr("Bash: make all in /srv\n"));
    EXPECT_THAT(text, Not(HasSubstr("expired")));
    EXPECT_THAT(text, Not(HasSubstr("used up")));
    ::setenv("TZ", "XYZ-5", 1);
    EXPECT_THAT(*printed_grants(listing, pipe(), Zone::local), HasSubstr("  2025-11-16T08:00:00+05:00  "));
    ::unsetenv("TZ");
    EXPECT_EQ(*printed_grants(sent(grants_listing({}, {now, wall})), pipe(), Zone::utc), "No grant is in force.\n");
}

TEST(HubListing, AnInvalidAnswerIsRefused) {
    const std::vector<Grant> grants{{.granted_by = "alice", .expires = now + 1h, .uses_left = 3}};
    auto line = json::canonical(grants_listing(grants, {now, wall}));
    const std::string until = "2025-11-16T03:00:00.000Z";
    line.replace(line.find(until), until.size(), "tomorrow");
    const auto no_time = printed_grants(json::read(line)->value, pipe(), Zone::utc);
    ASSERT_FALSE(no_time);
    EXPECT_EQ(no_time.error().detail, "the hub's answer: grants.until");
    const json::Value nonsense{json::Object{{"requests", json::Array{json::Object{}}}, {"total", 1}}};
    EXPECT_EQ(printed_pending(nonsense, pipe()).error().code, Errc::malformed);
    EXPECT_EQ(printed_grants(nonsense, pipe(), Zone::utc).error().code, Errc::malformed);
    EXPECT_EQ(printed_status(nonsense, 0, pipe(), Zone::utc).error().code, Errc::malformed);
}

}  // namespace
}  // namespace countersign::app
