// SPDX-License-Identifier: Apache-2.0
// A refusal in Telegram's own words: {ok: false, error_code, description, parameters}.
export class ApiError extends Error {
    constructor(code, description, parameters) {
        super(description);
        this.code = code;
        this.parameters = parameters;
    }

    body() {
        const parameters = this.parameters ? { parameters: this.parameters } : {};
        return { ok: false, error_code: this.code, description: this.message, ...parameters };
    }
}

export const badRequest = (what, parameters) => new ApiError(400, `Bad Request: ${what}`, parameters);
