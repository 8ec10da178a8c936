import { type Platform, versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { handleIn } from '../../../platforms/index.ts';
import { type AccountStatus, accountOf, isHidden } from '../../../write/accounts/account.ts';
import { emptyProfile, type Moved, type Profile } from '../../../write/accounts/profile.ts';
import { linkPageOf, linkPageStream } from '../../../write/link-pages.ts';
import {
  accountKey,
  identityFacts,
  linkPageIn,
  pageTarget,
  targetsListed,
} from '../../../write/people/account.ts';
import { personIdOf } from '../../../write/people/cluster.ts';
import { nameKey, pictureOf, readName } from '../../../write/people/names.ts';
import { type ErasedAccounts, loadErased } from '../../erased-accounts.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { updateRows, upserts, writeAll } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import { type Changed, renamedIn, resolvePeople } from './resolve-people.ts';
import {
  type AccountRow,
  accountTable,
  anchorTable,
  indexes,
  type LinkRow,
  linkTable,
  type PageRow,
  pageTable,
  rankOf,
  tables,
  tenuresOf,
} from './tables.ts';

const isOfPage = (stream: string): boolean => stream.startsWith(linkPageStream(''));

const put = (store: Store, change: Change | null): void => {
  if (change !== null) store.put(change);
};

const handlers = {
  AccountSighted: (store, { stream, data }) => {
    const { platform, handle: name } = accountOf(stream);
    const { observed_at: at, status, profile } = data;
    put(store, sight(store.tenures(platform, name), { platform, name, at, status, profile }));
  },
  AccountUnchanged: (store, { stream, data }) => {
    const { platform, handle } = accountOf(stream);
    put(store, resight(store.tenures(platform, handle), data.observed_at, data.moved));
  },
  AccountUnavailable: (store, { stream, data }) => {
    const { platform, handle: name } = accountOf(stream);
    const { observed_at: at, status } = data;
    put(store, end(store.tenures(platform, name), { platform, name, at, status }));
  },
  LinkPageRead: (store, { data }) => {
    const { observed_at: at, page, links } = data;
    store.putPage(pageTarget(page), links ?? [], at);
  },
  AccountErased: (store, { stream, data: { subject, since } }) => {
    if (isOfPage(stream)) return store.forgetPage(pageTarget(linkPageOf(stream)));
    const { platform, handle } = accountOf(stream);
    store.forget(platform, handle, subject, since === null);
  },
} satisfies Handlers<Store>;

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  let store = new Store(schema);
  return {
    load: (db, events) => store.load(db, events),
    apply: (event) => apply(store, event),
    store: (db) => store.write(db),
    // Persons are resolved when rows are written: of a new build, once for many readings of an account.
    building: { flush: async () => undefined, isFull: () => store.isFull() },
    reset: () => {
      store = new Store(schema);
    },
  };
};

/** Persons: accounts of all platforms that evidence holds together. A function of the latest facts of each account. */
export const people: Projection = {
  name: 'people',
  version: versionPerPlatform(3),
  order: 'global',
  // Strangers can make a component as dear as anyone's and have it read as often as they like.
  paceMs: 1_000,
  types: typesOf(handlers),
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-', 'linkpage-'],
  parks: ['account-', 'linkpage-'],
  tables,
  indexes,
  open,
};

interface LinkChanges {
  readonly added: readonly LinkRow[];
  readonly removed: readonly LinkRow[];
}

/** Links of one row that another one has not. */
const newLinks = (row: AccountRow | undefined, other: AccountRow | undefined): readonly LinkRow[] => {
  if (row === undefined) return [];
  const { platform, name, native_id, account } = row;
  return row.targets
    .filter((target) => other?.targets.includes(target) !== true)
    .map((target) => ({ target, platform, name, native_id, account }));
};

const linkChanges = (changes: readonly Changed[]): LinkChanges => {
  const relinked = changes.filter(({ before, after }) => before?.targets !== after?.targets);
  return {
    added: relinked.flatMap(({ before, after }) => newLinks(after, before)),
    removed: relinked.flatMap(({ before, after }) => newLinks(before, after)),
  };
};

/** Link pages that accounts began to link to: they are to be read. */
const addPages = async (db: Queryable, schema: string, pages: readonly string[]): Promise<void> => {
  if (pages.length === 0) return;
  await db.query(sql.named(`add ${schema}.pages`)`
    insert into ${ident(schema)}.pages (page, targets, targets_at)
    select page, '[]', '[]' from unnest(${pages}::text[]) as k(page) on conflict do nothing`);
};

