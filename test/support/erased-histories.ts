/** Histories in which accounts are erased, as a read model follows them, and as the log has them once nothing names these accounts. */

import { createHash } from 'node:crypto';
import { isoOf } from '../../src/kernel/clock.ts';
import { uuidV5 } from '../../src/kernel/ids.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { Random } from '../../src/kernel/random.ts';
import { descriptorOf } from '../../src/platforms/index.ts';
import type { ErasedAccount } from '../../src/projections/erased-accounts.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { cleansed } from '../../src/write/erasure/cleanse.ts';
import { Ledger } from '../../src/write/erasure/fence.ts';
import { createMarker, markOf, VOIDING, voidingTypeOf } from '../../src/write/erasure/subject.ts';
import { type FollowsMember, followsStream } from '../../src/write/follows.ts';
import { companyStream, decisionMakerStream } from '../../src/write/leads.ts';
import { linkPageStream } from '../../src/write/link-pages.ts';
import type { NewEvent, RecordedEvent } from '../../src/write/log/port.ts';
import { listingId, listingStream, placementId } from '../../src/write/marketplace/listing.ts';
import { membersStream } from '../../src/write/pools/pool.ts';
import { poolCreated } from './pools.ts';
import { posted, sighted, unavailable, unchanged } from './program.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const marker = createMarker(createHash('sha256').update('a test').digest());

/** Platforms with an ID: accounts are renamed there, and others take their handles over. */
const WITH_IDS: readonly Platform[] = ['x', 'bluesky'];
const PLATFORMS = ['x', 'bluesky', 'telegram', 'linkedin'] as const;
type Place = (typeof PLATFORMS)[number];

interface Account {
  readonly platform: Place;
  readonly key: string;
  readonly id: string | null;
  readonly isErased: boolean;
  /** Whether no reading shows its ID. */
  readonly isShy: boolean;
  handle: string | null;
  /** The newest last. */
  readonly handles: string[];
  /** Addresses that it links to from some time on. */
  readonly links: string[];
  followers: number;
  posts: number;
}

/** An event, and the account that it is about if that one is erased. */
interface Told {
  readonly event: AppliedEvent;
  readonly of: Account | null;
}

export interface Erasure {
  readonly subject: string;
  readonly account: ErasedAccount;
  /** What every name, text, link and ID of this account has and no other account shows, its handles apart. */
  readonly canaries: readonly string[];
}

export interface ErasedHistory {
  readonly erasures: readonly Erasure[];
  /** All events in order, with those of erased accounts until they are erased. */
  readonly told: readonly Told[];
  /** The events as the log's door lets them pass, in another order: from the first sign of an erasure on it knows of it. */
  throughFence(order: readonly Told[]): readonly AppliedEvent[];
  /** The events that are left once the accounts are forgotten. */
  readonly left: readonly AppliedEvent[];
}

const pick = <T>(random: Random, of: readonly T[]): T => of[random.int(of.length)] as T;

const HANDLES: Readonly<Record<Place, (name: string) => string>> = {
  x: (name) => name,
  bluesky: (name) => `${name}.example`,
  telegram: (name) => `tele${name}`,
  linkedin: (name) => name,
};

const idOf = (platform: Place, n: number): string | null => {
  if (platform === 'x') return String(771_000_000 + n);
  return platform === 'bluesky' ? `did:plc:${String(n).padStart(24, 'a')}` : null;
};

class Telling {
  readonly #random: Random;
  readonly #revisions = new Map<string, number>();
  readonly told: Told[] = [];
  readonly erasures: Erasure[] = [];
  readonly #subjects = new Map<Account, RecordedEvent>();
  /** The log's door, which lets nothing of an erased account in again. */
  readonly #ledger = new Ledger(marker);
  #now = START;
  #names = 0;
  /** Who has each handle, and whether its last reading was of a profile. */
  readonly #holders = new Map<string, { account: Account; isShown: boolean }>();

