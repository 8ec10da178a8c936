import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { accountStream } from '../../src/write/accounts/events.ts';
import type { EventLog, NewEvent } from '../../src/write/log/port.ts';
import { marketEvent } from './market.ts';
import { poolCreated } from './pools.ts';
import { posted, sighted, unavailable, unchanged } from './program.ts';

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const PLATFORMS: readonly Platform[] = ['x', 'bluesky', 'telegram', 'linkedin'];

const pick = <T>(random: Random, of: readonly T[]): T => of[random.int(of.length)] as T;

/** One thing that a crawler saw, or a pool or holder did; drawn so that handles and ids often cross. */
const happening = (random: Random, n: number): { stream: string; event: Omit<NewEvent, 'id'> } => {
  // Times go on, but one reading in five arrives late.
  const late = random.next() < 0.2 ? random.int(40) : 0;
  const at = new Date(START + Math.max(0, n - late) * HOUR + random.int(HOUR)).toISOString();
  const platform = pick(random, PLATFORMS);
  const handle = `handle${random.int(12)}`;
  const stream = accountStream(platform, handle);
  const kind = random.next();
  if (kind < 0.04) {
    const data = { observed_at: at, via: 'mention', pool: `seed-${platform}`, from: null };
    return { stream, event: { type: 'AccountDiscovered', data } };
  }
  if (kind < 0.07) {
    const pool = `seed-${platform}`;
    const tuning = { refresh_min_s: 60 + random.int(600), refresh_max_s: 86_400 };
    const data = poolCreated(pool, platform, Date.parse(at), tuning);
    return { stream: `pool-${pool}`, event: { type: 'PoolCreated', data } };
  }
  if (kind < 0.2) {
    const status = pick(random, ['absent', 'suspended', 'deactivated'] as const);
    return { stream, event: unavailable(at, status) };
  }
  if (kind < 0.45) {
    const moved = random.next() < 0.5 ? { followers: random.int(5_000) } : {};
    return { stream, event: unchanged(at, moved) };
  }
  if (kind < 0.6) {
    const id = `post${random.int(6)}`;
    return { stream, event: posted(at, { id, at, text: `text ${n}`, likes: random.int(9) }) };
  }
  if (kind >= 0.95) return marketEvent(random, at);
  return {
    stream,
    event: sighted(
      handle,
      at,
      {
        // Some surfaces show no id; ids wander between handles, and handles between ids.
        id: random.next() < 0.3 ? null : `${100 + random.int(10)}`,
        display_name: `Name ${random.int(4)}`,
        followers: random.next() < 0.1 ? null : random.int(20_000),
        verified: random.next() < 0.5,
        created_at: random.next() < 0.5 ? null : new Date(START - HOUR).toISOString(),
        links: random.next() < 0.4 ? [`https://shop.example/${random.int(5)}`] : [],
      },
      random.next() < 0.15 ? 'private' : 'active',
    ),
  };
};

/** Appends so many happenings of a seed, from number `from` on, in order. */
export const live = async (log: EventLog, seed: number, count: number, from = 0): Promise<void> => {
  const random = seededRandom(seed * 1_000 + from);
  for (let n = from; n < from + count; n += 100) {
    const some = Array.from({ length: Math.min(100, from + count - n) }, (_, i) => happening(random, n + i));
    await log.appendMany(
      some.map(({ stream, event }) => ({
        stream,
        events: [{ ...event, id: uuidV7(START) }],
        expected: 'any' as const,
      })),
    );
  }
};
