// SPDX-License-Identifier: Apache-2.0
// The quality of redaction: how many generated secrets are hidden, and how many innocent texts are changed, by context.
#include "tests/fakes/secret_corpus.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>

namespace {

double percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_recall() {
    const countersign::security::Redactor redactor{
        countersign::security::Secret{std::string_view{"the key of the benchmark's masks"}}, {}};
    std::printf("\n%-14s %8s %8s %8s   %9s %8s %8s\n", "context", "secrets", "hidden", "recall", "innocents", "masked",
                "rate");
    for (const auto& [context, secrets, innocents] : countersign::fakes::measure(redactor, 1, nullptr)) {
        const auto masked = innocents.samples - innocents.right;
        std::printf("%-14s %8zu %8zu %7.1f%%   %9zu %8zu %7.1f%%\n", context.c_str(), secrets.samples, secrets.right,
                    percent(secrets.right, secrets.samples), innocents.samples, masked,
                    percent(masked, innocents.samples));
    }
    const auto nameless = countersign::fakes::measure_nameless(redactor, 1);
    std::printf("%-14s %8zu %8zu %7.1f%%   not in the sum: plain hex and UUIDs without a name\n", "nameless",
                nameless.samples, nameless.right, percent(nameless.right, nameless.samples));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    print_recall();
    return 0;
}