/** Removes link pages of erased accounts that no other account links to, unless they were read. */
const removePages = async (db: Queryable, schema: string, pages: readonly string[]): Promise<void> => {
  if (pages.length === 0) return;
  await db.query(sql.named(`remove ${schema}.pages`)`
    delete from ${ident(schema)}.pages p where page = any(${pages}) and read_at is null
      and not exists (select from ${ident(schema)}.links where target = p.page)`);
};

/** Removes what says which accounts IDs of persons were made of. */
const removeAnchors = async (db: Queryable, schema: string, accounts: readonly string[]): Promise<void> => {
  if (accounts.length === 0) return;
  await db.query(sql.named(`remove ${schema}.anchors`)`
    delete from ${ident(schema)}.anchors where person = any(${accounts.map(personIdOf)}) and account = any(${accounts})`);
};

const removeLinks = async (db: Queryable, schema: string, removed: readonly LinkRow[]): Promise<void> => {
  if (removed.length === 0) return;
  await db.query(sql.named(`delete ${schema}.links`)`
    delete from ${ident(schema)}.links where ctid = any(array(
    select l.ctid from unnest(${removed.map(({ target }) => target)}::text[],
      ${removed.map(({ platform }) => platform)}::text[], ${removed.map(({ name }) => name)}::text[],
      ${removed.map(({ native_id }) => native_id)}::text[]) as k(target, platform, name, native_id)
    cross join lateral (select ctid from ${ident(schema)}.links where target = k.target and platform = k.platform
      and name = k.name and native_id = k.native_id offset 0) l))`);
};

const accountOfRow = driverReader(accountTable);
const pageOfRow = driverReader(pageTable);

/** Names whose rows are cached between batches: more cost the collection of garbage more than the few that come again save. */
const MAX_CACHED = 10_000;
/** Rows that a new build buffers. */
const MAX_BUFFERED = 50_000;

const NONE: Tenures = [];

const streamKey = (platform: string, name: string): string => `${platform}:${name}`;
const rowKey = ({ platform, name, native_id }: AccountRow): string => `${platform}:${name} ${native_id}`;

const removeAccounts = async (db: Queryable, schema: string, rows: readonly AccountRow[]): Promise<void> => {
  if (rows.length === 0) return;
  await db.query(sql.named(`delete ${schema}.accounts`)`
    delete from ${ident(schema)}.accounts where (platform, name, native_id) in
    (select * from unnest(${rows.map(({ platform }) => platform)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ native_id }) => native_id)}::text[]))`);
};

/** The accounts of a batch: a unit of work. */
class Store {
  readonly #schema: string;
  readonly #cache = new Map<string, Tenures>();
  /** Changed rows: as they were before the batch, and as they are. */
  readonly #before = new Map<string, AccountRow | undefined>();
  readonly #after = new Map<string, AccountRow>();
  /** Link pages that were read: as they were before the batch, and as they are. */
  readonly #pages = new Map<string, { readonly before: PageRow | undefined; readonly after: PageRow }>();
  readonly #knownPages = new Map<string, PageRow>();
  /** Link pages that accounts began to link to, whether or not they do when the batch ends. */
  readonly #linkedPages = new Set<string>();
  /** Accounts with a name that has another account now, too: links to it may mean others. */
  readonly #beside = new Set<string>();
  /** Accounts that IDs of persons are made of, and what these accounts are now: one that shows an ID has another key. */
  readonly #anchors = new Map<string, string>();
  /** Accounts that events erase; and what keys and link pages they had. */
  #subjects: ErasedAccounts = new Map();
  readonly #erasedKeys = new Set<string>();
  readonly #erasedPages = new Set<string>();

  constructor(schema: string) {
    this.#schema = schema;
  }

  tenures(platform: Platform, name: string): Tenures {
    return this.#cache.get(streamKey(platform, name)) ?? NONE;
  }

