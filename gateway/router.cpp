// SPDX-License-Identifier: Apache-2.0
#include "gateway/router.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <optional>

namespace countersign::gateway {
namespace {

bool is_plain(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '-' || symbol == '_' || symbol == '.';
}

// A part that no proxy would rewrite: nothing to decode, and neither "." nor "..".
bool is_plain_part(std::string_view part) {
    return !part.empty() && !part.starts_with('.') && std::ranges::all_of(part, is_plain);
}

// The name of a parameter part in braces; empty for other parts.
std::string_view parameter_of(std::string_view part) {
    if (part.size() < 3 || !part.starts_with('{') || !part.ends_with('}')) return {};
    return part.substr(1, part.size() - 2);
}

// Removes the first part of a path, which begins with '/', and returns it.
std::string_view take_part(std::string_view& path) {
    path.remove_prefix(1);
    const auto part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    return part;
}

bool can_be_asked_for(std::string_view path) {
    if (!path.starts_with('/') || path.size() > limits::gateway_target_bytes_max) return false;
    if (path == "/") return true;
    while (!path.empty()) {
        const auto part = take_part(path);
        if (!is_plain_part(parameter_of(part).empty() ? part : parameter_of(part))) return false;
    }
    return true;
}

// The parameters if the path matches this pattern.
std::optional<std::vector<PathParameter>> match(std::string_view pattern, std::string_view path) {
    std::vector<PathParameter> parameters;
    while (!pattern.empty() && path.starts_with('/')) {
        const auto wanted = take_part(pattern);
        const auto part = take_part(path);
        if (const auto name = parameter_of(wanted); !name.empty()) {
            if (!is_plain_part(part)) return std::nullopt;
            parameters.push_back({std::string{name}, std::string{part}});
        } else if (part != wanted) {
            return std::nullopt;
        }
    }
    if (!pattern.empty() || !path.empty()) return std::nullopt;
    return parameters;
}

// Whether some path matches both patterns.
bool overlap(std::string_view one, std::string_view other) {
    while (!one.empty() && !other.empty()) {
        const auto left = take_part(one);
        const auto right = take_part(other);
        if (left != right && parameter_of(left).empty() && parameter_of(right).empty()) return false;
    }
    return one.empty() && other.empty();
}

}  // namespace

Result<Router> Router::make(std::vector<Endpoint> routes) {
    if (routes.size() > limits::gateway_routes_max) {
        return Error{Errc::bad_config, "more than " + std::to_string(limits::gateway_routes_max) + " HTTP routes"};
    }
    for (auto route = routes.begin(); route != routes.end(); ++route) {
        if (!can_be_asked_for(route->path) || route->handler == nullptr) {
            return Error{Errc::bad_config, "the HTTP route " + route->name +
                                               " has no plain path: use letters, digits, '-', '_' and '.' in its name"};
        }
        const bool twice = std::any_of(routes.begin(), route, [&](const Endpoint& other) {
            return other.method == route->method && overlap(other.path, route->path);
        });
        if (twice) return Error{Errc::bad_config, "two HTTP routes have the path " + route->path + ": rename one"};
    }
    Router router;
    router.routes_ = std::move(routes);
    return router;
}

std::variant<Router::Found, Router::NotFound, Router::NotAllowed> Router::find(std::string_view method,
                                                                               std::string_view path) const {
    NotAllowed others;
    for (const auto& route : routes_) {
        auto parameters = match(route.path, path);
        if (!parameters) continue;
        if (route.method == method) return Found{&route, std::move(*parameters)};
        others.allow += (others.allow.empty() ? "" : ", ") + route.method;
    }
    if (others.allow.empty()) return NotFound{};
    return others;
}

}  // namespace countersign::gateway
