// SPDX-License-Identifier: Apache-2.0
// What Discord answers when it refuses: a status, a code of its own, and for a form a tree that names each field.
//
// A refusal that Discord does not have, because it would ignore the fault, begins with `strict:`.
export class ApiError extends Error {
    constructor(status, code, message, { errors, headers = {}, ...more } = {}) {
        super(message);
        Object.assign(this, { status, code, errors, headers, more });
    }
    body() {
        const { code, message, errors, more } = this;
        return { message, code, ...(errors && { errors }), ...more };
    }
    // For a log: the refusal with the field that was wrong.
    words() {
        return `${this.code} ${this.message}${this.errors ? ` ${JSON.stringify(this.errors)}` : ''}`;
    }
}

// problems: [{at: [field or index, …], code, message}]
export function invalidForm(problems) {
    const errors = {};
    for (const { at, code, message } of problems) {
        let node = errors;
        for (const step of at) node = node[step] ??= {};
        (node._errors ??= []).push({ code, message });
    }
    return new ApiError(400, 50035, 'Invalid Form Body', { errors });
}

export const strict = (words) => new ApiError(400, 0, `strict: ${words}`);
export const notFound = () => new ApiError(404, 0, '404: Not Found');
export const unauthorized = () => new ApiError(401, 0, '401: Unauthorized');
export const unknownChannel = () => new ApiError(404, 10003, 'Unknown Channel');
export const unknownGuild = () => new ApiError(404, 10004, 'Unknown Guild');
export const unknownMember = () => new ApiError(404, 10007, 'Unknown Member');
export const unknownUser = () => new ApiError(404, 10013, 'Unknown User');
export const unknownMessage = () => new ApiError(404, 10008, 'Unknown Message');
export const unknownWebhook = () => new ApiError(404, 10015, 'Unknown Webhook');
export const unknownCommand = () => new ApiError(404, 10063, 'Unknown application command');
export const unknownInteraction = () => new ApiError(404, 10062, 'Unknown interaction');
export const alreadyAcknowledged = () => new ApiError(400, 40060, 'Interaction has already been acknowledged.');
export const tooLarge = () => new ApiError(413, 40005, 'Request entity too large');
export const badUserAgent = () => new ApiError(403, 40333, 'internal network error');
export const tooManyFiles = () => new ApiError(400, 30015, 'Maximum number of attachments in a message reached (10)');
export const wrongChannelType = () => new ApiError(400, 50024, 'Cannot execute action on this channel type');
export const missingAccess = () => new ApiError(403, 50001, 'Missing Access');
export const notTheAuthor = () => new ApiError(403, 50005, 'Cannot edit a message authored by another user');
export const emptyMessage = () => new ApiError(400, 50006, 'Cannot send an empty message');
export const noDirectMessages = () => new ApiError(403, 50007, 'Cannot send messages to this user');
export const missingPermissions = () => new ApiError(403, 50013, 'Missing Permissions');
export const expiredToken = () => new ApiError(401, 50027, 'Invalid Webhook Token');
export const invalidRecipient = () => new ApiError(400, 50033, 'Invalid Recipient(s)');
export const archivedThread = () => new ApiError(400, 50083, 'Thread is archived');
export const invalidJson = () => new ApiError(400, 50109, 'The request body contains invalid JSON.');
export const noHistory = () => new ApiError(403, 160002, 'Cannot reply without permission to read message history');
export const threadExists = () => new ApiError(400, 160004, 'A thread has already been created for this message');
