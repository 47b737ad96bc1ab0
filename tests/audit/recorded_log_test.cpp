// SPDX-License-Identifier: Apache-2.0
#include "tests/audit/recorded_log.hpp"

#include "audit/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace countersign::audit {
namespace {

namespace fs = std::filesystem;

const fs::path of_this_version{COUNTERSIGN_SOURCE_DIR "/tests/data/logs/" COUNTERSIGN_VERSION};

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

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

TEST(RecordedLog, IsReproducible) { EXPECT_EQ(make_recorded_logs(), make_recorded_logs()); }

// The kinds that audit/FORMAT.md lists, without the reserved ones.
std::set<std::string> kinds_of_the_page() {
    const auto page = contents(COUNTERSIGN_SOURCE_DIR "/audit/FORMAT.md");
    const auto row = page.find("| `kind` |");
    auto words = page.substr(row, page.find('\n', row) - row);
    words.resize(words.find("Reserved"));
    std::set<std::string> kinds;
    for (auto at = words.find('`', 8); at != std::string::npos; at = words.find('`', words.find('`', at + 1) + 1)) {
        kinds.insert(words.substr(at + 1, words.find('`', at + 1) - at - 1));
    }
    return kinds;
}

// As in the sources: `{.kind = "…", .fields = …}`.
std::set<std::string> kinds_of_the_sources() {
    const std::regex written{R"re(\.kind = "([a-z_]+)",\s*\.fields)re"};
    std::set<std::string> kinds;
    for (const auto* folder : {"app", "audit", "channels", "core", "runtimes"}) {
        for (const auto& file : fs::recursive_directory_iterator{fs::path{COUNTERSIGN_SOURCE_DIR} / folder}) {
            if (file.path().extension() != ".cpp") continue;
            const auto text = contents(file.path());
            const std::sregex_iterator end;
            for (std::sregex_iterator found{text.begin(), text.end(), written}; found != end; ++found) {
                kinds.insert((*found)[1]);
            }
        }
    }
    return kinds;
}

TEST(RecordedLog, TheDocumentationListsEveryKindThatTheProgramWrites) {
    const auto written = kinds_of_the_sources();
    EXPECT_GT(written.size(), 20U);
    EXPECT_THAT(kinds_of_the_page(), testing::IsSupersetOf(written));
}

// If you add a kind, record the log of the unreleased version again: tests/data/README.md says how.
TEST(RecordedLog, ContainsEveryDocumentedKind) {
    auto kinds = kinds_of_the_page();
    kinds.insert("lantern");
    EXPECT_THAT(kinds_in(make_recorded_logs()), testing::ContainerEq(kinds));
    std::map<std::string, std::string> kept;
    for (const auto& file : fs::recursive_directory_iterator{of_this_version}) {
        if (file.is_regular_file()) kept[file.path().string()] = contents(file.path());
    }
    EXPECT_THAT(kinds_in(kept), testing::ContainerEq(kinds));
}

// COUNTERSIGN_RECORD_LOG=1 writes the log of this version. An existing one was written by an earlier program and is
// never overwritten.
TEST(RecordedLog, OfThisVersionIsKept) {
    const auto& place = of_this_version;
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
