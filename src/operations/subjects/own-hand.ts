/**
 * What people do with their own accounts at `/privacy`: they show a code in the bio, and hide, erase, export or show the account again.
 * What is promised: `docs/privacy.md`.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Act, type ActClaim, actCodeOf, showsActCode } from '../../crawlers/live-read/ownership.ts';
import type { LiveReader } from '../../crawlers/live-read/port.ts';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { callerOf } from '../../kernel/cidr.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { accountStream } from '../../write/accounts/account.ts';
import { type AccountName, accountNamed } from '../account-name.ts';
import { type ErasureContext, openErasure } from './erase.ts';
import { exportSubject, type Held } from './export.ts';
import { releaseSubject } from './release.ts';

/** A code, and what it is for. */
export interface Challenge {
  readonly act: Act;
  readonly account: AccountName;
  readonly madeAtS: number;
}

/**
 * What became of a proof: `erased`: it was erased before; `hidden`: it is hidden, and erased at a time; `ready_later`: its export is ready at a time; `ready`: now;
 * `shown`: it is read again. `ask`: a person has to decide, since the platform does not show enough.
 */
export type Outcome =
  | { readonly is: 'hidden' | 'ready_later'; readonly at: string }
  | {
      readonly is:
        | 'erased'
        | 'ready'
        | 'shown'
        | 'no_code'
        | 'expired'
        | 'used'
        | 'too_many'
        | 'nothing_to_undo'
        | 'ask';
    };

export interface Asked {
  readonly act: Act;
  readonly account: AccountName;
  readonly contact: string;
}

export interface OwnHand {
  /** Days until an act takes effect. */
  readonly delayDays: number;
  /** What a form of this session has to send back. */
  formToken(session: string): string;
  isFormToken(session: string, token: string): boolean;
  codeOf(session: string, challenge: Challenge): string;
  /** @throws {ServiceError} if the platform could not be read. */
  check(session: string, address: string, challenge: Challenge, requestId: string): Promise<Outcome>;
  /** Puts a request into the operator's queue; false if too many were made. */
  ask(address: string, asked: Asked): Promise<boolean>;
  /** The account whose export a session may have now; null if it may have none. */
  exportOf(session: string): Promise<AccountName | null>;
  /** Everything that is held about the account; null if too many attempts were made, since it reads the whole log. */
  exported(address: string, account: AccountName, signal: AbortSignal): Promise<AsyncIterable<Held> | null>;
}

export interface OwnHandParts {
  readonly context: ErasureContext;
  readonly live: Pick<LiveReader, 'readUnrecorded'>;
  readonly unfencedOf: (platform: Platform) => PlatformAdapter;
  /** Secrets of codes, newest first. */
  readonly secrets: () => readonly { readonly secret: Buffer }[];
}

const HOUR_S = 3_600;
const PER_ADDRESS = 5;
const IN_ALL = 100;
const MAX_REQUESTS = 10_000;
const READ_MS = 10_000;
const RELEASE_MS = 20_000;
const DAY_MS = 86_400_000;

const textOf = ({ kind, name }: AccountName): string => (kind === 'id' ? `id:${name}` : name);

