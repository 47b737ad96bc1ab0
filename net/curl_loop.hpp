// SPDX-License-Identifier: Apache-2.0
// CurlLoop: runs libcurl's transfers on our event loop. libcurl says which sockets and which time it waits for; Asio
// waits and reports back. Everything runs on the executor's one thread.
//
// libcurl opens and closes the sockets. A descriptor here only watches one and is released, never closed: closing it
// would free a number that libcurl, or another owner by then, still uses.
#pragma once

#include "net/curl_handles.hpp"
#include "net/curl_task.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <unordered_map>

namespace countersign::net {

class CurlLoop {
public:
    explicit CurlLoop(boost::asio::any_io_executor executor);
    CurlLoop(const CurlLoop&) = delete;
    CurlLoop& operator=(const CurlLoop&) = delete;
    ~CurlLoop();  // every running transfer ends with an error

    // Runs the task until it finishes or is dropped. Errc::busy past http_transfers_max.
    Result<void> start(std::shared_ptr<CurlTask> task);
    // Removes the task from libcurl; its connection is closed unless other transfers share it. Wakes no one.
    void drop(const CurlTask& task);

private:
    struct Watched;
    using Wait = boost::asio::posix::stream_descriptor::wait_type;

    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known);
    static int on_timer(CURLM*, long milliseconds, void* self);
    void watch(curl_socket_t socket, int what, bool known);
    void forget(curl_socket_t socket);
    void wait_as_wanted(const std::shared_ptr<Watched>& watched);
    void wait(const std::shared_ptr<Watched>& watched, Wait event, bool& waiting);
    void act(curl_socket_t socket, int events);

    boost::asio::any_io_executor executor_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<const bool> alive_;  // lets queued handlers see that the loop is gone
    std::unordered_map<curl_socket_t, std::shared_ptr<Watched>> watched_;
    std::unordered_map<CURL*, std::shared_ptr<CurlTask>> running_;
    CurlMulti multi_;  // last: its destruction still calls on_socket
};

// A started task. When its owner stops waiting, e.g. by a deadline or cancellation, the task is dropped.
class RunningTask {
public:
    RunningTask(std::weak_ptr<CurlLoop> loop, std::shared_ptr<const CurlTask> task)
        : loop_{std::move(loop)}, task_{std::move(task)} {}
    RunningTask(const RunningTask&) = delete;
    RunningTask& operator=(const RunningTask&) = delete;
    ~RunningTask() {
        if (const auto loop = loop_.lock()) loop->drop(*task_);
    }

private:
    std::weak_ptr<CurlLoop> loop_;
    std::shared_ptr<const CurlTask> task_;
};

}  // namespace countersign::net
