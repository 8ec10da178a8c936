/**
 * The operator's console: HTML on a listener of its own. Everything but the login needs a session; every form carries a token of the
 * session, and every request must name the console's own host.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stringify } from 'csv-stringify/sync';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { listenOn, type Server } from '../api/server/listen.ts';
import { errorMessage, OperatorError } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import {
  actorOf,
  beginLogin,
  begunLogin,
  consoleAddress,
  formTokenOf,
  isAllowed,
  isFormToken,
  LINK_MS,
  logIn,
  logInVouched,
  logOut,
  operatorOfSession,
  SESSION_MS,
  type SignedIn,
} from '../operations/operators.ts';
import { withAuthor } from '../write/log/author.ts';
import { ACTIONS } from './actions.ts';
import {
  ANY_TEXT,
  type Asked,
  type ConsoleContext,
  type Field,
  type Flash,
  type Given,
  oneOf,
  type Param,
  REASON,
  type Screen,
  type View,
  wrongField,
} from './console.ts';
import { CALLBACK_PATH, PROVIDER_PATH, providerOf } from './oidc.ts';
import {
  ASSETS,
  type Choices,
  type Frame,
  faultPage,
  liveHtml,
  loggedInPage,
  loginPage,
  noOperatorPage,
  offersTo,
  pageHtml,
  strangerPage,
  wrongParamPage,
} from './page.ts';
import { SCREENS } from './screens.ts';
import { addressOf, recordsOf, type Table, tablesOf } from './view.ts';

const ACTIONS_BY_NAME = new Map(ACTIONS.map((action) => [action.name, action]));

const SESSION = 'sightline_console';
/** What a login through a provider is held against. */
const TICKET = 'sightline_console_login';
const BODY_LIMIT = 256 * 1_024;

const resolve = createRequire(import.meta.url).resolve;
const own = (name: string): URL => new URL(`./assets/${name}`, import.meta.url);

/** Files of pages, read once. */
const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = Object.fromEntries(
  (
    [
      [ASSETS.icon, 'image/svg+xml', own('icon.svg')],
      [ASSETS.css, 'text/css', own('console.css')],
      [ASSETS.plotCss, 'text/css', resolve('uplot/dist/uPlot.min.css')],
      [ASSETS.plot, 'text/javascript', resolve('uplot/dist/uPlot.iife.min.js')],
      [ASSETS.htmx, 'text/javascript', resolve('htmx.org/dist/htmx.min.js')],
      [ASSETS.csp, 'text/javascript', resolve('htmx.org/dist/ext/hx-csp.min.js')],
      [ASSETS.script, 'text/javascript', own('console.js')],
    ] as const
  ).map(([path, type, file]) => [path, { type, text: readFileSync(file, 'utf8') }]),
);

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Without any, browsers send forms with the origin "null".
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const sendPage = (reply: FastifyReply, page: string, status = 200, nonce = newNonce()): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(nonce))
    .send(page);

const noPage = (): string => faultPage('Not found', 'The console has no such page.');

const newNonce = (): string => randomBytes(18).toString('base64url');

const textsOf = (given: unknown): Given =>
  Object.fromEntries(
    Object.entries((given ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

/** Fields of a form. What has several values has them with commas. */
const fieldsOf = (sent: URLSearchParams): Given =>
  Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name).join(',')]));

/** The value of a cookie; null without it. */
const cookieIn = (request: FastifyRequest, cookie: string): string | null => {
  for (const each of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = each.trim().split('=');
    if (name === cookie && value !== '') return value;
  }
  return null;
};

/** A path of this console: an address elsewhere is none. */
const backOf = (text: string | undefined): string =>
  text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/';

/** Who sends a request, and with which session. */
interface Visitor extends SignedIn {
  readonly session: string;
}

/** How long what a screen read is shown to others who ask for the same. */
const SHARED_MS = 1_500;
/** Screens that are kept for that. */
const MAX_SHARED = 500;

/** What was read for an address lately, so that any number of open pages cost one reading. */
const createShared = () => {
  const views = new Map<string, { readonly atMs: number; readonly view: Promise<View> }>();
  /** @param isFresh reads it anew, for all. */
  return (address: string, read: () => Promise<View>, isFresh: boolean): Promise<View> => {
    const nowMs = performance.now();
    const known = isFresh ? undefined : views.get(address);
    if (known !== undefined && nowMs - known.atMs < SHARED_MS) return known.view;
    if (views.size >= MAX_SHARED) views.clear();
    const view = read();
    views.set(address, { atMs: nowMs, view });
    view.catch(() => views.delete(address));
    return view;
  };
};

/** A parameter of an address that is wrong. */
interface Wrong {
  readonly name: string;
  readonly allowed: string;
}

