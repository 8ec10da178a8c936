import { uuidV5, uuidV7 } from '../../src/kernel/ids.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { engineReportStream, engineStream } from '../../src/write/engines.ts';
import { followsStream } from '../../src/write/follows.ts';
import { ladderStream } from '../../src/write/insights.ts';
import { companyStream, decisionMakerStream } from '../../src/write/leads.ts';
import type { EventLog, NewEvent } from '../../src/write/log/port.ts';
import { membersStream } from '../../src/write/pools/pool.ts';
import { drawnReadings, reportOf } from './engines.ts';
import { marketEvent } from './market.ts';
import { poolCreated } from './pools.ts';
import { posted, sighted, unavailable, unchanged } from './program.ts';

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const PLATFORMS: readonly Platform[] = ['x', 'bluesky', 'telegram', 'linkedin'];

const pick = <T>(random: Random, of: readonly T[]): T => of[random.int(of.length)] as T;

/** An event of a history, and its stream. */
interface Happening {
  readonly stream: string;
  readonly event: Omit<NewEvent, 'id'>;
}

/** A part of a follower list, of one of few sweeps. */
const followsEvent = (random: Random, at: string): Happening => {
  const platform = pick(random, ['x', 'bluesky'] as const);
  const idOf = (n: number) => (platform === 'x' ? `${100 + n}` : `did:plc:member${n}`);
  const owner = random.int(4);
  const done = random.next() < 0.3;
  const data = {
    observed_at: at,
    source: pick(random, ['crawler', 'live'] as const),
    surface: 'graphql',
    direction: pick(random, ['followers', 'following'] as const),
    owner: idOf(owner),
    sweep: uuidV5(`sweep ${platform} ${owner} ${random.int(5)}`),
    page: random.int(3),
    members: Array.from({ length: random.int(5) }, () => {
      const member = random.int(12);
      return { id: idOf(member), handle: random.next() < 0.2 ? null : `handle${member}` };
    }).filter(({ id }, i, all) => all.findIndex((other) => other.id === id) === i),
    order: 'newest_first',
    done,
    capped: !done && random.next() < 0.2,
  };
  return { stream: followsStream(platform, `handle${owner}`), event: { type: 'FollowsSighted', data } };
};

/** The facts of a company or a person, with few slugs. */
const leadEvent = (random: Random, at: string): Happening => {
  const slug = `slug-${random.int(6)}`;
  const read = { observed_at: at, source: 'crawler', surface: 'page', slug };
  const country = random.next() < 0.5 ? null : pick(random, ['DE', 'France', 'US']);
  if (random.next() < 0.5) {
    const data = {
      ...read,
      name: `Company ${random.int(3)}`,
      description: null,
      industry: pick(random, ['Software Development', 'Banking', null]),
      size: pick(random, ['51-200 employees', '10,001+ employees', null]),
      employees: random.next() < 0.5 ? null : random.int(20_000),
      headquarters: 'Berlin',
      country,
      founded: '1999',
      website: null,
      specialties: random.next() < 0.5 ? null : ['one', 'two'],
    };
    return { stream: companyStream(slug), event: { type: 'CompanySighted', data } };
  }
  const data = {
    ...read,
    name: `Person ${random.int(3)}`,
    title: pick(random, ['Chief Executive Officer', 'Software Engineer', 'Leiterin Vertrieb', null]),
    company: random.next() < 0.3 ? null : { name: 'Company 1', slug: `slug-${random.int(6)}` },
    location: 'Berlin',
    country,
  };
  return { stream: decisionMakerStream(slug), event: { type: 'DecisionMakerSighted', data } };
};

/** A change of a pool, or its end. Some accounts exceed its cap. */
const poolEvent = (random: Random, at: string, platform: Platform): Happening => {
  const [pool, other] = pick(random, [
    [`seed-${platform}`, `demand-${platform}`],
    [`demand-${platform}`, `seed-${platform}`],
  ] as const);
  const stream = `pool-${pool}`;
  const tuning = { refresh_min_s: 60 + random.int(600), refresh_max_s: 86_400, size_cap: 3 + random.int(9) };
  const decided = { at, decision: null };
  const kind = random.next();
  if (kind < 0.3) {
    const data = { ...decided, ...tuning, refresh_threshold: 1e-5 * random.next() };
    return { stream, event: { type: 'PoolTuned', data } };
  }
  if (kind < 0.4) return { stream, event: { type: 'PoolPaused', data: { ...decided, why: 'a test' } } };
  if (kind < 0.5) return { stream, event: { type: 'PoolResumed', data: decided } };
  if (kind < 0.55) {
    const data = { ...decided, why: 'a test', heir: random.next() < 0.5 ? other : null };
    return { stream, event: { type: 'PoolRetired', data } };
  }
  if (kind < 0.6) return { stream, event: { type: 'PoolReopened', data: decided } };
  return {
    stream,
    event: { type: 'PoolCreated', data: poolCreated(pool, platform, Date.parse(at), tuning) },
  };
};

