// SPDX-License-Identifier: Apache-2.0
#include "core/json/value.hpp"

#include <algorithm>

namespace countersign::json {

Object::Object() = default;
Object::Object(std::initializer_list<Member> members) : members_{members} {}
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

const Value* Object::find(std::string_view name) const {
    const auto found = std::ranges::find(members_, name, &Member::first);
    return found == members_.end() ? nullptr : &found->second;
}

void Object::add(std::string name, Value value) { members_.emplace_back(std::move(name), std::move(value)); }

bool Object::empty() const { return members_.empty(); }

bool operator==(const Object& left, const Object& right) { return left.members_ == right.members_; }

}  // namespace countersign::json
