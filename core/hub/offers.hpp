// SPDX-License-Identifier: Apache-2.0
// Offers: the options that people are offered for a request. Equal lists are shared: with the request itself if people
// see its options unchanged, else with the previous list, because an agent's options rarely change between calls.
#pragma once

#include "core/configuration.hpp"
#include "core/option.hpp"
#include "core/ports/offered.hpp"
#include "core/request.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace countersign {

class Offers {
public:
    [[nodiscard]] Offered of(const std::shared_ptr<const Request>& request, AlwaysMode always) {
        const auto* approval = request->approval();
        if (approval == nullptr) return {};
        auto options =
            offered(approval->options,
                    {.always = always, .may_grant = request->judgement.may_grant, .grant_note = request->grant_note});
        if (options == approval->options) {
            return Offered{std::shared_ptr<const std::vector<Option>>{request, &approval->options}};
        }
        auto& last = last_[request->runtime];
        if (!std::ranges::equal(last, options)) last = std::move(options);
        return last;
    }

private:
    std::map<std::string, Offered> last_;  // by kind of runtime
};

}  // namespace countersign
