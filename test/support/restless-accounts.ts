import { isoOf } from '../../src/kernel/clock.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { Random } from '../../src/kernel/random.ts';
import { type AccountStatus, recordSighting, type Sighting } from '../../src/write/accounts/account.ts';
import { emptyProfile, MEASURABLE } from '../../src/write/accounts/profile.ts';
import type { EventLog } from '../../src/write/log/port.ts';

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;

const pick = <T>(random: Random, of: readonly T[]): T => of[random.int(of.length)] as T;

interface Account {
  readonly id: string;
  /** Null while it has none; it is then read by its ID. */
  handle: string | null;
  status: 'active' | 'private' | 'suspended' | 'deactivated';
  bio: string;
}

const STATUSES = ['active', 'active', 'private', 'suspended', 'deactivated'] as const;

/** A reading of a name, and the account that it found. */
interface Reading {
  readonly name: string;
  readonly id: string | null;
  readonly sighting: Sighting;
}

/** What the readings so far have shown of an account. */
export interface Truth {
  readonly id: string;
  readonly handle: string | null;
  readonly status: AccountStatus;
  readonly bio: string | null;
}

export interface Restless {
  readonly platform: Platform;
  /** What the recorded readings have shown of each account, by the time at which the platform was read. */
  truths(): readonly Truth[];
  /** The last recorded reading of each name. */
  names(): ReadonlyMap<string, Reading>;
}

/** Few accounts and few handles, so that handles are often taken over and taken back. */
class World {
  readonly #random: Random;
  readonly #handles: readonly string[];
  readonly #accounts: readonly Account[];
  readonly #canLoseHandle: boolean;

  constructor(random: Random, prefix: string, idOf: (n: number) => string, canLoseHandle: boolean) {
    this.#random = random;
    this.#canLoseHandle = canLoseHandle;
    this.#handles = [0, 1, 2, 3].map((n) => `${prefix}${n}.example`.replace('.', canLoseHandle ? '.' : '_'));
    this.#accounts = [0, 1, 2].map((n) => ({
      id: idOf(n),
      handle: this.#handles[n] as string,
      status: pick(random, STATUSES),
      bio: 'one',
    }));
  }

  change(): void {
    const random = this.#random;
    const account = pick(random, this.#accounts);
    const kind = random.next();
    if (kind < 0.15) account.bio = pick(random, ['one', 'two']);
    else if (kind < 0.3) account.status = pick(random, STATUSES);
    else if (kind < 0.4 && this.#canLoseHandle) account.handle = null;
    else this.#rename(account, pick(random, this.#handles));
  }

  /** Takes a handle. Its owner gets the former handle in exchange, or one that nobody can read. */
  #rename(account: Account, handle: string): void {
    const other = this.#accounts.find((one) => one.handle === handle);
    if (other === account) return;
    const [former, free] = [account.handle, this.#handles.find((one) => this.#at(one) === undefined)];
    account.handle = handle;
    if (other !== undefined) other.handle = former ?? free ?? null;
  }

  #at(name: string): Account | undefined {
    return this.#accounts.find(({ handle, id }) => (handle ?? id) === name);
  }

  read(atMs: number): Reading {
    return this.readName(pick(this.#random, this.everyName()), atMs);
  }

  readName(name: string, atMs: number): Reading {
    const account = this.#at(name);
    const read = { observedAt: isoOf(atMs), source: 'crawler', surface: 'page' } as const;
    const status = account?.status ?? 'absent';
    if (account === undefined || (status !== 'active' && status !== 'private'))
      return { name, id: account?.id ?? null, sighting: { ...read, found: { status } as never } };
    const { id, bio } = account;
    const profile = { ...emptyProfile(name), id, bio, display_name: `Name ${id}`, followers: 1_000 };
    return {
      name,
      id,
      sighting: { ...read, found: { status, profile, posts: null, measured: MEASURABLE } },
    };
  }

  /** All handles, and the IDs of visible accounts without a handle. */
  everyName(): readonly string[] {
    const nameless = this.#accounts.filter(
      ({ handle, status }) => handle === null && (status === 'active' || status === 'private'),
    );
    return [...this.#handles, ...nameless.map(({ id }) => id)];
  }
}

/** What the readings show of the accounts that any of them showed. */
const truthsOf = (readings: readonly Reading[]): readonly Truth[] => {
  const truths = new Map<string, Truth>();
  const ordered = readings.toSorted((a, b) => (a.sighting.observedAt < b.sighting.observedAt ? -1 : 1));
  for (const { name, id, sighting } of ordered) {
    const { found } = sighting;
    const standing = [...truths.values()].find((one) => (one.handle ?? one.id) === name);
    if (found.status !== 'active' && found.status !== 'private') {
      if (standing !== undefined) truths.set(standing.id, { ...standing, status: found.status });
      continue;
    }
    if (standing !== undefined && standing.id !== id) truths.set(standing.id, { ...standing, handle: null });
    const shown = id as string;
    truths.set(shown, {
      id: shown,
      handle: name === shown ? null : name,
      status: found.status,
      bio: found.profile.bio,
    });
  }
  return [...truths.values()];
};

/**
 * Reads a small world in which accounts are renamed, swap handles, take over those of others and return, and records the readings.
 * Some are recorded late, so that those of other names come first. At the end every name is read in a random order.
 * @param between called between readings, for projecting in parts.
 */
export const liveRestlessly = async (
  log: EventLog,
  random: Random,
  at: { readonly platform: Platform; readonly prefix: string; readonly idOf: (n: number) => string },
  between: () => Promise<void>,
): Promise<Restless> => {
  const { platform, prefix, idOf } = at;
  const world = new World(random, prefix, idOf, platform === 'bluesky');
  const recorded: Reading[] = [];
  const late: Reading[] = [];
  let nowMs = START;
  const record = async (reading: Reading): Promise<void> => {
    const { outcome } = await recordSighting(log, platform, reading.name, reading.sighting, { nowMs });
    if (outcome !== null) recorded.push(reading);
  };
  const readings = 4 + random.int(80);
  for (let n = 0; n < readings; n++) {
    nowMs += HOUR;
    if (random.next() < 0.4) world.change();
    const reading = world.read(nowMs);
    if (random.next() < 0.15) late.push(reading);
    else await record(reading);
    if (random.next() < 0.2) for (const one of late.splice(0)) await record(one);
    if (random.next() < 0.1) await between();
  }
  const names = [...world.everyName()];
  while (names.length > 0) {
    nowMs += HOUR;
    const [name] = names.splice(random.int(names.length), 1);
    await record(world.readName(name as string, nowMs));
  }
  return {
    platform,
    truths: () => truthsOf(recorded),
    names: () =>
      new Map(
        recorded
          .toSorted((a, b) => (a.sighting.observedAt < b.sighting.observedAt ? -1 : 1))
          .map((reading) => [reading.name, reading]),
      ),
  };
};
