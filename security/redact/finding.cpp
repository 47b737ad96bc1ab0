// SPDX-License-Identifier: Apache-2.0
#include "security/redact/finding.hpp"

#include <algorithm>
#include <tuple>

namespace countersign::security {

Findings united(Findings findings) {
    std::erase_if(findings, [](const Finding& finding) { return finding.begin >= finding.end; });
    const auto order = [](const Finding& finding) {
        return std::tuple{finding.begin, finding.evidence, ~finding.end, finding.rule};
    };
    std::ranges::sort(findings, {}, order);
    Findings joined;
    for (const auto& finding : findings) {
        if (joined.empty() || finding.begin >= joined.back().end) {
            joined.push_back(finding);
            continue;
        }
        auto& last = joined.back();
        if (finding.evidence < last.evidence) {
            last.rule = finding.rule;
            last.evidence = finding.evidence;
        }
        last.end = std::max(last.end, finding.end);
    }
    return joined;
}

}  // namespace countersign::security
