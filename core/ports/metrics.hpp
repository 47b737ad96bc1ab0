// SPDX-License-Identifier: Apache-2.0
// Metrics: numbers about the program for whoever watches it. Whoever joins the parts implements it; the page asks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace countersign {

// One family, in the words of Prometheus. Names and label names are ours; a label's value may be anything.
struct Metric {
    struct Sample {
        std::vector<std::pair<std::string, std::string>> labels = {};
        std::uint64_t value = 0;
    };
    std::string name;
    std::string help;  // one sentence
    enum class Kind { counter, gauge } kind = Kind::counter;
    std::vector<Sample> samples = {};
};

class Metrics {
public:
    virtual ~Metrics() = default;
    // Answers at once, from what is known.
    [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
};

}  // namespace countersign
