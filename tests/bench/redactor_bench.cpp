// SPDX-License-Identifier: Apache-2.0
// The cost of redaction: microseconds per kilobyte, for ordinary text and for text made to be slow. What it finds is
// printed after that (redactor_recall.cpp).
#include "security/redact/redactor.hpp"

#include <benchmark/benchmark.h>
#include <ctime>
#include <string>
#include <string_view>

namespace {

using countersign::security::Redactor;
using countersign::security::Secret;

const Redactor& redactor() {
    static const Redactor one{Secret{std::string_view{"the key of the benchmark's masks"}},
                              {{"a secret of the daemon"}}};
    return one;
}

std::string repeated(std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += unit;
    return text;
}

// CPU time of this thread, which is the same on a busy machine.
double cpu_microseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

void redact(benchmark::State& state, std::string_view unit) {
    const auto text = repeated(unit, static_cast<std::size_t>(state.range(0)));
    benchmark::DoNotOptimize(redactor().text(text));
    const auto begin = cpu_microseconds();
    for (auto _ : state) benchmark::DoNotOptimize(redactor().text(text));
    const auto kibibytes = static_cast<double>(text.size()) / 1024.0 * static_cast<double>(state.iterations());
    state.counters["us_per_KiB"] = (cpu_microseconds() - begin) / kibibytes;
}

constexpr std::string_view command = "cd /home/bob/work && git fetch origin && git rebase --autostash origin/main && "
                                     "cmake --build build --target all -- -j4 2>&1 | tee build.log; ";
constexpr std::string_view code = "    for (const auto& entry : entries_) {\n"
                                  "        if (entry.second.expires < now) continue;  // late is the same as no\n"
                                  "        result.push_back(std::make_pair(entry.first, lookup(entry.second.name)));\n"
                                  "    }\n    return Result<std::vector<Token>>{std::move(result)};\n\n";
constexpr std::string_view json =
    R"({"tool_name":"Edit","tool_input":{"file_path":"/srv/app/src/main.ts","old_string":)"
    R"("const a = 1;\n","new_string":"const token = await next();\n"},"session":"0f"})"
    "\n";
constexpr std::string_view leaking =
    "curl -H 'Authorization: Bearer abcdef123456' -u bob:hunter2 https://example.com/?token=x1y2\n";
constexpr std::string_view hostile = "key=\"";

BENCHMARK_CAPTURE(redact, ordinary_command, command)->Arg(1024)->Arg(64 * 1024);
BENCHMARK_CAPTURE(redact, ordinary_code, code)->Arg(1024)->Arg(64 * 1024);
BENCHMARK_CAPTURE(redact, ordinary_json, json)->Arg(1024)->Arg(64 * 1024);
BENCHMARK_CAPTURE(redact, leaking, leaking)->Arg(1024)->Arg(64 * 1024);
BENCHMARK_CAPTURE(redact, hostile, hostile)->Arg(64 * 1024);

}  // namespace
