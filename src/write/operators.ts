/** The operators of the console: events, state and decisions. What an operator may do follows from the role. */

import { z } from 'zod';
import type { Decider } from './log/command-handler.ts';
import { type EventOf, event, instant, key } from './log/event-definition.ts';

/** The stream of all operators. */
export const OPERATORS_STREAM = 'operators';

/** The least first. Each may do what those before it may. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'administrator'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const isAllowed = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);

const operator = key(60);

export const operatorEvents = {
  /** Also when the role of an operator changes. */
  OperatorAdded: event({ at: instant, operator, role: z.enum(OPERATOR_ROLES) }),
  OperatorRemoved: event({ at: instant, operator }),
  /** `link` and `session` are digests of the login link, which works once, and of the session that it began. */
  OperatorLoggedIn: event({ at: instant, operator, link: key(64), session: key(64) }),
  OperatorLoggedOut: event({ at: instant, operator, session: key(64) }),
};

export type OperatorEvent = EventOf<typeof operatorEvents>;

/** How long a session lasts. */
export const SESSION_MS = 12 * 3_600_000;

export interface OperatorState {
  readonly roles: ReadonlyMap<string, OperatorRole>;
  /** Digests of links that were used while they could still be valid. */
  readonly links: ReadonlySet<string>;
  /** Sessions that have not ended by a logout or a removal: their operator, and when they began. */
  readonly sessions: ReadonlyMap<string, { readonly operator: string; readonly at: string }>;
}

const without = <Value>(map: ReadonlyMap<string, Value>, isGone: (key: string, value: Value) => boolean) =>
  new Map([...map].filter(([name, value]) => !isGone(name, value)));

const evolve = (state: OperatorState, { type, data }: OperatorEvent): OperatorState => {
  switch (type) {
    case 'OperatorAdded':
      return { ...state, roles: new Map(state.roles).set(data.operator, data.role) };
    case 'OperatorRemoved':
      return {
        ...state,
        roles: without(state.roles, (name) => name === data.operator),
        sessions: without(state.sessions, (_, session) => session.operator === data.operator),
      };
    case 'OperatorLoggedIn': {
      const sinceMs = Date.parse(data.at) - SESSION_MS;
      const sessions = without(state.sessions, (_, { at }) => Date.parse(at) <= sinceMs);
      return {
        ...state,
        links: new Set(state.links).add(data.link),
        sessions: sessions.set(data.session, { operator: data.operator, at: data.at }),
      };
    }
    case 'OperatorLoggedOut':
      return { ...state, sessions: without(state.sessions, (session) => session === data.session) };
  }
};

export const operatorDecider: Decider<OperatorState, OperatorEvent> = {
  initial: { roles: new Map(), links: new Set(), sessions: new Map() },
  evolve,
};

/** The role of the operator whose session it is; null if it is none, or has ended. */
export const signedIn = (
  { roles, sessions }: OperatorState,
  session: string,
  nowMs: number,
): { readonly operator: string; readonly role: OperatorRole } | null => {
  const found = sessions.get(session);
  if (found === undefined || Date.parse(found.at) + SESSION_MS <= nowMs) return null;
  const role = roles.get(found.operator);
  return role === undefined ? null : { operator: found.operator, role };
};
