// SPDX-License-Identifier: Apache-2.0
// Discord's REST API, version 10: what each route does. Bodies are checked here; calls are counted before.
import { checkOwn, problemOf } from '../discord_schema.mjs';
import * as refusal from './api_error.mjs';
import { check, checkNotEmpty } from './interactions.mjs';
import { problemsOfCommands, problemsOfOneCommand, problemsOfThread } from './limits.mjs';
import { channelType } from './world.mjs';

function checkType(type, body, more = function* none() {}) {
    const wrong = problemOf(type, body);
    const problems = wrong ? [wrong] : [...more(body)];
    if (problems.length) throw refusal.invalidForm(problems);
}

const ok = (body) => ({ status: 200, body });
const done = { status: 204 };

function needsOf(channel, body, files) {
    return [
        channel?.type === channelType.thread ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES',
        ...(body.embeds?.length ? ['EMBED_LINKS'] : []),
        ...(files.length ? ['ATTACH_FILES'] : []),
    ];
}

// What a message answers must be there, unless the app said that it need not.
function withReference(world, channel, body) {
    const { message_id: id, fail_if_not_exists: must = true } = body.message_reference ?? {};
    if (!id) return body;
    if (channel.denied.has('READ_MESSAGE_HISTORY')) throw refusal.noHistory();
    if (world.messages.some((m) => m.id === id && m.channel === channel.id && !m.deleted)) return body;
    if (!must) return { ...body, message_reference: undefined };
    const at = ['message_reference'];
    throw refusal.invalidForm([{ at, code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
}

function post({ world, gateway }, { channel: id }, { body, files }) {
    const known = world.channels.get(id);
    const channel = world.channelFor(id, ...needsOf(known, body, files));
    if (channel.type === channelType.direct && !world.user(channel.recipient).direct) throw refusal.noDirectMessages();
    check('Message', body, { files });
    checkNotEmpty(body, files);
    const wanted = withReference(world, channel, body);
    const twin = world.twin({ author: world.bot.id, ...body });
    if (twin) return ok(world.messageObject(twin));
    channel.archived = false;
    const message = world.post(channel.id, wanted, files);
    gateway.announce(message);
    return ok(world.messageObject(message));
}

function edit({ world }, { channel: id, message: messageId }, { body, files }) {
    const channel = world.channelFor(id);
    const message = world.messageFor(id, messageId);
    if (message.author !== world.bot.id) throw refusal.notTheAuthor();
    if (channel.archived) throw refusal.archivedThread();
    check('MessageEdit', body, { files, edited: message });
    world.countEdit(message);
    world.edit(message, body, files);
    return ok(world.messageObject(message));
}

function remove({ world }, { channel, message: id }) {
    world.channelFor(channel);
    const message = world.messageFor(channel, id);
    if (message.author !== world.bot.id) throw refusal.missingPermissions();
    message.deleted = true;
    return done;
}

function startThread({ world }, { channel: id, message }, { body }) {
    const channel = world.channelFor(id, 'CREATE_PUBLIC_THREADS');
    checkType('Thread', body, problemsOfThread);
    if (channel.type !== channelType.text) throw refusal.wrongChannelType();
    return { status: 201, body: world.channelObject(world.startThread(world.messageFor(id, message), body)) };
}

function application({ world, simulator }) {
    const answer = {
        ...{ id: world.application, name: 'countersign', icon: null, description: '', verify_key: simulator.publicKey },
        ...{ bot_public: false, bot_require_code_grant: false, team: null, owner: world.userObject(world.owner) },
        ...{ flags: simulator.flags, flags_new: String(simulator.flags) },
        ...{ summary: '', interactions_endpoint_url: simulator.webhook, bot: { ...world.userObject(world.bot) } },
    };
    checkOwn('Application', { ...answer, interactions_endpoint_url: answer.interactions_endpoint_url ?? '' });
    return ok(answer);
}

// Discord takes the address of an app only after a proof that it checks signatures.
async function editApplication(context, params, { body }) {
    checkType('ApplicationEdit', body);
    const { interactions_endpoint_url: url } = body;
    if (url && !(await context.simulator.verify(url))) {
        const at = ['interactions_endpoint_url'];
        const message = 'The specified interactions endpoint url could not be verified.';
        throw refusal.invalidForm([{ at, code: 'APPLICATION_INTERACTIONS_ENDPOINT_INVALID', message }]);
    }
    if (url !== undefined) context.simulator.webhook = url || null;
    return application(context);
}

function checkCommandsPath({ world }, { application: id, guild = world.guild.id }) {
    if (id !== world.application || guild !== world.guild.id) throw refusal.missingAccess();
}
// In a guild only with the scope that the bot was added with.
function checkScope({ world }, { guild }) {
    if (guild && !(world.joined && world.scopes.has('applications.commands'))) throw refusal.missingAccess();
}

const commandObject = (world, guild, command) => ({
    ...{ id: world.id(), application_id: world.application, type: 1, version: world.id(), ...command },
    ...{ default_member_permissions: command.default_member_permissions ?? null, nsfw: false },
    ...(guild && { guild_id: guild }),
});

const setCommands =
    (type) =>
    (context, params, { body }) => {
        checkCommandsPath(context, params);
        checkScope(context, params);
        checkType(type, body, problemsOfCommands);
        const { world } = context;
        const commands = body.map((one) => commandObject(world, params.guild, one));
        world.commands.set(params.guild ?? 'everywhere', commands);
        return ok(commands);
    };

// A command of the same name is replaced.
const addCommand =
    (type) =>
    (context, params, { body }) => {
        checkCommandsPath(context, params);
        checkScope(context, params);
        checkType(type, body, problemsOfOneCommand);
        const { world } = context;
        const { guild = 'everywhere' } = params;
        const known = world.commands.get(guild) ?? [];
        const command = commandObject(world, params.guild, body);
        const others = known.filter(({ name }) => name !== body.name);
        world.commands.set(guild, [...others, command]);
        return { status: others.length < known.length ? 200 : 201, body: command };
    };
function getCommands(context, params) {
    checkCommandsPath(context, params);
    checkScope(context, params);
    return ok(context.world.commands.get(params.guild ?? 'everywhere') ?? []);
}
function removeCommand(context, params) {
    checkCommandsPath(context, params);
    checkScope(context, params);
    const { commands } = context.world;
    const { guild = 'everywhere' } = params;
    const known = commands.get(guild) ?? [];
    const others = known.filter(({ id }) => id !== params.command);
    if (others.length === known.length) throw refusal.unknownCommand();
    commands.set(guild, others);
    return done;
}

function guildOf(world, { guild }) {
    if (guild !== world.guild.id || !world.joined) throw refusal.unknownGuild();
}
function member({ world }, params) {
    guildOf(world, params);
    const id = params.user === '@me' ? world.bot.id : params.user;
    if (!world.users.has(id)) throw refusal.unknownMember();
    const { permissions, ...shown } = world.memberObject({ id });
    return ok(shown);
}

function ownGuilds({ world }, params, { query }) {
    const limit = Number(query.get('limit') ?? 200);
    if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
        const message = 'int value should be between 1 and 200.';
        throw refusal.invalidForm([{ at: ['limit'], code: 'NUMBER_TYPE_COERCE', message }]);
    }
    const guilds = world.joined ? [world.ownGuildObject()] : [];
    checkOwn('Guilds', guilds);
    return ok(guilds.slice(0, limit));
}
function channelsOf({ world }, params) {
    guildOf(world, params);
    const channels = world.channelsOfGuild();
    for (const one of channels) checkOwn(one.type === channelType.voice ? 'VoiceChannel' : 'TextChannel', one);
    return ok(channels);
}
function user({ world }, { user: id }) {
    if (!world.users.has(id)) throw refusal.unknownUser();
    const answer = world.userObject(world.user(id));
    checkOwn('User', answer);
    return ok(answer);
}

// The routes of an interaction take its token in the path, and no credential.
const open = { credential: false, outside: true };
export const routes = [
    ['GET', '/gateway', ({ gateway }) => ok({ url: gateway.url }), { credential: false }],
    ['GET', '/gateway/bot', ({ gateway }) => ok(gateway.info())],
    ['GET', '/users/@me', ({ world }) => ok({ ...world.userObject(world.bot), verified: true, mfa_enabled: false })],
    ['GET', '/users/@me/guilds', ownGuilds],
    ['GET', '/users/:user', user],
    ['GET', '/applications/@me', application],
    ['PATCH', '/applications/@me', editApplication],
    ['GET', '/oauth2/applications/@me', application],
    [
        'POST',
        '/users/@me/channels',
        ({ world }, params, { body }) => {
            checkType('DirectChannel', body);
            return ok(world.channelObject(world.directChannel(body.recipient_id)));
        },
    ],
    ['GET', '/channels/:channel', ({ world }, { channel }) => ok(world.channelObject(world.channelFor(channel)))],
    ['POST', '/channels/:channel/messages', post],
    [
        'GET',
        '/channels/:channel/messages/:message',
        ({ world }, { channel: id, message }) => {
            world.channelFor(id, 'READ_MESSAGE_HISTORY');
            return ok(world.messageObject(world.messageFor(id, message)));
        },
    ],
    ['PATCH', '/channels/:channel/messages/:message', edit],
    ['DELETE', '/channels/:channel/messages/:message', remove],
    ['POST', '/channels/:channel/messages/:message/threads', startThread],
    [
        'GET',
        '/guilds/:guild',
        ({ world }, params) => {
            guildOf(world, params);
            return ok(world.guildObject());
        },
    ],
    [
        'GET',
        '/guilds/:guild/roles',
        ({ world }, params) => {
            guildOf(world, params);
            return ok(world.roleObjects());
        },
    ],
    ['GET', '/guilds/:guild/channels', channelsOf],
    ['GET', '/guilds/:guild/members/:user', member],
    ['PUT', '/applications/:application/commands', setCommands('Commands')],
    ['POST', '/applications/:application/commands', addCommand('Command')],
    ['GET', '/applications/:application/commands', getCommands],
    ['DELETE', '/applications/:application/commands/:command', removeCommand],
    ['PUT', '/applications/:application/guilds/:guild/commands', setCommands('GuildCommands')],
    ['POST', '/applications/:application/guilds/:guild/commands', addCommand('GuildCommand')],
    ['GET', '/applications/:application/guilds/:guild/commands', getCommands],
    [
        'POST',
        '/interactions/:id/:token/callback',
        ({ world, interactions }, params, { body, files, query }) => {
            const shown = interactions.callback(params, body, files);
            if (query.get('with_response') !== 'true') return done;
            const about = shown && { response_message_id: shown.id, response_message_ephemeral: !!shown.ephemeral };
            const resource = { type: body.type, ...(shown && { message: world.messageObject(shown) }) };
            return ok({ interaction: { id: params.id, type: 3, ...about }, resource });
        },
        open,
    ],
    [
        'POST',
        '/webhooks/:application/:token',
        ({ world, interactions }, params, { body, files }) =>
            ok(world.messageObject(interactions.followUp(params, body, files))),
        open,
    ],
    [
        'GET',
        '/webhooks/:application/:token/messages/:message',
        ({ world, interactions }, params) => ok(world.messageObject(interactions.original(params).message)),
        open,
    ],
    [
        'PATCH',
        '/webhooks/:application/:token/messages/:message',
        ({ world, interactions }, params, { body, files }) =>
            ok(world.messageObject(interactions.editOriginal(params, body, files))),
        open,
    ],
    [
        'DELETE',
        '/webhooks/:application/:token/messages/:message',
        ({ interactions }, params) => {
            interactions.deleteOriginal(params);
            return done;
        },
        open,
    ],
].map(([method, path, run, { credential = true, outside = false } = {}]) => {
    const pattern = path.replace(/:(\w+)/g, '(?<$1>[^/]+)');
    return { name: `${method} ${path}`, method, pattern: new RegExp(`^${pattern}$`), run, credential, outside };
});

// {route, params}: null if there is none. Limits are kept for each channel, guild or webhook.
export function findRoute(method, path) {
    for (const route of routes) {
        const match = route.method === method && route.pattern.exec(path);
        if (!match) continue;
        const params = { ...match.groups };
        return { route, params, major: params.channel ?? params.guild ?? params.token ?? '' };
    }
    return null;
}
