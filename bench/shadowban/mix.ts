import { FAULT_KINDS, type Fault, supports } from '../../infra/simulator/faults.ts';
import { replaced } from '../../infra/simulator/layout-mutations.ts';
import { json } from '../../infra/simulator/platforms/response.ts';
import { x } from '../../infra/simulator/platforms/x/site.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { BAN_KINDS, type Ban, type BanKind } from '../../infra/simulator/world/bans.ts';
import { createSimClock } from '../../infra/simulator/world/clock.ts';
import { mix, permutation, unit } from '../../infra/simulator/world/hash.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { createWorld, type World } from '../../infra/simulator/world/world.ts';
import {
  type ShadowbanPart,
  type ShadowbanVerdict,
  shadowbanVerdicts,
} from '../../src/analysis/shadowban.ts';
import runShadowbanCheck from '../../src/api/endpoints/tools/runShadowbanCheck.ts';
import { FetchError, type HttpRequest, type Page } from '../../src/crawlers/http/port.ts';
import type { LiveReader } from '../../src/crawlers/live-read/port.ts';
import { createLiveReader } from '../../src/crawlers/live-read/reader.ts';
import { checkVisibility } from '../../src/crawlers/live-read/visibility-checks.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import type { EventLog } from '../../src/write/log/port.ts';

/** What is so of an account: a ban, a fall of engagement without one, or neither. */
export type Truth = BanKind | 'none' | 'clear';

export interface MixOptions {
  readonly parameters: Parameters;
  readonly seed: number;
  /** Accounts of each kind of ban, and those without one whose engagement fell, and those of neither. */
  readonly banned: number;
  readonly fallen: number;
  readonly clear: number;
  /** Share of requests that meet a fault, of all kinds in turn. */
  readonly faults: number;
  readonly box: Box;
}

/** Whom the search box leaves out of its suggestions for a name, besides the banned. */
export const BOXES = {
  all: () => false,
  'none below 1,000 followers': ({ followers }) => followers < LARGE,
  'half at 1,000 followers': ({ followers, key }) => unit(mix(key, 0xb0c5), 0) < LARGE / (LARGE + followers),
  'four in five': ({ key }) => unit(mix(key, 0xb0c5), 0) < 0.2,
} satisfies Readonly<Record<string, (account: Pick<Account, 'followers' | 'key'>) => boolean>>;

export type Box = keyof typeof BOXES;

export interface Checked {
  readonly truth: Truth;
  /** Null if the call failed, and was refunded. */
  readonly verdicts: Readonly<Record<ShadowbanPart, ShadowbanVerdict>> | null;
  readonly requests: number;
}

const NOW = Date.UTC(2026, 9, 1, 12);
/** Requests of a call at most, as the tool states. */
const MOST = runShadowbanCheck.upstreamReads ?? 0;
/** Posts that an account of the mix has at least. */
const POSTS = 20;
/** Followers of an account that a box with a limit suggests. */
const LARGE = 1_000;
const TYPEAHEAD = '/1.1/search/typeahead.json';
const FAULTS = FAULT_KINDS.filter((kind) => supports('x', kind));
const BAN: Omit<Ban, 'kind'> = { from: NOW - 30 * 86_400_000, to: NOW + 30 * 86_400_000, fall: 0.6 };

/** Takes every event: what is read here is not kept. */
const NO_LOG = {
  append: async () => ({ status: 'appended', revision: 0n, position: 1n }),
  readStream: async () => [],
} as unknown as EventLog;

/** The accounts of the mix, by index. Every other account is as the world has it. */
const drawMix = (world: World, { seed, banned, fallen, clear }: MixOptions): ReadonlyMap<number, Truth> => {
  const wanted = [
    ...BAN_KINDS.flatMap((kind) => Array<Truth>(banned).fill(kind)),
    ...Array<Truth>(fallen).fill('none'),
    ...Array<Truth>(clear).fill('clear'),
  ];
  // Neighbours in the world differ.
  const shuffled = permutation(wanted.length, mix(seed, 0x5bad));
  const drawn = new Map<number, Truth>();
  for (let index = 0; index < world.size && drawn.size < wanted.length; index++) {
    const { status, posts } = world.account('x', index, NOW);
    if (status === 'active' && posts >= POSTS) drawn.set(index, wanted[shuffled.apply(drawn.size)] as Truth);
  }
  if (drawn.size < wanted.length) throw new RangeError('The world has too few accounts for this mix');
  return drawn;
};

