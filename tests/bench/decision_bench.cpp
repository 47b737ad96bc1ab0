// SPDX-License-Identifier: Apache-2.0
// What a decision costs: from the first byte of a signed webhook to the answer in the agent's hands, through the real
// program with its log synced, against a bare write + fdatasync on the same disk in the same run. Also the time from start
// to ready, and the memory of a hub that waits.
//
//   decision_bench [directory]     a place on the disk to measure; the current directory if none is given
#include "audit/file_system.hpp"
#include "tests/bench/decision_agent.hpp"
#include "tests/bench/decision_world.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

namespace {

using namespace countersign;
using namespace countersign::bench;
using std::chrono::nanoseconds;

constexpr std::size_t decisions = 800;  // a round; below what one connection may ask, and one agent may have open
constexpr std::size_t bare_syncs = 800;
constexpr std::size_t line_bytes = 700;  // about a decision's record

nanoseconds percentile(std::vector<nanoseconds>& samples, std::size_t percent) {
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() * percent / 100);
    std::nth_element(samples.begin(), at, samples.end());
    return *at;
}

double microseconds(nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

void require(bool holds, const char* what) {
    if (!holds) give_up(what);
}

// The floor: a line of a record's length, written into zeros and synced.
void bare_loop(const std::string& path, std::vector<nanoseconds>& took) {
    auto file = audit::posix_file_system().open(path, audit::FileSystem::Mode::create);
    require(file.has_value(), "cannot create a file");
    require(audit::write_all(**file, 0, std::string(bare_syncs * line_bytes, '\0')).has_value(), "cannot write");
    require((*file)->sync().has_value(), "cannot sync");
    const std::string line(line_bytes, 'x');
    for (std::size_t i = 0; i < bare_syncs; ++i) {
        const auto start = now();
        require(audit::write_all(**file, i * line_bytes, line).has_value(), "cannot write");
        require((*file)->sync().has_value(), "cannot sync");
        took.push_back(now() - start);
    }
}

void report(const char* what, std::vector<nanoseconds>& took, nanoseconds bare, nanoseconds whole) {
    const auto median = percentile(took, 50);
    std::printf("%-28s p50 %7.0f us   p99 %7.0f us   %6.0f /s   %.2f bare syncs\n", what, microseconds(median),
                microseconds(percentile(took, 99)),
                static_cast<double>(took.size()) / std::chrono::duration<double>(whole).count(),
                microseconds(median) / microseconds(bare));
}

std::vector<std::uint16_t> wait_for_ports(const Program& program) {
    for (int tries = 0; tries < 60'000; ++tries) {
        auto ports = program.ports(2);
        if (ports.size() == 2) return ports;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    give_up("the program does not listen: " + program.said());
}

void measure(const std::string& directory, const std::string& self) {
    std::vector<nanoseconds> bare;
    bare_loop(directory + "/bare-before", bare);

    DecisionWorld world{directory};
    const auto started = now();
    const Program program{COUNTERSIGN_BINARY,
                          {"run", "event", "--agent", "bench", "--state", directory + "/state", "--config",
                           world.config_file(), "--", self, "agent", world.agent_socket()},
                          directory + "/output"};
    // Its channel asks who it is before anything listens, so the world must answer meanwhile.
    std::thread answering{[&] { world.accept_agent(); }};
    const auto ports = wait_for_ports(program);
    const auto ready = now() - started;
    answering.join();
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    std::printf("start to ready               %7.1f ms\nmemory of an idle hub        %7.1f MiB\n",
                microseconds(ready) / 1000, static_cast<double>(program.resident_kib()) / 1024);

    struct Round {
        std::size_t clients;
        std::vector<nanoseconds> took;
        nanoseconds whole;
    };
    std::vector<Round> rounds;
    for (const std::size_t clients : {1, 8, 64}) {
        world.ask(decisions);
        const auto start = now();
        auto took = world.tap_all(ports.front(), clients);
        rounds.push_back({clients, std::move(took), now() - start});
    }
    bare_loop(directory + "/bare-after", bare);
    nanoseconds whole{0};
    for (const auto one : bare) whole += one;
    const auto floor = percentile(bare, 50);
    report("bare write + fdatasync", bare, floor, whole);
    for (auto& round : rounds) {
        const auto name = "decision, " + std::to_string(round.clients) + " tapping";
        report(name.c_str(), round.took, floor, round.whole);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view{argv[1]} == "agent") return run_decision_agent(argv[2]);
    auto directory = std::filesystem::absolute(argc > 1 ? argv[1] : ".").string() + "/decision_bench-XXXXXX";
    require(::mkdtemp(directory.data()) != nullptr, "cannot make a directory");
    measure(directory, std::filesystem::read_symlink("/proc/self/exe").string());
    std::filesystem::remove_all(directory);
    return 0;
}
