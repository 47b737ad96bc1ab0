// SPDX-License-Identifier: Apache-2.0
// Any bytes as git's files: the values come from them, each on one line, without a user name or password before a host.
#include "runtimes/workplace.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace countersign::runtimes;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    if (const auto branch = branch_in(text)) {
        require(!branch->empty() && branch->find('\n') == std::string::npos);
        require(branch->starts_with("HEAD ") || text.find(*branch) != std::string::npos);
    }
    const auto origin = origin_in(text);
    if (origin) require(!origin->empty() && origin->find('\n') == std::string::npos);
    for (const auto& url : {text, origin.value_or("")}) {
        const auto repository = repository_of(url);
        require(repository.size() <= url.size());
        require(repository.find('@') == std::string::npos);
    }
    return 0;
}
