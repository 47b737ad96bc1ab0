// SPDX-License-Identifier: Apache-2.0
#include "net/tail.hpp"

namespace countersign::net {
namespace {

constexpr std::string_view line_ends = "\r\n";

}  // namespace

void Tail::push(std::string_view bytes) {
    kept_ += bytes;
    if (kept_.size() <= bytes_max_) return;
    const auto excess = kept_.size() - bytes_max_;
    within_a_line_ = line_ends.find(kept_[excess - 1]) == line_ends.npos;
    kept_.erase(0, excess);
}

std::string Tail::text() const {
    if (!within_a_line_) return kept_;
    const auto end = kept_.find_first_of(line_ends);
    return end == kept_.npos ? std::string{} : kept_.substr(end + 1);
}

}  // namespace countersign::net
