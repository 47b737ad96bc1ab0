// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace countersign::runtimes {

// Does something when its scope ends, also when an exception or a cancellation ends it.
template <class Action> class [[nodiscard]] AtEnd {
public:
    explicit AtEnd(Action action) : action_{std::move(action)} {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { action_(); }

private:
    Action action_;
};

}  // namespace countersign::runtimes
