/** What screens and actions work with. */

import { OperatorError } from '../kernel/errors.ts';
import type { Html } from '../kernel/html.ts';
import type { Platform, Source } from '../kernel/platform.ts';
import type { AccountName } from '../operations/account-name.ts';
import type { OperationsContext } from '../operations/context.ts';
import type { EngineReads } from '../operations/engines/engines.ts';
import type { OperatorRole } from '../operations/operators.ts';
import type { ErasureContext } from '../operations/subjects/erase.ts';
import type { WatchedBuilds } from '../read/active-builds.ts';
import type { Keyring } from '../write/secrets.ts';
import type { Jobs } from './jobs.ts';
import type { Asked, Piece } from './view.ts';

export interface ConsoleContext extends ErasureContext {
  /** Opens stored sessions; null without SESSIONS_KEY. */
  readonly keyring: Keyring | null;
  readonly builds: WatchedBuilds;
  readonly engines: EngineReads;
  readonly jobs: Jobs;
  /** Asks platforms, in the name of an action. */
  readonly platforms: {
    /** Reads an account now. @returns what it found. */
    readonly read: (context: OperationsContext, account: AccountName) => Promise<string>;
    /** Reads accounts with a known status, to see whether the surfaces of an engine answer as they should. */
    readonly probe: (context: OperationsContext, engine: Source) => Promise<string>;
    /** Stores a session. @returns its ID. */
    readonly addSession: (context: OperationsContext, session: NewSession) => Promise<string>;
    /** Sends one request with a session. @returns what the platform made of it. */
    readonly testSession: (context: OperationsContext, session: string) => Promise<string>;
  };
}

/** A session as an operator adds it. */
export interface NewSession {
  readonly platform: Platform;
  readonly label: string;
  readonly proxy: string | null;
  /** The credentials, as JSON or lines of name=value. */
  readonly text: string;
}

/** A field of an action's form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** `several` are chosen of the options. */
  readonly is?: 'number' | 'lines' | 'several';
  /** What can be chosen: a list, or what there is when the form is made. */
  readonly options?: readonly string[] | ((context: ConsoleContext) => Promise<readonly string[]>);
  readonly isOptional?: true;
  /** What is typed is never shown again. */
  readonly isSecret?: true;
}

export type Given = Readonly<Record<string, string>>;

/** Something that an operator can do. Routes, buttons and the tests of roles are all made of these. */
export interface Action {
  readonly name: string;
  readonly label: string;
  readonly role: OperatorRole;
  readonly fields: readonly Field[];
  /** What to know before it is done. */
  readonly hint?: string;
  /** Does it. @returns what to tell the operator. @throws {OperatorError} if it can't be done. */
  readonly run: (context: ConsoleContext, given: Given) => Promise<string>;
}

/** What is wrong with a field of a form, before the action is tried; null if nothing is. */
const faultOf = ({ name, label, is, options, isOptional }: Field, given: Given): string | null => {
  const text = (given[name] ?? '').trim();
  if (text === '') return isOptional ? null : `${label} is missing.`;
  if (is === 'number' && !Number.isFinite(Number(text))) return `"${text}" is no number.`;
  if (typeof options !== 'object') return null;
  const chosen = is === 'several' ? text.split(/[\s,]+/) : [text];
  const wrong = chosen.find((each) => !options.includes(each));
  return wrong === undefined ? null : `"${wrong}" is none of: ${options.join(', ')}.`;
};

/** Why an action was given. It is a field of every form. */
export const REASON: Field = { name: 'reason', label: 'Reason' };
const REASON_CHARS = 2_000;

/** The first field of an action that is wrong; null if none is. */
export const wrongField = (
  action: Action,
  given: Given,
): { readonly field: string; readonly text: string } | null => {
  for (const field of [...action.fields, REASON]) {
    const text = faultOf(field, given);
    if (text !== null) return { field: field.name, text };
  }
  return (given.reason ?? '').length > REASON_CHARS
    ? { field: REASON.name, text: `The reason has more than ${REASON_CHARS} characters.` }
    : null;
};

/** What an action did, or why it was refused. */
export interface Flash {
  readonly isGood: boolean;
  readonly text: string;
  /** The form that was refused, as it was sent, but for secrets. */
  readonly refused?: {
    readonly action: string;
    /** The field that is wrong; null if it is none alone. */
    readonly field: string | null;
    readonly given: Given;
  };
}

/** An action that a screen offers, with fields that the screen fills in. */
export interface Offer {
  readonly action: string;
  readonly given: Given;
  /** Another label, where a screen offers an action for several things. */
  readonly label?: string;
  /** Values that stand in the form's fields. */
  readonly values?: Given;
}

/** What a screen shows. */
export interface View {
  readonly title: string;
  /** Another page of the console, where what was looked for is. */
  readonly to?: string;
  /** The part that is refreshed. */
  readonly live: readonly Piece[];
  /** Forms that look something up, above it. */
  readonly search?: Html;
  readonly offers?: readonly Offer[];
}

/** What a parameter of an address may be. */
export interface Param {
  readonly allowed: string;
  readonly isValid: (text: string) => boolean;
}

export const oneOf = (values: readonly string[]): Param => ({
  allowed: `one of ${values.join(', ')}`,
  isValid: (text) => values.includes(text),
});

export const ANY_TEXT: Param = { allowed: 'any text', isValid: () => true };

const MAX_POSITION = 2n ** 63n - 1n;

/** A position of the log or a revision of a stream. */
export const POSITION: Param = {
  allowed: 'a position, as a whole number',
  isValid: (text) => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_POSITION,
};

/** Text that a parser accepts. @param parse throws an `OperatorError` otherwise. */
export const parsedBy = (allowed: string, parse: (text: string) => unknown): Param => ({
  allowed,
  isValid: (text) => {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (error instanceof OperatorError) return false;
      throw error;
    }
  },
});

export interface Screen {
  /** Route of fastify. */
  readonly path: string;
  /** Parameters of its address, besides those of tables. */
  readonly query?: Readonly<Record<string, Param>>;
  /** In the navigation, with the key that opens it. */
  readonly nav?: { readonly text: string; readonly key: string };
  /** Interval of refreshing; never without it. */
  readonly everyS?: number;
  /** @throws {OperatorError} if there is no such thing. */
  readonly show: (context: ConsoleContext, asked: Asked & { readonly params: Given }) => Promise<View>;
}

export type { Asked };