/** @returns null if people may not act at this installation. */
export const createOwnHand = ({ context, live, unfencedOf, secrets }: OwnHandParts): OwnHand | null => {
  const { db, config, log, fence } = context;
  const { ERASURE_KEY, PRIVACY_PAGE, PRIVACY_DELAY: delayDays, EVENT_LOG_URL } = config;
  if (ERASURE_KEY === undefined || PRIVACY_PAGE === 'off' || EVENT_LOG_URL !== undefined) return null;

  const allSecrets = (): readonly Buffer[] => secrets().map(({ secret }) => secret);
  const newest = (): Buffer => {
    const [secret] = allSecrets();
    if (secret === undefined) throw new Error('there is no secret of codes');
    return secret;
  };
  const digest = (...parts: readonly string[]): Buffer =>
    createHmac('sha256', newest())
      .update(JSON.stringify(['sightline privacy', ...parts]))
      .digest();
  const claimOf = (session: string, { act, account, madeAtS }: Challenge): ActClaim => ({
    act,
    platform: account.platform,
    account: textOf(account),
    session,
    madeAtS,
  });

  /** Takes one of the attempts of an hour; false if none is left. */
  const attempt = (address: string): Promise<boolean> =>
    inTransaction(db, async (client) => {
      const caller = digest('caller', callerOf(address));
      const now = isoOf(systemClock.now());
      await client.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.PRIVACY})`);
      await client.query(sql`
        delete from erasure.attempts where at <= ${now}::timestamptz - make_interval(secs => ${HOUR_S})`);
      const { rowCount } = await client.query(sql`
        insert into erasure.attempts (caller, at) select ${caller}, ${now}
        where (select count(*) from erasure.attempts) < ${IN_ALL}
          and (select count(*) from erasure.attempts where caller = ${caller}) < ${PER_ADDRESS}`);
      return rowCount === 1;
    });

  /** Whether a code counts for the first time. */
  const isFirst = async (code: string): Promise<boolean> => {
    const now = isoOf(systemClock.now());
    await db.query(sql`
      delete from erasure.proofs where at <= ${now}::timestamptz - make_interval(secs => ${2 * HOUR_S})`);
    const { rowCount } = await db.query(sql`
      insert into erasure.proofs (digest, at) values (${digest('proof', code)}, ${now}) on conflict do nothing`);
    return rowCount === 1;
  };

  /** Where nobody can tell owners of a handle apart: whether it was free in between, so that others may have had it before. */
  const mayBeAnothers = async (platform: Platform, handle: string): Promise<boolean> => {
    const events = await log.readStream(accountStream(platform, handle), { suppressed: true });
    return events.some(
      ({ type, data }) => type === 'AccountUnavailable' && (data as { status: string }).status === 'absent',
    );
  };

  const dueAt = (): string => isoOf(systemClock.now() + delayDays * DAY_MS);

  /** The digest of a refused account: by its ID, or by a handle of which nobody knows whose it was. */
  const refusedAs = ({ platform, kind, name }: AccountName, handle: string): string | null => {
    const byName = fence.subjectOf(platform, kind, name);
    if (byName !== null || fence.liftOf(platform, handle) !== null) return byName;
    return fence.subjectOf(platform, 'handle', handle);
  };

  const undo = async (account: AccountName, handle: string): Promise<Outcome> => {
    const { platform, kind, name } = account;
    const { rowCount } = await db.query(sql`
      delete from erasure.exports where platform = ${platform} and kind = ${kind} and name = ${name}`);
    const subject = refusedAs(account, handle);
    const due = subject === null ? null : (fence.entryOf(subject)?.due ?? null);
    // What an operator hid has no time at which it is erased, and stays hidden.
    if (subject === null || due === null) return { is: (rowCount ?? 0) > 0 ? 'shown' : 'nothing_to_undo' };
    await releaseSubject(context, subject, AbortSignal.timeout(RELEASE_MS));
    return { is: 'shown' };
  };

  const prepareExport = async (account: AccountName, session: string): Promise<Outcome> => {
    const { platform, kind, name } = account;
    const { rows } = await db.query<{ ready_at: string; isReady: boolean }>(sql`
      insert into erasure.exports (platform, kind, name, session, ready_at)
      values (${platform}, ${kind}, ${name}, ${digest('session', session)}, ${dueAt()})
      on conflict (platform, kind, name) do update set session = excluded.session
      returning ready_at, ready_at <= ${isoOf(systemClock.now())} as "isReady"`);
    const [row] = rows;
    return row?.isReady === true ? { is: 'ready' } : { is: 'ready_later', at: row?.ready_at ?? dueAt() };
  };

  const carryOut = async (
    act: Act,
    account: AccountName,
    handle: string,
    session: string,
  ): Promise<Outcome> => {
    await fence.refresh();
    if (act === 'undo') return undo(account, handle);
    const subject = refusedAs(account, handle);
    const entry = subject === null ? null : fence.entryOf(subject);
    if (entry?.isErased === true) return { is: 'erased' };
    // What an operator hid would be what its owner may undo.
    if (act === 'erase' && entry !== null && entry.due === null) return { is: 'ask' };
    if (act === 'export') return prepareExport(account, session);
    const at = dueAt();
    await openErasure(context, account, at, handle);
    return { is: 'hidden', at };
  };

  return {
    delayDays,
    formToken: (session) => digest('form', session).toString('base64url'),
    isFormToken: (session, token) => {
      const sent = Buffer.from(token, 'base64url');
      const own = digest('form', session);
      return sent.length === own.length && timingSafeEqual(sent, own);
    },
    codeOf: (session, challenge) => actCodeOf(newest(), claimOf(session, challenge)),
    check: async (session, address, challenge, requestId) => {
      const { act, account, madeAtS } = challenge;
      const ageS = systemClock.now() / 1_000 - madeAtS;
      if (ageS < -1 || ageS > HOUR_S) return { is: 'expired' };
      if (!(await attempt(address))) return { is: 'too_many' };
      const { platform, kind, name } = account;
      const { reading } = await live.readUnrecorded(
        unfencedOf(platform),
        kind === 'id' ? { kind, id: name } : { kind, handle: name },
        { holder: 'privacy', requestId, untilMs: steadyMs() + READ_MS, requests: { left: 18 } },
      );
      if (reading.status !== 'present') return { is: 'ask' };
      const { id, handle, bio } = reading.profile;
      const claim = claimOf(session, challenge);
      const code = allSecrets()
        .map((secret) => actCodeOf(secret, claim))
        .find((each) => showsActCode(bio, act, each));
      if (code === undefined) return { is: 'no_code' };
      if (id === null && act !== 'undo' && (await mayBeAnothers(platform, handle))) return { is: 'ask' };
      if (!(await isFirst(code))) return { is: 'used' };
      return carryOut(
        act,
        id === null ? { platform, kind: 'handle', name: handle } : { platform, kind: 'id', name: id },
        handle,
        session,
      );
    },
    ask: async (address, { act, account, contact }) => {
      if (!(await attempt(address))) return false;
      const { rowCount } = await db.query(sql`
        insert into erasure.requests (id, at, act, platform, account, contact)
        select ${uuidV7(systemClock.now())}::uuid, ${isoOf(systemClock.now())}, ${act}, ${account.platform},
          ${textOf(account)}, ${contact}
        where (select count(*) from erasure.requests) < ${MAX_REQUESTS}`);
      return rowCount === 1;
    },
    exportOf: async (session) => {
      const { rows } = await db.query<AccountName>(sql`
        select platform, kind, name from erasure.exports
        where session = ${digest('session', session)} and ready_at <= ${isoOf(systemClock.now())} limit 1`);
      return rows[0] ?? null;
    },
    exported: async (address, account, signal) =>
      (await attempt(address))
        ? exportSubject(context, account, { signal, onProgress: () => undefined })
        : null,
  };
};

/** An account as a visitor names it on a platform: a handle, an ID or a profile URL; null if it names none. */
export const accountGiven = (platform: Platform, text: string): AccountName | null => {
  for (const each of [text, `${platform}:${text}`]) {
    try {
      const found = accountNamed(each);
      if (found.platform === platform) return found;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
    }
  }
  return null;
};
