import { truthOf, truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import { loginWall } from '../../../infra/simulator/login-walls.ts';
import { siteOf } from '../../../infra/simulator/platforms/registry.ts';
import type { SiteRequest, Visible } from '../../../infra/simulator/platforms/site.ts';
import { isSimulated, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { createSimClock } from '../../../infra/simulator/world/clock.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';
import { FetchError, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import type { Address, Reading } from '../../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import type { Random } from '../../../src/kernel/random.ts';
import { FOREIGN_ANSWERS } from '../../contracts/foreign-answers.ts';
import { faultCount } from '../../support/faults.ts';

export const NOW = Date.UTC(2026, 9, 1);
export const SIZE = 240;
/** Of so many accounts one is asked for. */
export const STEP = faultCount(1, 6);
export const world = createWorld({ seed: 23, size: SIZE, clock: createSimClock({ now: NOW, speed: 0 }) });
export const registry = createRegistry();

const SESSION = { authorization: 'Bearer simulated', 'x-guest-token': 'simulated' };

const requestOf = (request: HttpRequest, to = new URL(request.url)): SiteRequest => ({
  method: request.method ?? 'GET',
  host: to.hostname,
  path: decodeURIComponent(to.pathname),
  query: to.searchParams,
  headers: {
    'accept-language': 'en-US',
    ...request.headers,
    ...(request.session === undefined ? {} : SESSION),
  },
  body: request.body ?? '',
  at: NOW,
});

const pickFrom =
  (random: Random) =>
  <T>(list: readonly T[]): T =>
    list[random.int(list.length)] as T;

/** What the simulated platform answers, redirects within it followed. */
export const honest = (request: HttpRequest, url = request.url, hops = 0): Page => {
  const to = new URL(url);
  const site = siteOf(to.hostname);
  const away = { url, status: 302, headers: { location: url }, body: '', bytes: 0 };
  if (site === null || site === undefined || site.platform !== request.platform) return away;
  const reply = site.serve(world, requestOf(request, to));
  const { location } = reply.headers;
  if (location !== undefined && hops < 5) return honest(request, new URL(location, url).href, hops + 1);
  const body = reply.body.map(String).join('');
  return { url, status: reply.status, headers: reply.headers, body, bytes: body.length };
};

/** The same question about somebody else. */
const askedFor = (request: HttpRequest, mine: readonly string[], theirs: readonly string[]): HttpRequest => {
  const swap = (text: string) =>
    mine.reduce((out, name, i) => (name === '' ? out : out.replaceAll(name, theirs[i] ?? name)), text);
  return {
    ...request,
    url: swap(request.url),
    ...(request.body === undefined ? {} : { body: swap(request.body) }),
  };
};

/** The platform of a request to the simulator. */
const simulatedOf = ({ platform }: HttpRequest): Platform => {
  if (!isSimulated(platform)) throw new RangeError(`${platform} is not simulated`);
  return platform;
};

export interface Person {
  readonly handle: string;
  readonly id: string;
}

const everybody = (platform: Platform): readonly Person[] =>
  Array.from({ length: SIZE }, (_, index) => truthOf(world, platform, index, NOW));

/**
 * An answer that is none of the account: foreign, cut, empty, a failure, or somebody else's page.
 * @param others whether it may be somebody else's.
 */
export const replaced = (request: HttpRequest, asked: Person, random: Random, others = true): Page => {
  const pick = pickFrom(random);
  const whole = honest(request);
  switch (random.int(others ? 6 : 5)) {
    case 0:
      return { ...whole, body: whole.body.slice(0, random.int(Math.max(1, whole.body.length))) };
    case 1:
      return { ...whole, body: '' };
    case 2:
      throw new FetchError(pick(['timeout', 'http_error', 'rate_limited', 'too_large']), 'it failed');
    case 5: {
      const other = pick(shownOf(simulatedOf(request)).filter(({ handle }) => handle !== asked.handle));
      const names = (one: Person) => [one.id, encodeURIComponent(one.handle), one.handle];
      return { ...honest(askedFor(request, names(asked), names(other))), url: request.url };
    }
    default: {
      const { status, body, headers = {} } = pick(FOREIGN_ANSWERS);
      return { url: request.url, status, headers, body, bytes: body.length };
    }
  }
};

const shown = new Map<Platform, readonly Person[]>();
const shownOf = (platform: Platform): readonly Person[] => {
  const known =
    shown.get(platform) ??
    everybody(platform).filter(({ handle }) =>
      truthOfHandle(world, platform, handle, NOW).visible.some(({ profile }) => profile !== null),
    );
  shown.set(platform, known);
  return known;
};

/** What is wrong with a reading; null if all of it is true. */
export const faultOf = (reading: Reading, visible: readonly Visible[], address: Address): string | null => {
  if (reading.status === 'unknown') return null;
  if (!visible.some(({ status }) => status === reading.status)) {
    return `${reading.surface} says ${reading.status}, and it is ${visible.map(({ status }) => status).join(' or ')}`;
  }
  if (reading.status !== 'present' && reading.status !== 'private') return null;
  for (const [field, value] of Object.entries(reading.profile)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    // Who is asked for by id may go by it.
    if (field === 'handle' && address.kind === 'id') continue;
    const so = visible.flatMap(({ profile }) =>
      profile === null ? [] : [(profile as unknown as Record<string, unknown>)[field]],
    );
    if (!so.some((each) => JSON.stringify(each) === JSON.stringify(value))) {
      return `${reading.surface} says that ${field} is ${JSON.stringify(value)}, and it is ${JSON.stringify(so)}`;
    }
  }
  return null;
};

/** Accounts to ask for, others in each round. */
export const askable = (platform: Platform, round = 0): Person[] => {
  const strangers = Array.from({ length: 60 }, (_, n) => `nobody_${n}_at_all`).flatMap((name) => {
    const handle = registry
      .adapterOf(platform)
      .parseHandle(platform === 'bluesky' ? `${name.replaceAll('_', '-')}.example` : name);
    return handle === null ? [] : [{ handle, id: '' }];
  });
  return [...everybody(platform), ...strangers].filter((_, n) => n % STEP === round % STEP);
};

/** Ways in which an answer is another one's, or none. */
export const SWAPS = [
  'consent',
  'login wall',
  'account',
  'missing account',
  'missing account elsewhere',
  'empty JSON',
  'cut short',
] as const;

export type Swap = (typeof SWAPS)[number];

const namesOf = (one: Person) => [one.id, encodeURIComponent(one.handle), one.handle];

/** A name that nobody has, of the platform's grammar. */
const nobody = (platform: Platform, n: number): Person => {
  const name = platform === 'bluesky' ? `nobody-${n}-here.example` : `nobody_${n}_here`;
  return { handle: registry.adapterOf(platform).parseHandle(name) ?? name, id: '' };
};

/** Where platforms send readers whom they ask for consent. */
const CONSENT: Readonly<Record<Platform, string>> = {
  x: 'https://x.com/i/flow/consent',
  instagram: 'https://www.instagram.com/consent/?flow=gdpr',
  tiktok: 'https://www.tiktok.com/consent',
  youtube: 'https://consent.youtube.com/m?continue=x',
  telegram: 'https://t.me/consent/flow',
  bluesky: 'https://public.api.bsky.app/consent',
  linkedin: 'https://www.linkedin.com/consent',
};

/** An answer that is replaced in one of the ways, as it arrives after redirects. */
export const swapped = (request: HttpRequest, asked: Person, swap: Swap, random: Random): Page => {
  const platform = simulatedOf(request);
  const pick = pickFrom(random);
  const as = (other: Person): HttpRequest => askedFor(request, namesOf(asked), namesOf(other));
  const missing = nobody(platform, random.int(1_000));
  switch (swap) {
    case 'consent': {
      const page = honest({ ...request, method: 'GET', url: CONSENT[platform] });
      return { ...page, url: CONSENT[platform] };
    }
    case 'login wall': {
      const reply = loginWall(platform, requestOf(request));
      const body = reply.body.map(String).join('');
      return { url: request.url, status: reply.status, headers: reply.headers, body, bytes: body.length };
    }
    case 'account': {
      const other = pick(shownOf(platform).filter(({ handle }) => handle !== asked.handle));
      return { ...honest(as(other)), url: request.url };
    }
    case 'missing account':
      return { ...honest(as(missing)), url: request.url };
    case 'missing account elsewhere':
      return honest(as(missing));
    case 'empty JSON':
      return {
        url: request.url,
        status: 200,
        headers: {},
        body: pick(['{}', '[]', '{"data":{}}']),
        bytes: 2,
      };
    case 'cut short': {
      const whole = honest(request);
      return { ...whole, body: whole.body.slice(0, random.int(Math.max(1, whole.body.length))) };
    }
  }
};
