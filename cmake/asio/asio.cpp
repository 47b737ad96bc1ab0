// SPDX-License-Identifier: Apache-2.0
// Asio's own functions, compiled once: in every source that uses them they cost a fifth of the build.
#include <boost/asio/impl/src.hpp>
