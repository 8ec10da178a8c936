import { z } from 'zod';
import { isoOf } from '../../src/kernel/clock.ts';
import { FAULT_KINDS, type FaultOptions, type Faults, supports } from './faults.ts';
import { seedsOf, truthOf, truthOfHandle } from './ground-truth.ts';
import type { Overrides, ProfileOverride } from './overrides.ts';
import { json } from './platforms/response.ts';
import type { Reply } from './platforms/site.ts';
import { SESSION_STATES, type SessionRule, type Sessions } from './sessions.ts';
import { PLATFORMS, platformSchema } from './simulated-platforms.ts';
import { truthReply } from './truth/reply.ts';
import type { SimClock } from './world/clock.ts';
import type { World } from './world/world.ts';

const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => Date.parse(text));
const clockBody = z.strictObject({ now: instant.optional(), speed: z.number().min(0).max(1e7).optional() });
const faultBody = z.strictObject({
  platform: z.union([platformSchema, z.enum(['marketplace', 'all'])]),
  kind: z.enum(FAULT_KINDS),
  share: z.number().min(0).max(1).optional(),
  retryAfterS: z.int().min(0).max(86_400).optional(),
  location: z.url().optional(),
});
const sessionBody = z.union([
  z.strictObject({ strangers: z.boolean() }),
  z.strictObject({
    name: z.string().min(1),
    state: z.enum(SESSION_STATES).optional(),
    limits: z.record(z.string(), z.int().min(0)).optional(),
    limit: z.int().min(0).optional(),
    windowS: z.int().min(1).optional(),
    expiresAt: instant.nullable().optional(),
  }),
]);
const profileBody = z.strictObject({
  platform: platformSchema,
  handle: z.string().min(1),
  bio: z.string().max(5000).optional(),
  displayName: z.string().max(500).optional(),
  post: z.string().max(5000).optional(),
  postKind: z.enum(['original', 'reply', 'repost', 'quote']).optional(),
  cites: z.int().min(0).optional(),
});
const clearQuery = z.object({
  platform: z.union([platformSchema, z.literal('marketplace')]).optional(),
  kind: z.enum(FAULT_KINDS).optional(),
});
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  after: z.coerce.number().int().min(-1).default(-1),
  n: z.coerce.number().int().min(1).max(10_000).default(50),
  at: instant.optional(),
});

export interface ControlRequest {
  readonly method: string;
  /** Decoded segments of the path. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Controlled {
  readonly world: World;
  readonly clock: SimClock;
  readonly faults: Faults;
  readonly sessions: Sessions;
  readonly overrides: Overrides;
}

const clockState = (clock: SimClock) => ({ now: isoOf(clock.now()), speed: clock.speed });

/** `/control/…`, `/truth/…`, `/seeds/…`; null for any other path. */
export const control = (request: ControlRequest, sim: Controlled): Reply | null => {
  try {
    return route(request, sim);
  } catch (error) {
    if (error instanceof z.ZodError) return json({ error: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return json({ error: 'The body is not JSON.' }, 400);
    throw error;
  }
};

const route = (request: ControlRequest, sim: Controlled): Reply | null => {
  const [room, name, ...rest] = request.parts;
  const query = Object.fromEntries(request.query);
  if (room === 'control' && name === 'clock') {
    if (request.method === 'POST') {
      const { now, speed } = clockBody.parse(JSON.parse(request.body));
      sim.clock.set({ ...(now === undefined ? {} : { now }), ...(speed === undefined ? {} : { speed }) });
    }
    return json(clockState(sim.clock));
  }
  if (room === 'control' && name === 'faults') {
    if (request.method === 'POST') return setFault(request.body, sim.faults);
    if (request.method === 'DELETE') {
      const { platform, kind } = clearQuery.parse(query);
      sim.faults.clear(platform, kind);
    }
    return json({ faults: sim.faults.list() });
  }
  if (room === 'control' && name === 'sessions') return sessionsRoom(request, sim.sessions);
  if (room === 'control' && name === 'profile') return profileRoom(request, sim);
  if (room !== 'truth' && room !== 'seeds') return null;
  if (room === 'truth') {
    const lists = truthReply(sim, request.parts.slice(1), query);
    if (lists) return lists;
  }
  const platform = platformSchema.parse(name);
  const { limit, after, n, at = sim.clock.now() } = listQuery.parse(query);
  if (room === 'seeds') return json({ platform, seeds: seedsOf(sim.world, platform, n, at) });
  if (rest.length > 0) return json(truthOfHandle(sim.world, platform, rest.join('/'), at));
  const end = Math.min(sim.world.count(platform), after + 1 + limit);
  const accounts = [];
  for (let index = after + 1; index < end; index++) accounts.push(truthOf(sim.world, platform, index, at));
  return json({
    platform,
    count: sim.world.count(platform),
    accounts,
    after: end < sim.world.count(platform) ? end - 1 : null,
  });
};

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

const sessionsRoom = ({ method, body, query }: ControlRequest, sessions: Sessions): Reply => {
  if (method === 'POST') {
    const parsed = sessionBody.parse(JSON.parse(body));
    if ('strangers' in parsed) sessions.admitStrangers(parsed.strangers);
    else {
      const { name, ...rule } = parsed;
      sessions.set(name, given(rule) as Partial<SessionRule>);
    }
  }
  if (method === 'DELETE') sessions.clear(query.get('name') ?? undefined);
  return json({ strangers: sessions.strangers, sessions: sessions.list() });
};

const profileRoom = ({ method, body }: ControlRequest, { world, overrides }: Controlled): Reply => {
  if (method === 'POST') {
    const { platform, handle, ...override } = profileBody.parse(JSON.parse(body));
    const account = world.current(platform, handle);
    if (!account) return json({ error: `${platform} has no ${handle}` }, 404);
    overrides.set(platform, account.index, given(override) as ProfileOverride);
  }
  if (method === 'DELETE') overrides.clear();
  return json({ profiles: overrides.list() });
};

const setFault = (body: string, faults: Faults): Reply => {
  const { platform, kind, ...rest } = faultBody.parse(JSON.parse(body));
  const options = given(rest) as FaultOptions;
  const targets = platform === 'all' ? PLATFORMS.filter((each) => supports(each, kind)) : [platform];
  if (!targets.every((each) => supports(each, kind)))
    return json({ error: `${platform} does not support ${kind}` }, 400);
  for (const each of targets) faults.set(each, kind, options);
  return json({ faults: faults.list() });
};
