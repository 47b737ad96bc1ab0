// SPDX-License-Identifier: Apache-2.0
// What a decision costs: from the first byte of a signed webhook to the answer in the agent's hands, through the real
// program with its log synced, against a bare write + fdatasync on the same disk in the same run. Also the time from
// start to ready, and the memory of a hub that waits.
//
//   decision_bench [directory]     a place on the disk to measure; the current directory if none is given
#include "audit/file_system.hpp"
#include "tests/bench/decision_agent.hpp"
#include "tests/bench/decision_world.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string_view>
#include <thread>

namespace {

using namespace countersign;
using namespace countersign::bench;
using std::chrono::nanoseconds;

constexpr std::size_t rounds = 3;  // of one person tapping
constexpr std::size_t bare_syncs = rounds * decisions_a_round;
constexpr std::size_t line_bytes = 700;  // about the size of a decision's record

nanoseconds percentile(std::vector<nanoseconds>& samples, std::size_t percent) {
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() * percent / 100);
    std::nth_element(samples.begin(), at, samples.end());
    return *at;
}

double microseconds(nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

void require(bool holds, const char* what) {
    if (!holds) give_up(what);
}

// The lower bound: a line of a record's length, written over zeros and synced.
class BareFile {
public:
    explicit BareFile(const std::string& path) {
        auto opened = audit::posix_file_system().open(path, audit::FileSystem::Mode::create);
        require(opened.has_value(), "cannot create a file");
        file_ = std::move(*opened);
        require(audit::write_all(*file_, 0, std::string(bare_syncs * line_bytes, '\0')).has_value(), "cannot write");
        require(file_->sync().has_value(), "cannot sync");
    }
    void write_and_sync() {
        const auto start = now();
        require(audit::write_all(*file_, took_.size() * line_bytes, line_).has_value(), "cannot write");
        require(file_->sync().has_value(), "cannot sync");
        took_.push_back(now() - start);
    }
    [[nodiscard]] std::vector<nanoseconds>& took() { return took_; }

private:
    std::unique_ptr<audit::File> file_;
    std::string line_ = std::string(line_bytes, 'x');
    std::vector<nanoseconds> took_;
};

nanoseconds sum(const std::vector<nanoseconds>& times) {
    return std::accumulate(times.begin(), times.end(), nanoseconds{0});
}

void report(const std::string& what, std::vector<nanoseconds>& took, nanoseconds whole) {
    std::printf("%-44s p50 %7.0f us   p99 %7.0f us   %6.0f /s\n", what.c_str(), microseconds(percentile(took, 50)),
                microseconds(percentile(took, 99)),
                static_cast<double>(took.size()) / std::chrono::duration<double>(whole).count());
}

double ratio(std::vector<nanoseconds>& took, std::vector<nanoseconds>& floor) {
    return microseconds(percentile(took, 50)) / microseconds(percentile(floor, 50));
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
    DecisionWorld world{directory};
    const auto started = now();
    const Program program{COUNTERSIGN_BINARY,
                          {"run", "event", "--agent", "bench", "--state", directory + "/state", "--config",
                           world.config_file(), "--", self, "agent", world.agent_socket()},
                          directory + "/output"};
    // Its channel calls getMe before anything listens, so the world must answer meanwhile.
    std::thread answering{[&] { world.accept_agent(); }};
    const auto ports = wait_for_ports(program);
    const auto ready = now() - started;
    answering.join();
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    std::printf("start to ready %43.1f ms\nmemory of an idle hub %36.1f MiB\n", microseconds(ready) / 1000,
                static_cast<double>(program.resident_kib()) / 1024);

    // An idle disk takes longer for a sync than a busy one, so the lower bound for one person's taps is measured
    // between them: decision, bare sync, decision, bare sync.
    BareFile between{directory + "/bare-between"};
    std::vector<nanoseconds> one;
    for (std::size_t round = 0; round < rounds; ++round) {
        world.ask();
        const auto took = world.tap_all(ports.front(), 1, [&] { between.write_and_sync(); });
        one.insert(one.end(), took.begin(), took.end());
    }
    BareFile loop{directory + "/bare-loop"};
    while (loop.took().size() < bare_syncs) loop.write_and_sync();
    report("bare write + fdatasync, one after another", loop.took(), sum(loop.took()));
    report("bare write + fdatasync, between decisions", between.took(), sum(between.took()));
    report("decision, 1 tapping", one, sum(one));
    std::printf("  p50 in bare syncs: %.2f of those between decisions, %.2f of those one after another\n",
                ratio(one, between.took()), ratio(one, loop.took()));
    for (const std::size_t clients : {8, 64}) {
        world.ask();
        const auto start = now();
        auto took = world.tap_all(ports.front(), clients);
        report("decision, " + std::to_string(clients) + " tapping at once", took, now() - start);
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
