// SPDX-License-Identifier: Apache-2.0
// What Discord's types allow, as a JSON schema made at test time from the pinned discord-api-types.
//
// problemOf(type, body) is for what an app sends, checkOwn(type, value) for what the simulator sends: it must not drift
// from what a real app receives. The lengths that Discord's documents name, which no type has, are in
// discord/limits.mjs.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { SchemaOfTypes, folderOf } from './schema_of_types.mjs';

const typesPackage = 'discord-api-types';

// The generator takes two helpers of the types wrongly, and would want objects where they mean strings, numbers and
// lists: a mapped type leaves those as they are, and so does `& {}`, which is NonNullable. It gets a copy of the types
// with helpers that it understands.
const helpers = [
    [/(_AddUndefinedToPossiblyUndefinedPropertiesOfInterface<Base> = )\{[^}]*\}/, '$1Base'],
    [/NonNullable<T\[P\]>/, 'Exclude<T[P], null | undefined>'],
];
function copyOfTypes(scratch) {
    const copy = join(scratch, typesPackage);
    const isType = (path) => !extname(path) || path.endsWith('.d.ts');
    cpSync(folderOf(typesPackage), copy, { recursive: true, filter: isType });
    const file = join(copy, 'utils/internals.d.ts');
    const changed = helpers.reduce(
        (text, [theirs, ours]) => {
            if (!theirs.test(text)) throw new Error(`${typesPackage} has changed: see helpers`);
            return text.replace(theirs, ours);
        },
        readFileSync(file, 'utf8'),
    );
    writeFileSync(file, changed);
    return copy;
}

const source = (scratch) => {
    const types = copyOfTypes(scratch);
    return `
import type * as rest from "${types}/rest/v10/index";
import type * as payloads from "${types}/payloads/v10/index";
import type * as gateway from "${types}/gateway/v10";
export type Message = rest.RESTPostAPIChannelMessageJSONBody;
export type MessageEdit = rest.RESTPatchAPIChannelMessageJSONBody;
export type Followup = payloads.APIInteractionResponseCallbackData;
export type FollowupEdit = rest.RESTPatchAPIWebhookWithTokenMessageJSONBody;
export type ResponsePong = payloads.APIInteractionResponsePong;
export type ResponseReply = payloads.APIInteractionResponseChannelMessageWithSource;
export type ResponseDeferredReply = payloads.APIInteractionResponseDeferredChannelMessageWithSource;
export type ResponseDeferredUpdate = payloads.APIInteractionResponseDeferredMessageUpdate;
export type ResponseUpdate = payloads.APIInteractionResponseUpdateMessage;
export type ResponseModal = payloads.APIModalInteractionResponse;
export type Thread = rest.RESTPostAPIChannelMessagesThreadsJSONBody;
export type DirectChannel = rest.RESTPostAPICurrentUserCreateDMChannelJSONBody;
export type Commands = rest.RESTPutAPIApplicationCommandsJSONBody;
export type Command = rest.RESTPostAPIApplicationCommandsJSONBody;
export type GuildCommand = rest.RESTPostAPIApplicationGuildCommandsJSONBody;
export type GuildCommands = rest.RESTPutAPIApplicationGuildCommandsJSONBody;
export type ApplicationEdit = rest.RESTPatchCurrentApplicationJSONBody;
export type Identify = gateway.GatewayIdentifyData;
export type Resume = gateway.GatewayResumeData;
export type OwnMessage = payloads.APIMessage;
export type OwnMessageCreate = gateway.GatewayMessageCreateDispatchData;
export type OwnClick = payloads.APIMessageComponentInteraction;
export type OwnSubmit = payloads.APIModalSubmitInteraction;
export type OwnSlash = payloads.APIChatInputApplicationCommandInteraction;
export type OwnPing = payloads.APIPingInteraction;
export type OwnReady = gateway.GatewayReadyDispatchData;
export type OwnApplication = payloads.APIApplication;
export type OwnGuilds = rest.RESTGetAPICurrentUserGuildsResult;
export type OwnTextChannel = payloads.APITextChannel;
export type OwnVoiceChannel = payloads.APIGuildVoiceChannel;
export type OwnUser = payloads.APIUser;
export type OwnGateway = rest.RESTGetAPIGatewayBotResult;
`;
};

// An enum of flags is a set of bits in truth, and an id has only digits.
function adjust(definitions) {
    for (const [name, definition] of Object.entries(definitions)) {
        if (/Flags$/.test(name) && definition.enum) definitions[name] = { type: 'integer', minimum: 0 };
    }
    definitions.Snowflake.pattern = '^[0-9]{1,20}$';
}

const schema = new SchemaOfTypes({ name: 'discord', typesPackage, madeBy: import.meta.url, source, adjust });

// The same words for all: null, or {at, code, message} as in discord/limits.mjs.
function problem(type, value) {
    const found = schema.problem(type, value);
    if (!found) return null;
    const at = found.path.split('/').slice(1);
    return { at, code: 'STRICT', message: `strict: ${type}: ${found.words}` };
}

// discord.js says with every message that no nonce is enforced, though only new messages in a channel have one.
function withoutNonce(body) {
    const { enforce_nonce: enforced, ...rest } = body ?? {};
    return enforced === false ? rest : body;
}

// A response is one of nine types: only the one that was meant says what is wrong.
const responseTypes = {
    1: 'Pong',
    4: 'Reply',
    5: 'DeferredReply',
    6: 'DeferredUpdate',
    7: 'Update',
    9: 'Modal',
};
export function problemOf(type, body) {
    if (type === 'Followup') return problem(type, withoutNonce(body));
    if (type !== 'Response') return problem(type, body);
    const name = responseTypes[body?.type];
    if (name) return problem(`Response${name}`, body.data ? { ...body, data: withoutNonce(body.data) } : body);
    return { at: ['type'], code: 'STRICT', message: `strict: a response of type ${body?.type} is not imitated` };
}

export function checkOwn(type, value) {
    const wrong = problem(`Own${type}`, value);
    if (!wrong) return;
    throw new Error(`the simulator made a wrong ${type}: ${wrong.message}\n${JSON.stringify(value, null, 1)}`);
}
