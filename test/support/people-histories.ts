import { SITES } from '../../infra/simulator/platforms/registry.ts';
import { PLATFORMS } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { takerNumber } from '../../infra/simulator/world/takers.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { descriptorOf } from '../../src/platforms/index.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { accountOf, accountStream } from '../../src/write/accounts/account.ts';
import { linkPageStream } from '../../src/write/link-pages.ts';
import { linkPageIn, targetsOf } from '../../src/write/people/account.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FIRST = Date.UTC(2026, 0, 1);

interface Reading {
  readonly at: number;
  readonly type: 'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable' | 'LinkPageRead';
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a reading of an account records: some surfaces show no native ID. */
const readingOf = (account: Account, at: number, showsId: boolean): Reading | null => {
  const shown = SITES[account.platform].visible(account).find(({ profile }) => profile?.display_name != null);
  const read = { observed_at: new Date(at).toISOString(), source: 'crawler', surface: 'page' };
  if (shown?.profile == null) {
    const { status } = account;
    if (status !== 'suspended' && status !== 'deactivated' && status !== 'absent') return null;
    return { at, type: 'AccountUnavailable', data: { ...read, status } };
  }
  const profile = { ...shown.profile, id: showsId ? shown.profile.id : null };
  return { at, type: 'AccountSighted', data: { ...read, status: 'active', profile } };
};

/** A world with many renames and takeovers, which are rare by default. */
const RESTLESS = {
  ...DEFAULT_PARAMETERS,
  renames: { ...DEFAULT_PARAMETERS.renames, once: 0.5, taken: 0.8, delayDays: 10 },
};

/** The link pages that a reading shows. */
const pagesIn = (stream: string, { type, data }: Reading): readonly string[] => {
  if (type !== 'AccountSighted') return [];
  const profile = data.profile as { readonly links: readonly string[]; readonly bio: string | null };
  return targetsOf(accountOf(stream).platform, profile).flatMap((target) => linkPageIn(target) ?? []);
};

/** Readings of link pages, which list some of the names that link to them, some by native ID, or are gone; one is older. */
const pageHistories = (
  streams: ReadonlyMap<string, readonly Reading[]>,
  rounds: number,
  random: ReturnType<typeof seededRandom>,
): ReadonlyMap<string, readonly Reading[]> => {
  const linking = new Map<string, Set<string>>();
  for (const [stream, readings] of streams)
    for (const reading of readings)
      for (const page of pagesIn(stream, reading)) {
        const { platform, handle } = accountOf(stream);
        const { id } = (reading.data as { readonly profile: { readonly id: string | null } }).profile;
        const url =
          platform === 'youtube' && id !== null
            ? `https://www.youtube.com/channel/${id}`
            : descriptorOf(platform).profileUrl(handle);
        linking.getOrInsertComputed(page, () => new Set()).add(url);
      }
  return new Map(
    [...linking].map(([page, urls]) => [
      linkPageStream(page),
      Array.from({ length: 2 * rounds }, () => {
        const at = FIRST + Math.floor(random.next() * rounds * 365 * DAY);
        const links = random.next() < 0.1 ? null : [...urls].filter(() => random.next() < 0.8);
        const data = { observed_at: new Date(at).toISOString(), page, links };
        return { at, type: 'LinkPageRead' as const, data };
      }),
    ]),
  );
};

/** Histories of accounts by stream, in the order of each: three years of renames, takeovers and changed links, and of link pages. */
export const historiesOf = (
  seed: number,
  size: number,
  rounds: number,
): ReadonlyMap<string, readonly Reading[]> => {
  const world = createWorld({ seed, size, parameters: RESTLESS, clock: { now: () => FIRST } });
  const random = seededRandom(seed);
  const streams = new Map<string, Reading[]>();
  const add = (account: Account, at: number): void => {
    const reading = readingOf(account, at, random.next() < 0.8);
    if (reading === null) return;
    const stream = accountStream(account.platform, account.handle);
    const before = streams.get(stream) ?? [];
    streams.set(stream, [...before, reading]);
    if (reading.type === 'AccountSighted' && random.next() < 0.3) {
      const later = at + DAY;
      const data = {
        observed_at: new Date(later).toISOString(),
        source: 'crawler',
        surface: 'page',
        moved: { followers: account.followers * 2 },
      };
      streams.get(stream)?.push({ at: later, type: 'AccountUnchanged', data });
    }
  };
  for (let round = 0; round < rounds; round++) {
    for (const platform of PLATFORMS)
      for (let index = 0; index < world.count(platform); index++) {
        const at = FIRST + round * 365 * DAY + Math.floor(random.next() * 200 * DAY);
        add(world.account(platform, index, at), at);
        if (index >= size) continue;
        for (const { generation, takenAt } of world.hidden.naming.takeovers(platform, index, Infinity))
          if (takenAt <= at)
            add(
              world.account(platform, world.count(platform) + takerNumber(index, generation), at),
              at + HOUR,
            );
      }
  }
  for (const readings of streams.values()) readings.sort((a, b) => a.at - b.at);
  return new Map([...streams, ...pageHistories(streams, rounds, random)]);
};

/** An interleaving of streams in which the order within each remains. */
export const interleaved = (
  histories: ReadonlyMap<string, readonly Reading[]>,
  seed: number,
): readonly AppliedEvent[] => {
  const random = seededRandom(seed);
  const left = [...histories].map(([stream, readings]) => ({ stream, readings, next: 0 }));
  const events: AppliedEvent[] = [];
  while (left.length > 0) {
    const n = Math.floor(random.next() * left.length);
    const chosen = left[n] as (typeof left)[number];
    const { type, data } = chosen.readings[chosen.next] as Reading;
    const position = BigInt(events.length + 1);
    events.push({
      id: String(position),
      stream: chosen.stream,
      revision: BigInt(chosen.next),
      position,
      type,
      data,
      metadata: {},
      recordedAt: new Date(0),
    } as unknown as AppliedEvent);
    chosen.next++;
    if (chosen.next === chosen.readings.length) left.splice(n, 1);
  }
  return events;
};
