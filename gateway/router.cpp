// SPDX-License-Identifier: Apache-2.0
#include "gateway/router.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::gateway {
namespace {

bool is_plain(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '-' || symbol == '_' || symbol == '.' || symbol == '/';
}

// No proxy in front rewrites such a path: nothing to decode, no empty or dotted part.
bool is_plain_path(std::string_view path) {
    if (!path.starts_with('/') || path.size() > limits::gateway_target_bytes_max) return false;
    if (!std::ranges::all_of(path, is_plain)) return false;
    return path.find("//") == path.npos && path.find("/.") == path.npos;
}

}  // namespace

Result<Router> Router::make(std::vector<Route> routes) {
    if (routes.size() > limits::gateway_routes_max) {
        return Error{Errc::bad_config, "more than " + std::to_string(limits::gateway_routes_max) + " HTTP routes"};
    }
    for (auto route = routes.begin(); route != routes.end(); ++route) {
        if (!is_plain_path(route->path) || route->handler == nullptr) {
            return Error{Errc::bad_config, "the HTTP route " + route->name +
                                               " has no plain path: use letters, digits, '-', '_' and '.' in its name"};
        }
        const bool twice = std::any_of(routes.begin(), route, [&](const Route& other) {
            return other.method == route->method && other.path == route->path;
        });
        if (twice) return Error{Errc::bad_config, "two HTTP routes have the path " + route->path + ": rename one"};
    }
    Router router;
    router.routes_ = std::move(routes);
    return router;
}

std::variant<const Route*, Router::NotFound, Router::NotAllowed> Router::find(std::string_view method,
                                                                              std::string_view target) const {
    NotAllowed others;
    for (const auto& route : routes_) {
        if (route.path != target) continue;
        if (route.method == method) return &route;
        others.allow += (others.allow.empty() ? "" : ", ") + route.method;
    }
    if (others.allow.empty()) return NotFound{};
    return others;
}

}  // namespace countersign::gateway