  readonly accounts: Account[] = [];
  /** Names that were shown without an ID first. */
  readonly #unclear = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Addresses of others that an account links to: what links to an account that is erased is not what it was without it. */
  #linkedBy(account: Account): readonly string[] {
    const linked = this.accounts.filter((other) => {
      if (other.isErased || other.handle === null || other === account) return false;
      const held = this.#holders.get(accountStream(other.platform, other.handle));
      return held?.account === other && this.#random.next() < 0.2;
    });
    const addresses = linked.map(({ platform, handle }) =>
      descriptorOf(platform).profileUrl(handle as string),
    );
    return [...account.links, ...addresses];
  }

  /** An account is seen to have a handle that another one had. Who links to it and is linked by it may be read before. */
  take(account: Account, handle: string): void {
    this.rename(account, handle);
    if (this.#random.next() < 0.6) {
      const others = this.accounts.filter(
        (each) => !each.isErased && each !== account && each.handle !== null,
      );
      const friend = pick(this.#random, others);
      friend.links.push(descriptorOf(account.platform).profileUrl(handle));
      account.links.push(descriptorOf(friend.platform).profileUrl(friend.handle as string));
      this.read(friend);
    }
    this.read(account);
  }

  get at(): string {
    return isoOf(this.#now);
  }

  tell(stream: string, event: Omit<NewEvent, 'id'>, of: Account | null = null): void {
    this.#now += HOUR * (1 + this.#random.int(12));
    const data = cleansed(this.#ledger, { stream, ...event });
    if (data === null) return;
    const revision = (this.#revisions.get(stream) ?? -1) + 1;
    this.#revisions.set(stream, revision);
    const position = BigInt(this.told.length + 1);
    const recorded = {
      ...event,
      data,
      id: uuidV5(`event ${position}`),
      stream,
      revision: BigInt(revision),
      position,
      metadata: {},
      recorded_at: this.at,
    };
    this.told.push({ event: recorded, of: of?.isErased === true ? of : null });
  }

  account(platform: Place, n: number, { isErased, isShy }: Pick<Account, 'isErased' | 'isShy'>): Account {
    const handle = this.#fresh(platform, isErased);
    const key = `${isErased ? 'canary' : 'other'}${platform}${n}`;
    const account = {
      platform,
      key,
      id: idOf(platform, n),
      isErased,
      isShy,
      handle,
      handles: [handle],
      links: [],
    };
    return { ...account, followers: 500 + this.#random.int(2_000), posts: 0 };
  }

  #fresh(platform: Place, isErased: boolean): string {
    this.#names += 1;
    return HANDLES[platform](`${isErased ? 'canary' : 'other'}n${this.#names}q`);
  }

  rename(account: Account, handle = this.#fresh(account.platform, account.isErased)): void {
    account.handle = handle;
    account.handles.push(handle);
  }

  /** Whether it is clear where an account that had a handle ended and the next one began, of whatever part of the events is known. */
  isClear(handle: string): boolean {
    return !this.#unclear.has(handle);
  }

  /** Another account is about to have the handle. */
  lose(account: Account): void {
    if (account.platform === 'bluesky') account.handle = null;
    else this.rename(account);
  }

  /** A reading under the name that an account has now. */
  read(account: Account): void {
    const random = this.#random;
    const { platform, key, id } = account;
    const name = account.handle ?? (id as string);
    const stream = accountStream(platform, name);
    const held = this.#holders.get(stream);
    const isKnown = held?.account === account && held.isShown;
    const step = random.next() < 0.5 ? 20 : 400;
    account.followers = Math.max(0, account.followers + random.int(step) - Math.floor(0.48 * step));
    const kind = random.next();
    if (isKnown && kind < 0.25) {
      const moved = random.next() < 0.7 ? { followers: account.followers } : {};
      this.tell(stream, unchanged(this.at, moved), account);
    } else if (isKnown && kind < 0.45) {
      account.posts += 1;
      const post = {
        id: `${key}p${account.posts}`,
        at: this.at,
        text: `${key} wrote`,
        likes: random.int(900),
      };
      this.tell(stream, posted(this.at, post), account);
    } else if (held?.account === account && kind < 0.55) {
      const status = pick(random, ['absent', 'suspended', 'deactivated'] as const);
      this.tell(stream, unavailable(this.at, status), account);
      this.#holders.set(stream, { account, isShown: false });
    } else {
      // An account without an ID takes the first one that its handle shows.
      const hidesId = account.isShy || (held === undefined && random.next() < 0.3);
      if (hidesId) {
        this.#unclear.add(name);
        this.#show(stream, name, { ...account, id: null }, account);
      }
      if (!account.isShy)
        this.#show(
          stream,
          name,
          { ...account, id: isKnown && !hidesId && random.next() < 0.2 ? null : id },
          account,
        );
      this.#holders.set(stream, { account, isShown: true });
    }
  }

  /** A reading that shows everything. */
  show(account: Account): void {
    const name = account.handle as string;
    this.#show(accountStream(account.platform, name), name, account, account);
  }

  #show(stream: string, name: string, { id, key, followers }: Account, of: Account): void {
    const random = this.#random;
    const own = [`https://linktr.ee/${key}`, `https://${key}.shop.example/`];
    const profile = {
      id,
      display_name: `${key} name${random.int(2)}`,
      bio: `${key} bio`,
      followers,
      created_at: random.next() < 0.5 ? null : isoOf(START - HOUR),
      links: [...(of.links.length === 0 && random.next() < 0.5 ? own : []), ...this.#linkedBy(of)],
    };
    this.tell(stream, sighted(name, this.at, profile), of);
  }

  /** A part of a list, of which an account that is erased has a place among others. */
  list(owner: Account, members: readonly Account[]): void {
    const random = this.#random;
    if (owner.id === null || owner.handle === null) return;
    const data = {
      observed_at: this.at,
      source: 'crawler',
      surface: 'graphql',
      direction: pick(random, ['followers', 'following'] as const),
      owner: owner.id,
      sweep: uuidV5(`sweep ${owner.key} ${random.int(4)}`),
      page: random.int(3),
      // Handles that only a list of an erased account shows are not known any more without it.
      members: members.map(
        ({ id, handle }): FollowsMember => ({ id: id as string, handle: owner.isErased ? null : handle }),
      ),
      order: 'newest_first',
      done: random.next() < 0.3,
      capped: false,
    };
    this.tell(followsStream(owner.platform, owner.handle), { type: 'FollowsSighted', data }, owner);
  }

  recruit(pool: string, { platform, handle, isErased }: Account): void {
    if (handle === null) return;
    const stream = membersStream(platform, pool);
    const kind = this.#random.next();
    if (kind < 0.15 && isErased)
      this.tell(stream, { type: 'MembersRemoved', data: { at: this.at, handles: [handle] } });
    const member = { handle, via: platform === 'x' ? 'seed' : 'mention', from: null, depth: null };
    this.tell(stream, { type: 'MembersRecruited', data: { observed_at: this.at, members: [member] } });
  }

  offer(account: Account): void {
    const random = this.#random;
    const { platform, key, handle, followers } = account;
    const seller = pick(random, [{ id: 'sam', name: 'Sam' }, null]);
    const [source, native] = ['market.example', `of${key}`];
    const [price, read] = [1_000_000 * (1 + random.int(90)), { observed_at: this.at }];
    const details = { handle, title: key, followers, seller, url: null, listed_at: null };
    const stream = listingStream(listingId(source, native));
    const published = { ...read, source, native, platform, ...details, price };
    const kind = random.next();
    if (kind < 0.4) this.tell(stream, { type: 'ListingPublished', data: published }, account);
    else if (kind < 0.55)
      this.tell(stream, { type: 'ListingSold', data: { ...read, sold_at: this.at, price } }, account);
    else if (kind < 0.7) this.tell(stream, { type: 'ListingRepriced', data: { ...read, price } }, account);
    else if (handle !== null) {
      const placement = { ...read, source, native, platform, handle, price, followers, views: 900, seller };
      const at = listingStream(placementId(source, native));
      this.tell(at, { type: 'PlacementListed', data: { ...placement, url: null } }, account);
    }
  }

  lead(account: Account): void {
    const { key, handle } = account;
    const read = { observed_at: this.at, source: 'crawler', surface: 'page' };
    if (this.#random.next() < 0.5) {
      const person = { slug: handle, name: key, title: `${key} CEO`, company: null, location: null };
      const data = { ...read, ...person, country: null };
      this.tell(
        decisionMakerStream(handle as string),
        { type: 'DecisionMakerSighted', data } as never,
        account,
      );
      return;
    }
    const of = { name: key, description: null, industry: null, size: null, employees: 9, headquarters: null };
    const rest = { country: null, founded: null, website: null, specialties: null };
    const data = { ...read, slug: handle, ...of, ...rest };
    this.tell(companyStream(handle as string), { type: 'CompanySighted', data }, account);
  }

  readPage(account: Account): void {
    const page = `linktr.ee/${account.key}`;
    const data = { observed_at: this.at, page, links: [`https://x.com/${account.key}`] };
    this.tell(linkPageStream(page), { type: 'LinkPageRead', data }, account);
  }

  /** Erases an account: its events in all streams are void, and each stream says so. */
  erase(account: Account): void {
    const { platform, id, handles, key } = account;
    const streams = new Set(this.told.flatMap(({ of, event }) => (of === account ? [event.stream] : [])));
    for (const handle of handles) {
      streams.add(accountStream(platform, handle));
      if (WITH_IDS.includes(platform)) streams.add(followsStream(platform, handle));
    }
    const first = accountStream(platform, handles[0] as string);
    const own = id === null ? null : markOf(marker, platform, 'id', id);
    const erased = [first, ...[...streams].filter((stream) => stream !== first)].map((stream) => {
      const events = this.told.filter(({ event }) => event.stream === stream);
      const revisions = events.flatMap(({ of, event }) => (of === account ? [Number(event.revision)] : []));
      const through = Math.max(-1, ...revisions);
      const from = revisions.length === 0 ? -1 : Math.min(...revisions);
      const next = events.find(
        ({ event }) =>
          Number(event.revision) > through &&
          (event.type === 'AccountSighted' || (event.type === 'FollowsSighted' && through >= 0)),
      );
      const since = (next?.event.data as { observed_at?: string } | undefined)?.observed_at ?? null;
      return { stream, from, through, since };
    });
    const taken = new Set(erased.filter(({ since }) => since !== null).map(({ stream }) => stream));
    const refused = handles.filter((handle) => !taken.has(accountStream(platform, handle)));
    const marks = refused.map((handle) => markOf(marker, platform, 'handle', handle));
    const subject = own?.digest ?? (marks[0]?.digest as string);
    const data = { at: this.at, platform, subject, id: own, handles: marks };
    const event = { type: 'SubjectErased', revision: BigInt(this.#subjects.size), data } as never;
    this.#subjects.set(account, event);
    this.#ledger.apply(event);
    const names = { platform, native_id: id, handles: handles.toReversed() };
    this.erasures.push({ subject, account: names, canaries: [key, ...(id === null ? [] : [id])] });
    for (const { stream, from, through, since } of erased) {
      const gone = { at: this.at, subject, from, through, since, is_first: stream === first };
      this.tell(stream, { type: voidingTypeOf(stream), data: gone });
    }
  }

  throughFence(order: readonly Told[]): readonly AppliedEvent[] {
    const ledger = new Ledger(marker);
    const bySubject = new Map(
      [...this.#subjects].map(([account, event]) => [
        (event.data as { subject: string }).subject,
        { account, event },
      ]),
    );
    const known = new Set<Account>();
    return order.flatMap(({ event, of }) => {
      if (VOIDING.has(event.type)) {
        const erased = bySubject.get((event.data as { subject: string }).subject);
        if (erased !== undefined && !known.has(erased.account)) ledger.apply(erased.event);
        if (erased !== undefined) known.add(erased.account);
      }
      return of !== null && known.has(of) ? [] : passed(ledger, event);
    });
  }

  left(): readonly AppliedEvent[] {
    const ledger = new Ledger(marker);
    for (const event of this.#subjects.values()) ledger.apply(event);
    return this.told.flatMap(({ event, of }) => (of === null ? passed(ledger, event) : []));
  }
}

const passed = (ledger: Ledger, event: AppliedEvent): readonly AppliedEvent[] => {
  const data = cleansed(ledger, event);
  return data === null ? [] : [{ ...event, data }];
};

/**
 * Accounts of which nothing is read any more: one that is erased at the end; another that has its handle since, with a few followers
 * less; and a third one of the same name, which is linked with the other one, and linked to the handle before.
 */
const inherited = (telling: Telling): readonly Account[] => {
  const account = (n: number, platform: Place, key: string, followers: number): Account => {
    const made = telling.account(platform, 150 + n, { isErased: n === 0, isShy: false });
    return { ...made, key, followers };
  };
  const gone = account(0, 'x', 'canaryx150', 1_100);
  const [heir, friend] = [account(1, 'x', 'graceofboth', 900), account(2, 'bluesky', 'graceofboth', 900)];
  const linkTo = ({ platform, handle }: Account) => descriptorOf(platform).profileUrl(handle as string);
  for (const each of [gone, heir, friend]) telling.show(each);
  friend.links.push(linkTo(gone));
  telling.show(friend);
  telling.rename(heir, gone.handle as string);
  heir.links.push(linkTo(friend));
  telling.show(heir);
  return [gone, heir, friend];
};

/**
 * A world of a few accounts on four platforms, half of which are erased one after the other. They are renamed before; others take
 * handles of theirs over, and of each other. An account that is erased took no handle over from one that is known.
 */
export const erasedHistory = (random: Random): ErasedHistory => {
  const telling = new Telling(random);
  const pools: string[] = [];
  const poolOf = ({ platform, key, isErased }: Account): string => {
    // Pools' medians and caps depend on all of their accounts.
    const pool = isErased ? `of-${key.slice('canary'.length)}` : `rest-${platform}`;
    if (!pools.includes(pool)) {
      pools.push(pool);
      const data = poolCreated(pool, platform, START, { size_cap: 1_000 });
      telling.tell(`pool-${pool}`, { type: 'PoolCreated', data });
    }
    return pool;
  };
  const { accounts } = telling;
  for (const [p, platform] of PLATFORMS.entries())
    for (let n = 0; n < 8; n++) {
      const isShy = n === 6 && WITH_IDS.includes(platform);
      accounts.push(telling.account(platform, 100 * (p + 1) + n, { isErased: n % 2 === 0, isShy }));
    }
  for (const account of accounts) {
    telling.recruit(poolOf(account), account);
    telling.read(account);
  }
  const heritage = inherited(telling);
  const erased = new Set<Account>();
  const act = (account: Account): void => {
    const { platform } = account;
    const hasIds = WITH_IDS.includes(platform);
    const others = accounts.filter((other) => other.platform === platform && other !== account);
    const kind = random.next();
    if (kind < 0.08 && hasIds && !account.isShy) telling.rename(account);
    else if (kind < 0.24 && hasIds && !account.isErased) {
      // A handle that another account has, or had.
      const other = pick(
        random,
        others.filter(({ isShy }) => !isShy),
      );
      const handle = pick(random, other.handles);
      if (!telling.isClear(handle)) return;
      for (const each of others) if (each.handle === handle) telling.lose(each);
      if (random.next() < 0.5) account.followers = other.followers;
      telling.take(account, handle);
    } else if (kind < 0.32 && hasIds) {
      telling.list(
        account,
        others.filter(() => random.next() < 0.4),
      );
    } else if (kind < 0.38) telling.recruit(poolOf(account), account);
    else if (kind < 0.45) telling.offer(account);
    else if (kind < 0.5 && platform === 'linkedin') telling.lead(account);
    else if (kind < 0.53) telling.readPage(account);
    else telling.read(account);
  };
  for (let n = 0; n < 1_500; n++) {
    const living = accounts.filter((account) => !erased.has(account));
    act(pick(random, living));
    if (n % 80 === 79) {
      const next = accounts.filter((account) => account.isErased && !erased.has(account));
      if (next.length === 0) continue;
      const account = pick(random, next);
      telling.erase(account);
      erased.add(account);
    }
  }
  telling.erase(heritage[0] as Account);
  const taken = new Set(
    [...accounts, ...heritage].flatMap(({ isErased, handles }) => (isErased ? [] : handles)),
  );
  return {
    erasures: telling.erasures.map(({ canaries, ...erasure }) => {
      const handles = erasure.account.handles.filter((handle) => !taken.has(handle));
      return { ...erasure, canaries: [...canaries, ...handles] };
    }),
    told: telling.told,
    throughFence: (order) => telling.throughFence(order),
    left: telling.left(),
  };
};