  put(change: Change): void {
    const { before, after } = change;
    const stream = streamKey(after.platform, after.name);
    const others = this.tenures(after.platform, after.name).filter((row) => row !== before);
    this.#cache.set(stream, [...others, after]);
    const key = rowKey(after);
    const replaced = before === undefined ? undefined : rowKey(before);
    if (!this.#before.has(key)) this.#before.set(key, replaced === key ? before : undefined);
    if (before?.account !== after.account) this.#anchors.set(after.account, after.account);
    // The row of an account without an ID that has shown one: it is another row now.
    if (before !== undefined && replaced !== undefined && replaced !== key) {
      this.#anchors.set(before.account, after.account);
      if (!this.#before.has(replaced)) this.#before.set(replaced, before);
      this.#after.delete(replaced);
    }
    this.#after.set(key, after);
    if (before?.targets !== after.targets)
      for (const target of after.targets) if (linkPageIn(target) !== null) this.#linkedPages.add(target);
    if (isOfTenure(change)) for (const { account } of others) this.#beside.add(account);
  }

  /**
   * Forgets what an erased account showed under a name.
   * @param isLast whether no other account was seen to have the name.
   */
  forget(platform: Platform, name: string, subject: string, isLast: boolean): void {
    const id = this.#subjects.get(subject)?.native_id ?? '';
    const tenures = this.tenures(platform, name);
    const isErased = ({ native_id }: AccountRow) => native_id === id || (isLast && native_id === '');
    const [erased, others] = [tenures.filter(isErased), tenures.filter((row) => !isErased(row))];
    this.#cache.set(streamKey(platform, name), others);
    for (const row of erased) {
      const key = rowKey(row);
      if (!this.#before.has(key)) this.#before.set(key, row);
      this.#after.delete(key);
      for (const { account } of others) this.#beside.add(account);
      for (const account of [row.account, accountKey(platform, name, null)]) {
        if (this.#anchors.get(account) === row.account) this.#anchors.delete(account);
        this.#erasedKeys.add(account);
      }
      for (const target of [...row.targets, ...row.former_targets])
        if (linkPageIn(target) !== null) this.#erasedPages.add(target);
    }
  }

  /** Forgets what a link page of an erased account listed. */
  forgetPage(page: string): void {
    const known = this.#knownPages.get(page);
    if (known === undefined) return;
    const after = { page, targets: [], targets_at: [], since: null, read_at: null };
    this.#knownPages.set(page, after);
    const before = this.#pages.has(page) ? this.#pages.get(page)?.before : known;
    this.#pages.set(page, { before, after });
    this.#erasedPages.add(page);
  }

  putPage(page: string, links: readonly string[], at: string): void {
    const known = this.#knownPages.get(page);
    if (known?.read_at != null && at <= known.read_at) return;
    const listed = datedTargets(known, targetsListed(links), at);
    const after = { page, ...listed, since: known?.since ?? at, read_at: at };
    this.#knownPages.set(page, after);
    const before = this.#pages.has(page) ? this.#pages.get(page)?.before : known;
    this.#pages.set(page, { before, after });
  }

  /** Whether rows are to be written before more are folded. */
  isFull(): boolean {
    return this.#after.size + this.#pages.size > MAX_BUFFERED;
  }

  async load(db: Queryable, events: readonly AppliedEvent[]): Promise<void> {
    if (this.#cache.size > MAX_CACHED && this.#after.size === 0) this.#cache.clear();
    const [platforms, names]: [string[], string[]] = [[], []];
    await this.#loadPages(db, events);
    this.#subjects = await loadErased(db, events);
    for (const { stream } of events) {
      if (isOfPage(stream)) continue;
      const { platform, handle } = accountOf(stream);
      const key = streamKey(platform, handle);
      if (this.#cache.has(key)) continue;
      this.#cache.set(key, NONE);
      platforms.push(platform);
      names.push(handle);
    }
    if (names.length === 0) return;
    const { rows } = await db.query<DriverRow<AccountRow>>(
      tenuresOf(this.#schema, '*', { platforms, names }).with({ name: `load ${this.#schema}.accounts` }),
    );
    for (const row of rows.map((each) => accountOfRow(each))) {
      const key = streamKey(row.platform, row.name);
      this.#cache.set(key, [...(this.#cache.get(key) ?? NONE), row]);
    }
  }

  async #loadPages(db: Queryable, events: readonly AppliedEvent[]): Promise<void> {
    const read = events.filter(({ stream }) => isOfPage(stream));
    const wanted = read.map(({ stream }) => pageTarget(linkPageOf(stream)));
    if (wanted.length === 0) return;
    const { rows } = await db.query<DriverRow<PageRow>>(sql.named(`load ${this.#schema}.pages`)`
      select * from ${ident(this.#schema)}.pages where page = any(${wanted})`);
    for (const row of rows.map((each) => pageOfRow<PageRow>(each)))
      if (!this.#pages.has(row.page)) this.#knownPages.set(row.page, row);
  }

  async write(db: Queryable): Promise<void> {
    const gone = [...this.#before].flatMap(([key, row]) =>
      row !== undefined && !this.#after.has(key) ? [row] : [],
    );
    const changed = [...this.#after].map(([key, after]) => ({ before: this.#before.get(key), after }));
    const removed = gone.map((before) => ({ before, after: undefined }));
    await this.#writeAccounts(db, changed, gone);
    const relisted = [...this.#pages.values()].filter(
      ({ before, after }) => before?.targets !== after.targets,
    );
    await resolvePeople(db, this.#schema, {
      changes: [...changed.filter(isOfIdentity), ...removed],
      accounts: [...this.#beside, ...(await renamedIn(db, this.#schema, changed))],
      listed: relisted.flatMap(({ before, after }) => [...(before?.targets ?? []), ...after.targets]),
    });
    for (const kept of [
      this.#before,
      this.#after,
      this.#beside,
      this.#anchors,
      this.#pages,
      this.#knownPages,
      this.#linkedPages,
      this.#erasedKeys,
      this.#erasedPages,
    ])
      kept.clear();
  }

  async #writeAccounts(
    db: Queryable,
    changed: readonly Change[],
    gone: readonly AccountRow[],
  ): Promise<void> {
    const removed = gone.map((before) => ({ before, after: undefined }));
    const links = linkChanges([...changed, ...removed]);
    await removeLinks(db, this.#schema, links.removed);
    await removeAccounts(db, this.#schema, gone);
    await addPages(db, this.#schema, [...this.#linkedPages].toSorted());
    await removeAnchors(db, this.#schema, [...this.#erasedKeys]);
    const anchors = [...this.#anchors].map(([from, account]) => ({ person: personIdOf(from), account }));
    const [moved, others] = [changed.filter(isMove), changed.filter((change) => !isMove(change))];
    await updateRows(
      db,
      this.#schema,
      accountTable,
      MOVED,
      moved.map(({ after }) => after),
    );
    await writeAll(db, this.#schema, [
      upserts(
        accountTable,
        others.map(({ after }) => after),
      ),
      upserts(linkTable, links.added),
      upserts(anchorTable, anchors),
      upserts(
        pageTable,
        [...this.#pages.values()].map(({ after }) => after),
      ),
    ]);
    await removePages(db, this.#schema, [...this.#erasedPages]);
  }
}

/** Rows of one name: who had it, one after the other. A function of the stream of that name alone. */
export type Tenures = readonly AccountRow[];

const later = (a: AccountRow, b: AccountRow): AccountRow =>
  b.seen_at > a.seen_at || (b.seen_at === a.seen_at && b.native_id < a.native_id) ? b : a;

/** Who has the name: who was seen with it last. */
const holderOf = (tenures: Tenures): AccountRow | undefined =>
  tenures.length === 0 ? undefined : tenures.reduce(later);

export interface Sighted {
  readonly platform: Platform;
  readonly name: string;
  readonly at: string;
  readonly status: AccountStatus;
  readonly profile: Profile;
}

/** A changed row; `before` is what it replaces, under whichever ID. */
export interface Change {
  readonly before: AccountRow | undefined;
  readonly after: AccountRow;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, n) => one === b[n]);

type Listed = Pick<AccountRow, 'targets' | 'targets_at'>;
type Former = Pick<AccountRow, 'former_targets' | 'former_at'>;

/** Links that a profile no longer shows and that are remembered. */
const MAX_FORMER = 20;

/** What a profile or a page links to, each since when: others that are added or moved leave the date of a link as it is. */
const datedTargets = (
  before: Listed | undefined,
  targets: readonly string[],
  at: string,
  former: Former = { former_targets: [], former_at: [] },
): Listed => {
  if (before !== undefined && same(before.targets, targets))
    return { targets: before.targets, targets_at: before.targets_at };
  const since = new Map(former.former_targets.map((target, n) => [target, former.former_at[n] as string]));
  for (const [n, target] of (before?.targets ?? []).entries())
    since.set(target, before?.targets_at[n] as string);
  return { targets, targets_at: targets.map((target) => since.get(target) ?? at) };
};

/** The links that a profile showed last and no longer does, each since when it did first. */
const formerTargets = (before: AccountRow | undefined, targets: readonly string[]): Former => {
  if (before === undefined) return { former_targets: [], former_at: [] };
  if (before.targets === targets)
    return { former_targets: before.former_targets, former_at: before.former_at };
  const all = [
    ...before.former_targets.map((target, n) => [target, before.former_at[n] as string] as const),
    ...before.targets.map((target, n) => [target, before.targets_at[n] as string] as const),
  ];
  const left = all.filter(([target]) => !targets.includes(target)).slice(-MAX_FORMER);
  return { former_targets: left.map(([target]) => target), former_at: left.map(([, since]) => since) };
};

/** The row that a reading is of: of its native ID, or of the holder, who may have been seen without one. */
const ownIn = (tenures: Tenures, id: string | null): AccountRow | undefined => {
  if (id === null) return holderOf(tenures);
  return tenures.find((row) => row.native_id === id) ?? tenures.find((row) => row.native_id === '');
};

/** Applies a full profile; null if it is older than what is known. */
const sight = (tenures: Tenures, { platform, name, at, status, profile }: Sighted): Change | null => {
  const id = profile.id ?? (handleIn(platform, name) === null ? name : null);
  const before = ownIn(tenures, id);
  if (before !== undefined && at <= before.seen_at) return null;
  const facts = identityFacts(platform, profile);
  const links = datedTargets(before, facts.targets, at, before);
  const nativeId = id ?? before?.native_id ?? '';
  return {
    before,
    after: {
      platform,
      name,
      native_id: nativeId,
      account: accountKey(platform, name, nativeId === '' ? null : nativeId),
      display_name: facts.displayName,
      name_key: nameKey(readName(facts.displayName)),
      intro: facts.intro,
      picture: facts.picture,
      ...links,
      ...formerTargets(before, links.targets),
      is_disclaimed: facts.isDisclaimed,
      followers: profile.followers,
      verified: profile.verified,
      created_at: profile.created_at,
      status,
      since: before?.since ?? at,
      seen_at: at,
      identified_at: id !== null || before === undefined || nativeId === '' ? at : before.identified_at,
      observed_at: before === undefined || at > before.observed_at ? at : before.observed_at,
    },
  };
};

/** Applies values that moved while all others remained. */
const resight = (tenures: Tenures, at: string, moved: Moved): Change | null => {
  const before = holderOf(tenures);
  if (before === undefined || at <= before.seen_at) return null;
  const { followers = before.followers } = moved;
  const picture = moved.avatar_url === undefined ? before.picture : pictureOf(moved.avatar_url);
  const isBack = before.status !== 'active' && before.status !== 'private';
  const after: AccountRow = {
    ...before,
    followers,
    picture,
    status: isBack ? 'active' : before.status,
    seen_at: at,
    // The profile again that a reading has shown: it is whose that was.
    identified_at: before.identified_at === before.seen_at ? at : before.identified_at,
    observed_at: at > before.observed_at ? at : before.observed_at,
  };
  return { before, after };
};

/** Before any reading that shows an account: where one has another name, that is the present one. */
const NEVER = new Date(0).toISOString();

/** An account that its platform has and does not show, and that was never seen under the name. */
const hidden = (platform: Platform, name: string, at: string, status: AccountStatus): Change => {
  const shown = { ...emptyProfile(name), id: handleIn(platform, name) === null ? name : null };
  const found = sight([], { platform, name, at, status, profile: shown }) as Change;
  return shown.id === null ? found : { ...found, after: { ...found.after, identified_at: NEVER } };
};

/** Applies that an account is gone, which changes nothing of whose it is. */
const end = (tenures: Tenures, { platform, name, at, status }: Omit<Sighted, 'profile'>): Change | null => {
  const before = holderOf(tenures);
  if (before === undefined && isHidden(status)) return hidden(platform, name, at, status);
  return before === undefined || at <= before.observed_at
    ? null
    : { before, after: { ...before, status, observed_at: at } };
};

/** Columns that change with nearly every reading. */
const MOVED = [
  'picture',
  'followers',
  'status',
  'seen_at',
  'identified_at',
  'observed_at',
] as const satisfies readonly (keyof AccountRow)[];

const REMAINING = [
  'account',
  'display_name',
  'intro',
  'targets',
  'is_disclaimed',
  'verified',
  'created_at',
] as const satisfies readonly (keyof AccountRow)[];

/** Whether a row changed in no columns but these. The other ones follow from those that remain. */
const isMove = ({ before, after }: Change): boolean =>
  before !== undefined && REMAINING.every((column) => before[column] === after[column]);

/** Whether another account has the name, or has it under another key: links to the name may mean others. */
const isOfTenure = ({ before, after }: Change): boolean => before?.account !== after.account;

/** Whether a change may change whose the account is, or how its person is listed. */
const isOfIdentity = ({ before, after }: Change): boolean =>
  before === undefined ||
  before.account !== after.account ||
  before.display_name !== after.display_name ||
  before.intro !== after.intro ||
  before.picture !== after.picture ||
  before.targets !== after.targets ||
  before.is_disclaimed !== after.is_disclaimed ||
  rankOf(before.followers) !== rankOf(after.followers);
