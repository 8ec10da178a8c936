/** Who is to be erased: an account with all of its names, and where the log has it. */

import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { descriptorOf } from '../../platforms/index.ts';
import { accounts } from '../../projections/views/accounts/projection.ts';
import { listings } from '../../projections/views/listings/projection.ts';
import { people } from '../../projections/views/people/projection.ts';
import { listingsOf, namesOf, nativeIdOf } from '../../read/subjects.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { Named } from '../../write/erasure/cleanse.ts';
import { type Mark, type Marker, markOf, VOIDING } from '../../write/erasure/subject.ts';
import { type Tenure, tenuresIn, type Whose, whoseNext } from '../../write/erasure/tenures.ts';
import { followsStream } from '../../write/follows.ts';
import { companyStream, decisionMakerStream } from '../../write/leads.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { AccountName } from '../account-name.ts';
import type { OperationsContext } from '../context.ts';
import { activeSchema } from '../projections/read-model.ts';
import type { Names } from './holdings.ts';

/** An account that is to be erased. */
export interface Subject extends Names {
  /** The digest of its ID, or of its handle where none is known. */
  readonly digest: string;
  readonly id: Mark | null;
  readonly marks: readonly Mark[];
  readonly tenures: readonly Tenure[];
}

type Context = Pick<OperationsContext, 'db' | 'log'>;

/** All names of an account. */
export const findNames = async (
  { db }: Pick<Context, 'db'>,
  { platform, kind, name }: AccountName,
): Promise<Names> => {
  const schemas = {
    accounts: await activeSchema(db, accounts),
    people: await activeSchema(db, people),
    listings: await activeSchema(db, listings),
  };
  const shown = kind === 'id' ? name : await nativeIdOf(db, schemas, platform, name);
  const released = await releasedNames(db, platform, shown, name);
  const nativeId = shown ?? released?.nativeId ?? null;
  const known = nativeId === null ? [] : await namesOf(db, schemas, platform, nativeId);
  const handles = [
    ...new Set([...(kind === 'handle' ? [name] : []), ...known, ...(released?.handles ?? [])]),
  ];
  return { platform, nativeId, handles: handles.filter((each) => each !== nativeId) };
};

/** The names of a released account that read models do not have again yet. */
const releasedNames = async (
  db: Queryable,
  platform: Platform,
  nativeId: string | null,
  handle: string,
): Promise<Names | null> => {
  // Another account may have the handle now.
  const isIt = nativeId === null ? sql`${handle} = any(handles)` : sql`native_id = ${nativeId}`;
  const { rows } = await db.query<Names>(sql`
    select platform, native_id as "nativeId", handles from erasure.open
    where released_at is not null and platform = ${platform} and ${isIt}`);
  return rows[0] ?? null;
};

/** A fence that has this account alone. */
export const only = ({ platform, nativeId, handles }: Names): Named => ({
  has: (of, kind, name) => of === platform && (kind === 'id' ? name === nativeId : handles.includes(name)),
  liftOf: () => (nativeId === null ? null : { subject: '', handle: '' }),
});

const readWhole = (log: EventLog, stream: string): Promise<readonly RecordedEvent[]> =>
  log.readStream(stream, { raw: true, suppressed: true });

/** A stream that has nothing of the account. */
const nothingIn = (stream: string): Tenure => ({ stream, from: -1, through: -1, since: null });

/** A stream that is about the account as a whole. */
const wholeTenure = async (log: EventLog, stream: string): Promise<readonly Tenure[]> => {
  const last = (await readWhole(log, stream)).findLast(({ type }) => !VOIDING.has(type));
  return last === undefined ? [] : [{ stream, from: 0, through: Number(last.revision), since: null }];
};

/** The lists of an account, as far as they are its own: a handle's stream has those of all who had it. */
const listTenures = async (
  log: EventLog,
  stream: string,
  nativeId: string | null,
): Promise<readonly Tenure[]> => {
  const tenures: Tenure[] = [];
  for (const { revision, data } of await readWhole(log, stream)) {
    const { owner, observed_at } = data as { readonly owner?: string; readonly observed_at?: string };
    const last = tenures.at(-1);
    const at = Number(revision);
    if (nativeId === null || owner === nativeId) {
      if (last?.since === null) tenures[tenures.length - 1] = { ...last, through: at };
      else tenures.push({ stream, from: at, through: at, since: null });
    } else if (last?.since === null) tenures[tenures.length - 1] = { ...last, since: observed_at ?? null };
  }
  return tenures;
};