/** Parameters that tables have; the part of a table that is shown begins at `<table>.from`. */
const TABLE_PARAMS: Readonly<Record<string, Param>> = {
  sort: ANY_TEXT,
  table: ANY_TEXT,
  export: oneOf(['csv', 'ndjson']),
};
const isFrom = (name: string): boolean => name.endsWith('.from');
const ROW: Param = { allowed: 'the number of a row', isValid: (text) => /^\d{1,9}$/.test(text) };

/** The first parameter that a screen does not take; null if it takes all. */
const wrongParam = ({ query: own = {} }: Screen, query: Given): Wrong | null => {
  const known: Readonly<Record<string, Param>> = { ...own, ...TABLE_PARAMS };
  for (const [name, text] of Object.entries(query)) {
    const param = isFrom(name) ? ROW : Object.hasOwn(known, name) ? known[name] : undefined;
    if (param === undefined) return { name, allowed: `the parameters ${Object.keys(known).join(', ')}` };
    if (!param.isValid(text)) return { name, allowed: param.allowed };
  }
  return query.export !== undefined && query.table === undefined
    ? { name: 'export', allowed: 'with the parameter table' }
    : null;
};

/** The first parameter that names a table or a head which the screen does not show; null if there is none. */
const wrongTableParam = (view: View, query: Given): Wrong | null => {
  const tables = tablesOf(view.live);
  const ids = tables.map(({ id }) => id);
  const heads = tables.flatMap(({ id, heads: of }) => of.map((head) => `${id}.${head}`));
  for (const [name, text] of Object.entries(query)) {
    const allowed =
      name === 'table' ? ids : name === 'sort' ? heads : isFrom(name) ? ids.map((id) => `${id}.from`) : null;
    const asked = isFrom(name) ? name : name === 'sort' ? text.replace(/^-/, '') : text;
    if (allowed !== null && !allowed.includes(asked))
      return {
        name,
        allowed: allowed.length === 0 ? 'nothing: the screen shows no table' : oneOf(allowed).allowed,
      };
  }
  return null;
};

const asExport = (reply: FastifyReply, view: View, { query }: Asked): FastifyReply => {
  const found = tablesOf(view.live).find(({ id }) => id === query.table) as Table;
  const isCsv = query.export === 'csv';
  const name = found.id.replace(/[^\w-]/g, '_');
  reply.header('content-disposition', `attachment; filename="${name}.${isCsv ? 'csv' : 'ndjson'}"`);
  return isCsv
    ? reply
        .type('text/csv; charset=utf-8')
        .send(
          stringify([...found.values], { header: true, columns: [...found.heads], escape_formulas: true }),
        )
    : reply.type('application/x-ndjson').send(
        recordsOf(found)
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      );
};

