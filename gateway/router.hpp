// SPDX-License-Identifier: Apache-2.0
// Router: finds the handler for a request by method and path, as received. Nothing is decoded or normalised, so each
// path has one spelling and belongs to one handler.
#pragma once

#include "core/ports/inbound.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::gateway {

struct Endpoint {
    std::string method;
    std::string path;  // a part in braces is a parameter: /approvals/{id}
    std::string name;  // for the log, which never contains a path
    std::size_t body_bytes_max = 0;
    Inbound* handler = nullptr;    // borrowed; must outlive the server
    bool counts_refusals = false;  // its 401 and 403 count against the client
};

class Router {
public:
    // Errc::bad_config for two routes that match the same request, a path that no request can have, or too many routes.
    static Result<Router> make(std::vector<Endpoint> routes);

    struct Found {
        const Endpoint* route;
        std::vector<PathParameter> parameters;
    };
    struct NotFound {};
    struct NotAllowed {
        std::string allow;  // the methods that this path accepts
    };
    [[nodiscard]] std::variant<Found, NotFound, NotAllowed> find(std::string_view method, std::string_view path) const;

private:
    std::vector<Endpoint> routes_;
};

}  // namespace countersign::gateway
