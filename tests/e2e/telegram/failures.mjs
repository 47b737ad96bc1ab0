// SPDX-License-Identifier: Apache-2.0
// Failures on order. Each is for one method, or '*', and a number of times.
//   {kind: 'error', code, description, parameters}   any refusal
//   {kind: 'flood', retryAfter}                      429
//   {kind: 'server', status = 502}                   what a broken front server says: not JSON
//   {kind: 'drop'}                                   the connection ends, the method did not run
//   {kind: 'cut'}                                    the method ran, the connection ends in the middle of the answer
//   {kind: 'hang'}                                   no answer at all until the simulator closes
import { ApiError } from './api_error.mjs';

const kinds = ['error', 'flood', 'server', 'drop', 'cut', 'hang'];

export function checkKind({ kind }) {
    if (!kinds.includes(kind)) throw new Error(`no failure of kind "${kind}"; there are: ${kinds.join(', ')}`);
}

// The refusal that a failure of kind error or flood is.
export function refusal({
    kind,
    code = 400,
    description = 'Bad Request: ordered by the test',
    parameters,
    retryAfter = 1,
}) {
    if (kind === 'flood')
        return new ApiError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
    return new ApiError(code, description, parameters);
}