/** A report of an engine's worker, an alarm, or an operator's decision. */
const engineEvent = (random: Random, at: string, platform: Platform): Happening => {
  const kind = random.next();
  if (kind < 0.6) {
    const worker = `worker-${random.int(3)}`;
    const data = reportOf(platform, worker, Date.parse(at), drawnReadings(random, 1 + random.int(9)));
    return { stream: engineReportStream(platform), event: { type: 'CrawlBatchCompleted', data } };
  }
  const stream = engineStream(platform);
  if (kind < 0.7) return { stream, event: { type: 'EnginePaused', data: { at, why: 'a test' } } };
  if (kind < 0.8) return { stream, event: { type: 'EngineResumed', data: { at } } };
  if (kind < 0.9)
    return { stream, event: { type: 'EngineTuned', data: { at, rate_per_s: 1 + random.int(9) } } };
  const data = { at, platform, reason: 'http_error', detail: 'a test', worker: 'w' };
  return { stream, event: { type: 'EngineDegraded', data } };
};

/** One event of a crawler, a pool or a holder, drawn so that handles and ids often cross. */
const happening = (random: Random, n: number): Happening => {
  // Times increase, but one reading in five arrives late.
  const late = random.next() < 0.2 ? random.int(40) : 0;
  const at = new Date(START + Math.max(0, n - late) * HOUR + random.int(HOUR)).toISOString();
  const platform = pick(random, PLATFORMS);
  const handle = `handle${random.int(12)}`;
  const stream = accountStream(platform, handle);
  const kind = random.next();
  if (kind < 0.04) {
    const members = [handle, `handle${n % 12}`].map((name) => ({
      handle: name,
      via: 'mention',
      from: null,
      depth: null,
    }));
    const pool = n % 3 === 0 ? `demand-${platform}` : `seed-${platform}`;
    if (random.next() < 0.3) {
      const data = { at, handles: members.map(({ handle: name }) => name) };
      const type = random.next() < 0.5 ? 'MembersMoved' : 'MembersRemoved';
      return { stream: membersStream(platform, pool), event: { type, data } };
    }
    return {
      stream: membersStream(platform, pool),
      event: { type: 'MembersRecruited', data: { observed_at: at, members } },
    };
  }
  if (kind < 0.07) {
    return poolEvent(random, at, platform);
  }
  if (kind < 0.2) {
    const status = pick(random, ['absent', 'suspended', 'deactivated'] as const);
    return { stream, event: unavailable(at, status) };
  }
  if (kind < 0.45) {
    const moved = random.next() < 0.5 ? { followers: random.int(5_000) } : {};
    const event = unchanged(at, moved);
    const followers = random.next() < 0.5 ? null : new Date(START).toISOString();
    const kept = random.next() < 0.3 ? { kept: { followers } } : {};
    return { stream, event: { ...event, data: { ...event.data, ...kept } } };
  }
  if (kind < 0.6) {
    const id = `post${random.int(6)}`;
    return { stream, event: posted(at, { id, at, text: `text ${n}`, likes: random.int(9) }) };
  }
  if (kind >= 0.95) return marketEvent(random, at);
  if (kind >= 0.92) return followsEvent(random, at);
  if (kind >= 0.89) return leadEvent(random, at);
  if (kind >= 0.87) return engineEvent(random, at, platform);
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

const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/** Figures of a platform's population, in turns. */
const ladderEvent = (n: number): Happening => {
  const platform = PLATFORMS[n % PLATFORMS.length] as Platform;
  const at = new Date(START + n * HOUR).toISOString();
  const computed = { at, platform, population: 'catalog', through: null, method: '1' };
  const stream = ladderStream(platform);
  const data = { ...computed, metric: 'followers', band: n % 3 === 0 ? null : n % 8, n, points: PERCENTS };
  if (n % 4 !== 3) return { stream, event: { type: 'LadderComputed', data } };
  const counts = {
    accounts: n,
    with_posts: n,
    with_figures: 1,
    posts: n,
    sampled: 8,
    with_views: 8,
    ordered: 8,
  };
  const laws = { dependence: {}, pace: { variances: [1], rates: null }, moves: [] };
  const window = { window_start: null, window_end: at };
  return {
    stream,
    event: { type: 'PopulationCounted', data: { ...computed, ...counts, ...laws, ...window } },
  };
};

/** A number of generated events, every 25th of them with figures. */
const happeningAt = (random: Random, n: number): Happening => {
  const drawn = happening(random, n);
  return n % 25 === 24 ? ladderEvent(n) : drawn;
};

/** Appends a number of generated events of a seed in order, starting with number `from`. */
export const live = async (log: EventLog, seed: number, count: number, from = 0): Promise<void> => {
  const random = seededRandom(seed * 1_000 + from);
  for (let n = from; n < from + count; n += 100) {
    const some = Array.from({ length: Math.min(100, from + count - n) }, (_, i) =>
      happeningAt(random, n + i),
    );
    await log.appendMany(
      some.map(({ stream, event }) => ({
        stream,
        events: [{ ...event, id: uuidV7(START) }],
        expected: 'any' as const,
      })),
    );
  }
};
