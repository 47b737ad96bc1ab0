// SPDX-License-Identifier: Apache-2.0
#include "tests/audit/recorded_log.hpp"

#include "audit/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace countersign::audit {
namespace {

namespace fs = std::filesystem;

std::set<std::string> kinds_in(const std::map<std::string, std::string>& files) {
    std::set<std::string> kinds;
    for (const auto& [path, bytes] : files) {
        std::istringstream lines{path.find("/seg-") == std::string::npos ? std::string{} : bytes};
        for (std::string line; std::getline(lines, line);) {
            const auto record = parse_record(line.substr(0, line.find('\t')));
            if (record) kinds.insert(record->kind);
        }
    }
    return kinds;
}

TEST(RecordedLog, IsMadeTheSameTwice) { EXPECT_EQ(make_recorded_logs(), make_recorded_logs()); }

TEST(RecordedLog, HasEveryKindThatIsWritten) {
    EXPECT_THAT(kinds_in(make_recorded_logs()),
                testing::ElementsAre("anchor", "concluded", "config", "dead_letter", "decision", "ended",
                                     "forward_failed", "forwarded", "grant", "heartbeat", "indeterminate", "key",
                                     "lantern", "presented", "recovery", "refused", "request", "seal", "start", "stop",
                                     "turned_away", "unasked", "unreadable", "vote"));
}

// COUNTERSIGN_RECORD_LOG=1 writes that of this version. One that is there is what an earlier program wrote, and is
// never written again.
TEST(RecordedLog, OfThisVersionIsKept) {
    const fs::path place{COUNTERSIGN_SOURCE_DIR "/tests/data/logs/" COUNTERSIGN_VERSION};
    if (std::getenv("COUNTERSIGN_RECORD_LOG") != nullptr) {
        ASSERT_FALSE(fs::exists(place)) << place << " is there";
        for (const auto& [path, bytes] : make_recorded_logs()) {
            fs::create_directories((place / path).parent_path());
            std::ofstream{place / path, std::ios::binary} << bytes;
        }
    }
    EXPECT_TRUE(fs::exists(place / "state/audit/log.vkey")) << "make it with COUNTERSIGN_RECORD_LOG=1";
}

}  // namespace
}  // namespace countersign::audit
