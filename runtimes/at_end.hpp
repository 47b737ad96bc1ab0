// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace countersign::runtimes {

// Runs an action when its scope ends, even by an exception or a cancellation.
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