/** Registers the console's routes. @param origins by which browsers may reach it. */
const registerConsole = (
  app: FastifyInstance,
  context: ConsoleContext,
  origins: () => readonly string[],
): void => {
  const shared = createShared();
  const flashes = new Map<string, Flash>();
  const isSecure = () => origins()[0]?.startsWith('https:') === true;
  const cookieName = (name: string) => (isSecure() ? `__Host-${name}` : name);
  const cookie = (name: string, value: string, seconds: number, sameSite: 'Strict' | 'Lax') =>
    `${cookieName(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure() ? '; Secure' : ''}`;
  const cookieOf = (session: string, seconds: number) => cookie(SESSION, session, seconds, 'Strict');
  const ticketOf = (ticket: string, seconds: number) => cookie(TICKET, ticket, seconds, 'Lax');
  const provider = providerOf(context.config);
  const stranger = (why: string): string => strangerPage(why, provider?.host ?? null);

  const visitorOf = async (request: FastifyRequest): Promise<Visitor | null> => {
    const session = cookieIn(request, cookieName(SESSION));
    const found = session === null ? null : await operatorOfSession(context, session);
    return session === null || found === null ? null : { ...found, session };
  };

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_, body, done) => done(null, fieldsOf(new URLSearchParams(body as string))),
  );

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const hosts = origins().map((origin) => new URL(origin).host);
    // Another name that leads here is a page of somebody else: its scripts would act as this console.
    if (!hosts.includes(request.headers.host ?? ''))
      return sendPage(reply, faultPage('Unknown host', `This console is at ${origins()[0]}.`), 421);
    const { origin } = request.headers;
    if (request.method === 'POST' && (origin === undefined || !origins().includes(origin)))
      return sendPage(reply, faultPage('Refused', 'The form was sent by another site.'), 403);
    return undefined;
  });

  // What no database stores is nobody's name, and no value of a field.
  app.addHook('preHandler', async (request, reply) => {
    const given = [request.params, request.query, request.body].flatMap((part) =>
      Object.values(textsOf(part)),
    );
    return given.every(isStorable) ? undefined : sendPage(reply, noPage(), 404);
  });

  for (const [path, { type, text }] of Object.entries(FILES))
    app.get(path, (_, reply) => reply.type(type).header('cache-control', 'max-age=3600').send(text));

  app.get('/login', (request, reply) => {
    const { token } = textsOf(request.query);
    return sendPage(reply, token === undefined ? stranger('You are not logged in.') : loginPage(token));
  });

  app.post('/login', async (request, reply) => {
    const session = await logIn(context, textsOf(request.body).token ?? '');
    if (session === null)
      return sendPage(reply, stranger('The link is too old, or it was used already.'), 403);
    return reply.header('set-cookie', cookieOf(session, SESSION_MS / 1_000)).redirect('/', 303);
  });

  if (provider !== null) {
    app.get(PROVIDER_PATH, async (_, reply) => {
      const { ticket, checks } = await beginLogin(context);
      const to = await provider.askAt(checks).catch((error: unknown) => {
        context.logger.warn({ err: errorMessage(error) }, 'the provider of logins does not answer');
        return null;
      });
      if (to === null) return sendPage(reply, stranger(`${provider.host} does not answer.`), 503);
      return reply.header('set-cookie', ticketOf(ticket, LINK_MS / 1_000)).redirect(to.href, 303);
    });

    // The provider sends the browser here: no cookie of the session comes along, and the ticket does.
    app.get(CALLBACK_PATH, async (request, reply) => {
      const ticket = cookieIn(request, cookieName(TICKET)) ?? '';
      reply.header('set-cookie', ticketOf('', 0));
      const checks = await begunLogin(context, ticket);
      if (checks === null)
        return sendPage(reply, stranger('This login is too old, or it began in another browser.'), 403);
      const answer = await provider.vouchedFor(new URL(request.url, provider.callback).searchParams, checks);
      if (answer.email === null) {
        context.logger.warn(
          { err: answer.error, why: answer.why },
          'a login through the provider was refused',
        );
        return sendPage(reply, stranger(answer.why), answer.isDown ? 503 : 403);
      }
      const session = await logInVouched(context, answer.email, ticket);
      if (session === null) {
        context.logger.warn('a login through the provider was refused: it names no operator, or was used');
        return sendPage(reply, noOperatorPage(answer.email), 403);
      }
      // A redirect would still come from the provider's site, without the cookie: this page goes on by itself.
      return sendPage(
        reply.header('set-cookie', [ticketOf('', 0), cookieOf(session, SESSION_MS / 1_000)]),
        loggedInPage(),
      );
    });
  }

  /** A visitor whose form this is; null after an answer. */
  const senderOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Visitor | null> => {
    const visitor = await visitorOf(request);
    if (visitor === null) {
      sendPage(reply, stranger('You are not logged in, or your session has ended.'), 401);
      return null;
    }
    if (isFormToken(visitor.session, textsOf(request.body).form_token ?? '')) return visitor;
    sendPage(reply, faultPage('Refused', 'The form belongs to another session: load the page again.'), 403);
    return null;
  };

  app.post('/logout', async (request, reply) => {
    const visitor = await senderOf(request, reply);
    if (visitor === null) return reply;
    await logOut(context, visitor.session);
    return reply.header('set-cookie', cookieOf('', 0)).redirect('/login', 303);
  });

  app.post('/actions/:action', async (request, reply) => {
    const visitor = await senderOf(request, reply);
    if (visitor === null) return reply;
    const action = ACTIONS_BY_NAME.get(textsOf(request.params).action ?? '');
    if (action === undefined) return sendPage(reply, faultPage('Not found', 'There is no such action.'), 404);
    if (!isAllowed(visitor.role, action.role))
      return sendPage(
        reply,
        faultPage('Not allowed', `${action.label}: this needs the role ${action.role}.`),
        403,
      );
    const given = textsOf(request.body);
    const author = { actor: actorOf(visitor.operator), reason: given.reason?.trim() ?? '' };
    const signed = { ...context, log: withAuthor(context.log, author) };
    const wrong = wrongField(action, given);
    const refuse = (text: string, field: string | null): Flash => {
      const kept = [...action.fields, REASON].filter(({ isSecret, name }) => !isSecret && name in given);
      const typed = Object.fromEntries(kept.map(({ name }) => [name, given[name] ?? '']));
      return { isGood: false, text, refused: { action: action.name, field, given: typed } };
    };
    const done = async (): Promise<Flash> => {
      try {
        return { isGood: true, text: await action.run(signed, { ...given, reason: author.reason }) };
      } catch (error) {
        if (!(error instanceof OperatorError))
          context.logger.error({ err: error, action: action.name }, 'an action of the console failed');
        return refuse(errorMessage(error), null);
      }
    };
    const flash = wrong === null ? await done() : refuse(wrong.text, wrong.field);
    flashes.set(visitor.session, flash);
    return reply.redirect(backOf(given.back), 303);
  });

  /** What can be chosen now in fields of forms. */
  const choicesOf = async (fields: readonly Field[]): Promise<Choices> =>
    new Map(
      await Promise.all(
        [...new Set(fields)].flatMap((field) => {
          const { options } = field;
          return typeof options === 'function'
            ? [options(context).then((choices) => [field, choices] as const)]
            : [];
        }),
      ),
    );

  /** Answers an address that asks for what there is not. */
  const sendWrong = (reply: FastifyReply, asked: Asked, { name, allowed }: Wrong): FastifyReply =>
    sendPage(
      reply,
      wrongParamPage(name, asked.query[name] ?? 'given twice', allowed, addressOf(asked, { [name]: null })),
      400,
    );

  const show = async (screen: Screen, request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitorOf(request);
    if (visitor === null)
      return sendPage(reply, stranger('You are not logged in, or your session has ended.'), 401);
    const asked = {
      path: new URL(request.url, 'http://console').pathname,
      // Forms send empty fields too.
      query: Object.fromEntries(Object.entries(textsOf(request.query)).filter(([, text]) => text !== '')),
      params: textsOf(request.params),
    };
    const repeated = Object.entries(request.query as object).find(
      ([, value]) => typeof value !== 'string',
    )?.[0];
    const wrong =
      repeated === undefined ? wrongParam(screen, asked.query) : { name: repeated, allowed: 'given once' };
    if (wrong !== null) return sendWrong(reply, asked, wrong);
    // After an action of one's own the page shows what it did.
    const flash = flashes.get(visitor.session) ?? null;
    const { export: _, table: __, ...query } = asked.query;
    const read = () => screen.show(context, asked);
    const view = await shared(addressOf({ ...asked, query }, {}), read, flash !== null);
    if (view.to !== undefined) return reply.redirect(view.to, 303);
    const wrongOfTable = wrongTableParam(view, asked.query);
    if (wrongOfTable !== null) return sendWrong(reply, asked, wrongOfTable);
    if (asked.query.export !== undefined) return asExport(reply, view, asked);
    const live = liveHtml(view, asked);
    const nonce = newNonce();
    if (request.headers['hx-request'] === 'true') return sendPage(reply, live, 200, nonce);
    flashes.delete(visitor.session);
    const base = { actions: ACTIONS_BY_NAME, signedIn: visitor, flash };
    const frame: Frame = {
      ...base,
      screens: SCREENS,
      formToken: formTokenOf(visitor.session),
      nonce,
      choices: await choicesOf(offersTo(base, view).flatMap(({ action }) => action.fields)),
    };
    return sendPage(reply, pageHtml(frame, view, live, asked, screen.everyS), 200, nonce);
  };

  for (const screen of SCREENS) app.get(screen.path, (request, reply) => show(screen, request, reply));

  app.setNotFoundHandler((_, reply) => sendPage(reply, noPage(), 404));
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof OperatorError) return sendPage(reply, faultPage('Not found', error.message), 404);
    const status = (error as { readonly statusCode?: number }).statusCode ?? 500;
    if (status < 500) return sendPage(reply, faultPage('Refused', errorMessage(error)), status);
    context.logger.error({ err: error, url: request.url }, 'a page of the console failed');
    return sendPage(
      reply,
      faultPage('Not available', `The page could not be made: ${errorMessage(error)}`),
      503,
    );
  });
};

/**
 * Starts the console. @throws {OperatorError} `console_origin_missing`; and if the address is in use.
 * @returns its server, and the origin by which browsers reach it.
 */
export const startConsole = async (
  context: ConsoleContext,
): Promise<Server & { readonly origin: string }> => {
  const { CONSOLE_HOST: host, CONSOLE_PORT: port, CONSOLE_ORIGIN } = context.config;
  // Before anything listens.
  consoleAddress(context.config);
  let origins: readonly string[] = [];
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    // An address that can't be decoded.
    frameworkErrors: (_error, _request, reply) => {
      sendPage(reply as unknown as FastifyReply, noPage(), 404);
    },
  }) as unknown as FastifyInstance;
  registerConsole(app, context, () => origins);
  const server = await listenOn(app, { host, port });
  const origin = consoleAddress(context.config, Number(new URL(server.url).port || 80));
  origins =
    CONSOLE_ORIGIN === undefined
      ? [origin, origin.replace(/\/\/[^/]*:(\d+)$/, '//localhost:$1')]
      : [CONSOLE_ORIGIN];
  context.logger.info({ console: origin }, 'console started');
  return { ...server, origin };
};