/** X as an answer of one process: faults of content, and those of transmission as what a client makes of them. */
const platformOf = (world: World, { seed, faults, box }: MixOptions, now: () => number) => {
  let requests = 0;
  const fetch = async ({ url, method = 'GET', headers = {} }: HttpRequest): Promise<Page> => {
    const n = requests++;
    const { hostname, pathname, searchParams } = new URL(url);
    const request = {
      method,
      host: hostname,
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: { ...headers, authorization: 'Bearer simulated', 'x-guest-token': 'simulated' },
      body: '',
      at: now(),
    };
    const key = mix(mix(seed, 0xfa017), n);
    const kind = FAULTS[Math.floor(unit(key, 1) * FAULTS.length)];
    const fault: Fault | null =
      kind !== undefined && unit(key, 0) < faults
        ? { platform: 'x', kind, share: 1, retryAfterS: 30, location: 'http://169.254.169.254/' }
        : null;
    const named = pathname === TYPEAHEAD ? world.current('x', searchParams.get('q') ?? '', now()) : null;
    const regular = () =>
      named !== null && BOXES[box](named) ? json({ num_results: 0, users: [] }) : x.serve(world, request);
    const reply = fault === null ? regular() : replaced(fault, x, request, regular);
    if (reply === null)
      throw new FetchError(
        fault?.kind === 'oversized' || fault?.kind === 'gzip_bomb' ? 'too_large' : 'timeout',
        'x',
      );
    const body = reply.body.map((part) => part.toString()).join('');
    return { url, status: reply.status, headers: reply.headers, body, bytes: body.length };
  };
  return { fetch, requests: () => requests };
};

/** Runs the check on a mix of its own, in which the truth is known. */
export const checkMix = async (
  options: MixOptions,
  onChecked: (done: number, total: number) => void = () => undefined,
): Promise<readonly Checked[]> => {
  const { seed, parameters, banned, fallen, clear } = options;
  const size = (banned * BAN_KINDS.length + fallen + clear) * 4;
  const plain = createWorld({ seed, size, clock: createSimClock({ now: NOW, speed: 0 }), parameters });
  const mixed = drawMix(plain, options);
  const world: World = {
    ...plain,
    hidden: {
      ...plain.hidden,
      ban: (platform, index, at) => {
        const truth = platform === 'x' ? mixed.get(index) : undefined;
        if (truth === undefined) return plain.hidden.ban(platform, index, at);
        return truth === 'clear' ? null : { ...BAN, kind: truth };
      },
    },
  };
  // Others reply in the minute of each check.
  let at = NOW;
  const platform = platformOf(world, options, () => at);
  const live: LiveReader = createLiveReader({
    adapterOf,
    http: {
      fetch: async (request, { onRequest, mayStart } = {}) => {
        await mayStart?.();
        onRequest?.();
        return platform.fetch(request);
      },
    },
    circuit: { openForMs: async () => 0 },
    log: NO_LOG,
    availability: { answers: async () => true },
    clock: { now: () => at },
    nowMs: () => at,
    concurrency: 4,
  });
  const checked: Checked[] = [];
  for (const [index, truth] of mixed) {
    at += 60_000;
    const { handle } = world.account('x', index, at);
    const before = platform.requests();
    const call = { holder: 'judge', requestId: 'judge', untilMs: at + 60_000, requests: { left: MOST } };
    const verdicts = await checkVisibility(live, 'x', { kind: 'handle', handle }, call)
      .then(({ looks }) => shadowbanVerdicts(looks))
      .catch(() => null);
    checked.push({ truth, verdicts, requests: platform.requests() - before });
    onChecked(checked.length, mixed.size);
  }
  return checked;
};
