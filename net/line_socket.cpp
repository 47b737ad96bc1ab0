// SPDX-License-Identifier: Apache-2.0
#include "net/line_socket.hpp"

#include "net/http_address.hpp"
#include "net/line_stream.hpp"
#include "net/wait_ready.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr& get() const { return reinterpret_cast<const sockaddr&>(storage); }
};

template <class Address> SocketAddress stored(const Address& address) {
    SocketAddress result{.size = sizeof address};
    std::memcpy(&result.storage, &address, sizeof address);
    return result;
}

Result<SocketAddress> read_address(const UnixAddress& address) {
    sockaddr_un local{.sun_family = AF_UNIX, .sun_path = {}};
    if (address.path.empty() || address.path.size() >= sizeof local.sun_path ||
        address.path.find('\0') != std::string::npos) {
        return Error{Errc::malformed, "the path of a unix socket has 1 to " +
                                          std::to_string(sizeof local.sun_path - 1) + " bytes, none of them NUL"};
    }
    std::ranges::copy(address.path, local.sun_path);
    return stored(local);
}

Result<SocketAddress> read_address(const LoopbackAddress& address) {
    SocketAddress result;
    sockaddr_in four{.sin_family = AF_INET, .sin_port = htons(address.port), .sin_addr = {}, .sin_zero = {}};
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(address.port);
    if (::inet_pton(AF_INET, address.host.c_str(), &four.sin_addr) == 1) {
        result = stored(four);
    } else if (::inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr) == 1) {
        result = stored(six);
    } else {
        return Error{Errc::malformed, "the address of a line socket is not a literal IP address"};
    }
    if (!is_loopback(result.get())) {
        return Error{Errc::unsupported, "a line socket outside this machine: only loopback addresses are connected to"};
    }
    return result;
}

Error refused(int number) {
    return {Errc::away, "no agent accepts a connection there: " + std::system_category().message(number)};
}

}  // namespace

asio::awaitable<Result<std::unique_ptr<MessageStream>>> connect_lines(asio::any_io_executor executor,
                                                                      LocalAddress address, LineSocketOptions options) {
    const auto where = std::visit([](const auto& one) { return read_address(one); }, address);
    if (!where) co_return where.error();
    const int number = ::socket(where->get().sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (number < 0) co_return Error{Errc::unavailable, "socket: " + std::system_category().message(errno)};
    asio::posix::stream_descriptor socket{executor, number};

    int failed = ::connect(number, &where->get(), where->size) == 0 ? 0 : errno;
    if (failed == EINPROGRESS) {
        const auto until = std::chrono::steady_clock::now() + options.connect_max;
        const auto waited = co_await wait_ready(socket, asio::posix::stream_descriptor::wait_write, until);
        if (waited) co_return Error{Errc::away, "the agent did not accept the connection in time"};
        socklen_t size = sizeof failed;
        ::getsockopt(number, SOL_SOCKET, SO_ERROR, &failed, &size);
    }
    if (failed != 0) co_return refused(failed);
    auto bytes = descriptor_bytes(executor, number, number, options.descriptors);
    if (!bytes) co_return bytes.error();
    co_return std::unique_ptr<MessageStream>{
        std::make_unique<LineStream>(std::move(*bytes), options.message_bytes_max)};
}

}  // namespace countersign::net
