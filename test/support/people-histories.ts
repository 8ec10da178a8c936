import { SITES } from '../../infra/simulator/platforms/registry.ts';
import { PLATFORMS } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import { takerNumber } from '../../infra/simulator/world/takers.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { accountStream } from '../../src/write/accounts/account.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FIRST = Date.UTC(2026, 0, 1);

interface Reading {
  readonly at: number;
  readonly type: 'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable';
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

/** Histories of accounts by stream, in the order of each: three years of renames, takeovers and changed links. */
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
  return streams;
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
