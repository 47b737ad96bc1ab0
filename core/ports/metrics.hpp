// SPDX-License-Identifier: Apache-2.0
// Metrics: numbers about the program for monitoring. The composition root implements it; the metrics page reads it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace countersign {

// One metric family in the Prometheus sense. We choose the names and label names; a label's value may be any text.
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
    // Returns at once, from known values.
    [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
};

}  // namespace countersign