/**
 * Where the log has an account. A stream that is named after it and has nothing of it is among them: pools may know the name.
 * @param offered the IDs of listings and placements that offer it.
 */
export const tenuresOf = async (
  log: EventLog,
  names: Names,
  offered: readonly string[],
): Promise<readonly Tenure[]> => {
  const { platform, nativeId, handles } = names;
  const found: Tenure[] = [];
  const bare = nativeId !== null && descriptorOf(platform).isBareId(nativeId) ? [nativeId] : [];
  for (const name of [...handles, ...bare]) {
    const stream = accountStream(platform, name);
    const events = await readWhole(log, stream);
    const tenures = tenuresIn(only(names), stream, events);
    const isOthers = tenures.length === 0 && events.some(({ type }) => type === 'AccountSighted');
    found.push(...(tenures.length > 0 || isOthers ? tenures : [nothingIn(stream)]));
    if (descriptorOf(platform).follows !== undefined) {
      const lists = followsStream(platform, name);
      const own = await listTenures(log, lists, nativeId);
      // Its places in lists of others are forgotten by what stands here.
      found.push(...(own.length > 0 ? own : [nothingIn(lists)]));
    }
    if (platform === 'linkedin') {
      const company = name.startsWith('company:') ? name.slice('company:'.length) : null;
      found.push(
        ...(await wholeTenure(log, company === null ? decisionMakerStream(name) : companyStream(company))),
      );
    }
  }
  for (const id of offered) found.push(...(await wholeTenure(log, `listing-${id}`)));
  return found;
};

/** Tenures with what their streams got meanwhile: the account's own, until another one is seen to have the name. */
export const extendedTenures = async (
  log: EventLog,
  names: Names,
  tenures: readonly Tenure[],
): Promise<readonly Tenure[]> => {
  const extended: Tenure[] = [];
  for (const tenure of tenures) {
    const events =
      tenure.since === null ? await log.readStream(tenure.stream, { from: BigInt(tenure.through + 1) }) : [];
    let now = tenure;
    let whose: Whose = tenure.from === -1 ? 'nobody' : 'erased';
    for (const event of events) {
      if (now.since !== null) break;
      // It says what is void, and is not: else each repetition would make another one.
      if (VOIDING.has(event.type)) continue;
      whose = whoseNext(only(names), whose, tenure.stream, event);
      const at = Number(event.revision);
      if (whose === 'erased') now = { ...now, from: now.from === -1 ? at : now.from, through: at };
      else if (whose === 'other')
        now = { ...now, since: (event.data as { observed_at: string }).observed_at };
    }
    extended.push(now);
  }
  return extended;
};

/** Finds an account with all of its names. One that the catalog does not know is refused from then on all the same. */
export const findSubject = async (
  context: Context,
  marker: Marker,
  account: AccountName,
  handle: string | null = null,
): Promise<Subject> => {
  const { db, log } = context;
  const found = await findNames(context, account);
  const isNew = handle !== null && handle !== found.nativeId && !found.handles.includes(handle);
  const names = isNew ? { ...found, handles: [handle, ...found.handles] } : found;
  const { platform, nativeId, handles } = names;
  const offered = await listingsOf(db, { listings: await activeSchema(db, listings) }, platform, handles);
  const id = nativeId === null ? null : markOf(marker, platform, 'id', nativeId);
  const tenures = await tenuresOf(log, names, offered);
  // A handle that another account has now is not refused.
  const lost = new Set(
    [...Map.groupBy(tenures, ({ stream }) => stream)].flatMap(([stream, of]) =>
      of.at(-1)?.since === null ? [] : [stream],
    ),
  );
  const refused = handles.filter((handle) => !lost.has(accountStream(platform, handle)));
  const marks = refused.map((handle) => markOf(marker, platform, 'handle', handle));
  const digest = (id ?? (marks[0] as Mark)).digest;
  return { ...names, digest, id, marks, tenures };
};
