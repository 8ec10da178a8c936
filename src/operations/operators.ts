/** Operators of the console: who they are, and how they log in. */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isoOf, systemClock } from '../kernel/clock.ts';
import { isLoopback } from '../kernel/config.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { handleCommand } from '../write/log/command-handler.ts';
import type { EventLog } from '../write/log/port.ts';
import {
  OPERATOR_ROLES,
  OPERATORS_STREAM,
  type OperatorEvent,
  type OperatorRole,
  type OperatorState,
  operatorDecider,
  signedIn,
} from '../write/operators.ts';
import { cursorSecrets } from '../write/secrets.ts';
import type { OperationsContext } from './context.ts';
import { runningConsole } from './health/processes.ts';

export { isAllowed, OPERATOR_ROLES, type OperatorRole, SESSION_MS } from '../write/operators.ts';

/**
 * The origin by which browsers reach the console.
 * @param port where it listens; CONSOLE_PORT by default.
 * @throws {OperatorError} `console_origin_missing` if others than this machine could reach it, by an unknown name.
 */
export const consoleAddress = (
  { CONSOLE_HOST: host, CONSOLE_PORT, CONSOLE_ORIGIN: origin }: OperationsContext['config'],
  port = CONSOLE_PORT,
): string => {
  if (origin !== undefined) return origin;
  if (!isLoopback(host))
    throw new OperatorError(
      'console_origin_missing',
      `The console listens on ${host}, and CONSOLE_ORIGIN does not say by which address browsers reach it.`,
    );
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

type Context = Pick<OperationsContext, 'db' | 'log'>;

/** The origin of the console that runs. @throws {OperatorError} `console_not_running` */
export const consoleOrigin = async ({ db }: Pick<Context, 'db'>): Promise<string> => {
  const origin = await runningConsole(db);
  if (origin !== null) return origin;
  throw new OperatorError('console_not_running', 'No process of the service serves the console.');
};

/** How events name an operator who caused them. */
export const actorOf = (operator: string): string => `operator:${operator}`;

/** How long a login link works, and a login through a provider may take. */
export const LINK_MS = 5 * 60_000;

/** A name, or an e-mail address, which a provider of OpenID Connect vouches for. */
const NAME = /^(?=.{1,60}$)[a-z0-9][a-z0-9._+-]*(?:@[a-z0-9][a-z0-9.-]*)?$/;

const decide = (
  log: EventLog,
  choose: (state: OperatorState) => readonly OperatorEvent[],
  actor?: string,
): Promise<{ readonly events: readonly OperatorEvent[]; readonly state: OperatorState }> =>
  handleCommand(log, operatorDecider, OPERATORS_STREAM, choose, {
    nowMs: systemClock.now(),
    ...(actor === undefined ? {} : { metadata: { actor } }),
  });

/** States as of a revision: a console asks at every request, and reads only what is new. */
const known = new WeakMap<EventLog, { readonly state: OperatorState; readonly revision: bigint }>();

const stateOf = async (log: EventLog): Promise<OperatorState> => {
  const { initial, evolve } = operatorDecider;
  const before = known.get(log) ?? { state: initial, revision: -1n };
  const added = await log.readStream(OPERATORS_STREAM, { from: before.revision + 1n });
  const last = added.at(-1);
  if (last === undefined) return before.state;
  const state = (added as unknown as readonly OperatorEvent[]).reduce(
    // Event types that only a newer program knows change nothing.
    (sum, event) => evolve(sum, event) ?? sum,
    before.state,
  );
  known.set(log, { state, revision: last.revision });
  return state;
};

export interface OperatorListing {
  readonly operator: string;
  readonly role: OperatorRole;
  /** Sessions that have not ended. */
  readonly sessions: number;
}

export const listOperators = async ({ log }: Pick<Context, 'log'>): Promise<readonly OperatorListing[]> => {
  const state = await stateOf(log);
  const nowMs = systemClock.now();
  const open = [...state.sessions].filter(([session]) => signedIn(state, session, nowMs) !== null);
  return [...state.roles]
    .map(([operator, role]) => ({
      operator,
      role,
      sessions: open.filter(([, session]) => session.operator === operator).length,
    }))
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
};

/**
 * Adds an operator, or changes the role of one.
 * @returns whether that changed anything.
 * @throws {OperatorError} `argument_invalid`
 */
export const addOperator = async (
  { log }: Pick<Context, 'log'>,
  operator: string,
  role: string,
): Promise<boolean> => {
  if (!NAME.test(operator))
    throw new OperatorError(
      'argument_invalid',
      `"${operator}" can't be the name of an operator: 1 to 60 of a-z, 0-9 and ._+- are allowed, or an e-mail address in small letters.`,
    );
  const known = OPERATOR_ROLES.find((each) => each === role);
  if (known === undefined)
    throw new OperatorError(
      'argument_invalid',
      `"${role}" is no role. The roles are: ${OPERATOR_ROLES.join(', ')}`,
    );
  const { events } = await decide(log, ({ roles }) =>
    roles.get(operator) === known
      ? []
      : [{ type: 'OperatorAdded', data: { at: isoOf(systemClock.now()), operator, role: known } }],
  );
  return events.length > 0;
};

const unknownOperator = (operator: string): OperatorError =>
  new OperatorError('operator_unknown', `There is no operator ${operator}.`, { params: { operator } });

/** Removes an operator; the sessions end at once. @throws {OperatorError} `operator_unknown` */
export const removeOperator = async ({ log }: Pick<Context, 'log'>, operator: string): Promise<void> => {
  await decide(log, ({ roles }) => {
    if (!roles.has(operator)) throw unknownOperator(operator);
    return [{ type: 'OperatorRemoved', data: { at: isoOf(systemClock.now()), operator } }];
  });
};

/** The keys of links, newest first: of another domain than the cursors that the secrets seal. */
const keysOf = async (db: Db): Promise<readonly Buffer[]> =>
  (await cursorSecrets.load(db)).map(({ secret }) =>
    createHmac('sha256', secret).update('sightline console').digest(),
  );

const macOf = (key: Buffer, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose} ${text}`).digest('base64url');

const isEqual = (a: string, b: string): boolean => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a token is for: one of another purpose is none. */
type Purpose = 'login' | 'provider';

const signedToken = async (db: Db, purpose: Purpose, subject: string): Promise<string> => {
  const [key] = await keysOf(db);
  const text = `${subject}~${systemClock.now() + LINK_MS}~${randomBytes(18).toString('base64url')}`;
  return `${text}~${macOf(key as Buffer, purpose, text)}`;
};

/**
 * The token of a link by which an operator logs in: once, and within five minutes.
 * @throws {OperatorError} `operator_unknown`
 */
export const loginToken = async ({ db, log }: Context, operator: string): Promise<string> => {
  if (!(await stateOf(log)).roles.has(operator)) throw unknownOperator(operator);
  return signedToken(db, 'login', operator);
};

/** Whom a valid token names; null if it is none, of another purpose, or too old. */
const subjectOf = async (db: Db, purpose: Purpose, token: string): Promise<string | null> => {
  const keys = await keysOf(db);
  const end = token.lastIndexOf('~');
  const text = token.slice(0, Math.max(0, end));
  const isSigned = keys.some((key) => isEqual(macOf(key, purpose, text), token.slice(end + 1)));
  const [subject = '', until = '0'] = text.split('~');
  return isSigned && Number(until) > systemClock.now() ? subject : null;
};

/**
 * Begins the session of an operator who has proved who he is, by something that counts once.
 * @returns the secret of the session; null if the proof was used, or there is no such operator.
 */
const openSession = async (log: EventLog, operator: string, proof: string): Promise<string | null> => {
  const nowMs = systemClock.now();
  const link = digestOf(proof);
  const session = randomBytes(32).toString('base64url');
  const { events } = await decide(
    log,
    ({ roles, links }) =>
      roles.has(operator) && !links.has(link)
        ? [
            {
              type: 'OperatorLoggedIn',
              data: { at: isoOf(nowMs), operator, link, session: digestOf(session) },
            },
          ]
        : [],
    actorOf(operator),
  );
  return events.length === 0 ? null : session;
};

/**
 * Logs in by a token.
 * @returns the secret of the new session; null if the token is wrong, too old or was used, or its operator was removed.
 */
export const logIn = async ({ db, log }: Context, token: string): Promise<string | null> => {
  const operator = await subjectOf(db, 'login', token);
  return operator === null ? null : openSession(log, operator, token);
};

/** What a login through a provider is held against. All follows from the ticket, which the browser keeps meanwhile. */
export interface ProviderChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const checksOf = (ticket: string): ProviderChecks => {
  const of = (name: string) => createHash('sha256').update(`${name} ${ticket}`).digest('base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
};

/** Begins a login through a provider. @returns the ticket, which is good once, and for five minutes. */
export const beginLogin = async ({
  db,
}: Pick<Context, 'db'>): Promise<{ readonly ticket: string; readonly checks: ProviderChecks }> => {
  const ticket = await signedToken(db, 'provider', '');
  return { ticket, checks: checksOf(ticket) };
};

/** The checks of a login that began; null if the ticket is none of ours, or too old. */
export const begunLogin = async (
  { db }: Pick<Context, 'db'>,
  ticket: string,
): Promise<ProviderChecks | null> =>
  (await subjectOf(db, 'provider', ticket)) === null ? null : checksOf(ticket);

/**
 * Logs in whom a provider vouches for.
 * @param ticket of the login, whose checks the answer of the provider has passed.
 * @returns the secret of the new session; null if the ticket was used, or no operator has the address for a name.
 */
export const logInVouched = (
  { log }: Pick<Context, 'log'>,
  email: string,
  ticket: string,
): Promise<string | null> => openSession(log, email, ticket);

/** An operator at work. */
export interface SignedIn {
  readonly operator: string;
  readonly role: OperatorRole;
}

/** Who holds the session; null if nobody does. */
export const operatorOfSession = async (
  { log }: Pick<Context, 'log'>,
  session: string,
): Promise<SignedIn | null> => signedIn(await stateOf(log), digestOf(session), systemClock.now());

/** Ends a session. */
export const logOut = async (context: Pick<Context, 'log'>, session: string): Promise<void> => {
  const found = await operatorOfSession(context, session);
  if (found === null) return;
  const { operator } = found;
  const data = { at: isoOf(systemClock.now()), operator, session: digestOf(session) };
  await decide(
    context.log,
    ({ sessions }) => (sessions.has(data.session) ? [{ type: 'OperatorLoggedOut', data }] : []),
    actorOf(operator),
  );
};

/** What each form of a session carries, so that no other page can send it. */
export const formTokenOf = (session: string): string => digestOf(`form ${session}`);

export const isFormToken = (session: string, given: string): boolean => isEqual(formTokenOf(session), given);
