// SPDX-License-Identifier: Apache-2.0
#include "net/descriptor_writer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

DescriptorWriter::DescriptorWriter(const asio::any_io_executor& executor, int descriptor, Options options)
    : options_{std::move(options)},
      descriptor_{executor, descriptor},
      flags_{::fcntl(descriptor, F_GETFL)},
      queue_{executor, options_.bytes_max} {
    // A peer that doesn't read must only block a coroutine, never the thread.
    descriptor_.non_blocking(true);
}

asio::awaitable<Result<void>> DescriptorWriter::write(std::string bytes) {
    using namespace asio::experimental::awaitable_operators;
    const auto turn = co_await queue_.enter(bytes.size());
    if (!turn) co_return Error{turn.error().code, options_.peer + " does not read its input"};
    // Usually there is room for everything at once; only otherwise wait, with a deadline.
    boost::system::error_code full;
    const auto rest = asio::buffer(bytes) + descriptor_.write_some(asio::buffer(bytes), full);
    if (rest.size() == 0) co_return Result<void>{};
    asio::steady_timer deadline{co_await asio::this_coro::executor, options_.write_max};
    const auto done = co_await (asio::async_write(descriptor_, rest, use_tuple) || deadline.async_wait(use_tuple));
    const auto error = done.index() == 0 ? std::get<0>(std::get<0>(done)) : asio::error::timed_out;
    if (!error) co_return Result<void>{};
    close();  // half a message may have been sent: nothing may follow it
    if (error == asio::error::timed_out) {
        co_return Error{Errc::timeout, options_.peer + " did not read its answer in time"};
    }
    co_return Error{Errc::unavailable, "writing to " + options_.peer + ": " + error.message()};
}

DescriptorWriter::~DescriptorWriter() { close(); }

void DescriptorWriter::close() {
    if (descriptor_.is_open()) ::fcntl(descriptor_.native_handle(), F_SETFL, flags_);
    boost::system::error_code ignored;
    descriptor_.close(ignored);
}

}  // namespace countersign::net
