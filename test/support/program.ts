import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import type { Intake } from '../../src/api/intake.ts';
import { createApp } from '../../src/api/server/app.ts';
import type { Services } from '../../src/api/services.ts';
import { createTokenBucket } from '../../src/crawlers/engine/token-bucket.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../src/crawlers/http/port.ts';
import type { RateLimitedHttp } from '../../src/crawlers/http/rate-limited-http.ts';
import { createRegistry } from '../../src/crawlers/platforms/registry.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { type Logger, silentLogger } from '../../src/kernel/logger.ts';
import { createProcessMetrics } from '../../src/kernel/metrics.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import type { AuditModels } from '../../src/operations/audit/labels.ts';
import type { ErasureContext } from '../../src/operations/subjects/erase.ts';
import { activeBuild, createBuild } from '../../src/projections/builds/builds.ts';
import type { Projection } from '../../src/projections/projection.ts';
import { projections } from '../../src/projections/registry.ts';
import { openWriter, type Writer } from '../../src/projections/writer.ts';
import { type WatchedBuilds, watchBuilds } from '../../src/read/active-builds.ts';
import { openReadPool } from '../../src/read/read-pool.ts';
import { createServices } from '../../src/runtime/roles/api.ts';
import { type AccountEvent, accountStream } from '../../src/write/accounts/account.ts';
import { type Post, UNTAGGED } from '../../src/write/accounts/post.ts';
import { emptyProfile, type Profile } from '../../src/write/accounts/profile.ts';
import { createDemand } from '../../src/write/demand.ts';
import { doorOf } from '../../src/write/erasure/cleanse.ts';
import { createHandleLifts } from '../../src/write/erasure/lift-handles.ts';
import type { OpenFence } from '../../src/write/erasure/open-fence.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createKey, hashKey } from '../../src/write/holders/api-key.ts';
import { type HolderEvent, holderStream } from '../../src/write/holders/holder.ts';
import { NAMED_ONLY, type Plans, publishedPlans, SCOPES, type Scope } from '../../src/write/holders/plans.ts';
import type { LogAvailability } from '../../src/write/log/availability.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { METERING_SETTINGS } from '../../src/write/metering/entitlements.ts';
import { cursorSecrets, verificationSecrets } from '../../src/write/secrets.ts';
import { alwaysAvailable } from './availability.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { documentedCodes } from './documented-codes.ts';
import { ERASURE_KEY, openTestFence } from './erasures.ts';

/** All of Sightline except the crawlers, on a separate database. Projections advance only when told to. */
export interface TestProgram {
  readonly database: TestDatabase;
  readonly log: EventLog;
  /** Knows of an erasure once it is refreshed. */
  readonly fence: OpenFence;
  readonly builds: WatchedBuilds;
  readonly services: Services;
  /** What erasures and suppressions are carried out with. */
  readonly subjects: ErasureContext;
  readonly app: FastifyInstance;
  /** Responses of the outside world, by address; any other address times out. */
  readonly outside: Map<string, Partial<Page>>;
  /** Addresses that were requested from the outside world. */
  readonly asked: string[];
  /** Folds all events of the log into every projection. */
  project(): Promise<void>;
  append(platform: Platform, handle: string, ...events: AccountEvent[]): Promise<void>;
  /**
   * Issues a key to a holder (`tester` on `enterprise` where not given), who is registered with the first and put on
   * another plan when one is named. The scopes are all but `leads:read` where not given.
   */
  issueKey(scopes?: readonly Scope[], to?: { holder?: string; plan?: string }): Promise<string>;
  /** @throws if an endpoint answers an error that it does not document; so does `post`. */
  get(url: string, key?: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(url: string, body: unknown, key?: string, headers?: Record<string, string>): Promise<TestResponse>;
  close(): Promise<void>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
  readonly body: any;
}

/** Authorizes requests to the operations endpoints of the test programs. */
export const OPERATIONS = { authorization: 'Bearer operations-of-a-test' };

/** A sighting of an account, as an event. */
export const sighted = (
  handle: string,
  at: string,
  profile: Partial<Profile> = {},
  status: 'active' | 'private' = 'active',
): AccountEvent => ({
  type: 'AccountSighted',
  data: {
    observed_at: at,
    source: 'crawler',
    surface: 'page',
    status,
    profile: {
      ...emptyProfile(handle),
      display_name: handle.toUpperCase(),
      followers: 100,
      verified: false,
      ...profile,
    },
  },
});

export const unchanged = (
  at: string,
  moved: { followers?: number; following?: number; posts?: number } = {},
): AccountEvent => ({
  type: 'AccountUnchanged',
  data: { observed_at: at, source: 'crawler', surface: 'page', moved },
});

export const unavailable = (at: string, status: 'absent' | 'suspended' | 'deactivated'): AccountEvent => ({
  type: 'AccountUnavailable',
  data: { observed_at: at, source: 'crawler', surface: 'page', status },
});

export const posted = (at: string, ...posts: (Partial<Post> & { id: string })[]): AccountEvent => ({
  type: 'PostsSighted',
  data: {
    observed_at: at,
    source: 'crawler',
    surface: 'page',
    posts: posts.map((post) => ({
      url: null,
      at: null,
      kind: 'original',
      media: null,
      text: null,
      ...UNTAGGED,
      likes: null,
      replies: null,
      reposts: null,
      quotes: null,
      views: null,
      ...post,
    })),
    moved: [],
    order: 'unknown',
    span: null,
  },
});

const MAX_SCOPES = SCOPES.filter((scope) => !NAMED_ONLY.has(scope));

export const createTestProgram = async (
  options: {
    readonly logger?: Logger;
    readonly known?: readonly Projection[];
    readonly plans?: Plans;
    readonly trustedProxies?: readonly string[];
    readonly corsOrigins?: readonly string[];
    readonly meteringTime?: () => string | null;
    readonly availability?: LogAvailability;
    readonly verificationSecrets?: Services['verificationSecrets'];
    /** In addition to the endpoints of the contract. */
    readonly endpoints?: readonly Endpoint[];
    /** HTTP of live reads on the program's database, in place of `outside`. */
    readonly live?: (db: TestDatabase['db']) => RateLimitedHttp;
    readonly liveConcurrency?: number;
    readonly auditModels?: AuditModels;
    readonly liveStop?: AbortSignal;
    readonly intake?: Intake;
    /** Settings of what people do with their own accounts, who have no page without. */
    readonly privacy?: Readonly<Record<string, string>>;
    /** Whether it is kept who asked for whom; false by default. */
    readonly keepsAccesses?: boolean;
  } = {},
): Promise<TestProgram> => {
  const logger = options.logger ?? silentLogger;
  const known = options.known ?? projections;
  const database = await createTestDatabase(undefined, options.known === undefined ? 'built' : 'migrated');
  const { db, url } = database;
  const inner = createPostgresLog(db, url, logger);
  const fence = await openTestFence(db, inner);
  const log = withValidation(inner, eventTypes, doorOf(fence));
  for (const projection of options.known ?? []) await createBuild(db, projection, 'active');
  const writers = new Map<Projection, Writer>();
  const builds = await watchBuilds(db, logger, { known });

  const project = async () => {
    for (const projection of known) {
      const active = await activeBuild(db, projection.name, projection.version);
      let writer = writers.get(projection);
      if (writer === undefined || writer.schema !== active?.schema) {
        writer = await openWriter(db, projection, active?.schema ?? '');
        writers.set(projection, writer);
      }
      for await (const page of log.readAll(writer.position(), { types: projection.types, pageSize: 500 })) {
        await writer.write(page);
      }
    }
    await builds.refresh();
  };

  /** Holders that are registered, and the plan of each. */
  const planOf = new Map<string, string>();
  const outside = new Map<string, Partial<Page>>();
  const asked: string[] = [];
  const http: Http = {
    fetch: async ({ url: address, session }: HttpRequest) => {
      const page = outside.get(address);
      if (page === undefined && session !== undefined)
        throw new FetchError('no_session', 'No session is configured');
      asked.push(address);
      if (page === undefined) throw new FetchError('timeout', 'nobody there');
      const body = page.body ?? '';
      return { url: address, status: 200, headers: {}, body, bytes: body.length, ...page };
    },
    close: async () => undefined,
  };
  const registry = createRegistry({ erasures: { fence, lift: createHandleLifts({ log, fence }) } });
  const live = options.live?.(db);
  const lists = await openReadPool(url, 4);
  const secrets = await cursorSecrets.load(db);
  const codes = await verificationSecrets.load(db);
  const demand = createDemand(db, logger, fence);
  const metering = createPool(url, {
    max: 6,
    logger,
    name: 'test metering',
    timeoutMs: 5_000,
    settings: METERING_SETTINGS,
  });
  const config = parseConfig({ DATABASE_URL: url, ERASURE_KEY, ...options.privacy });
  const subjects: ErasureContext = { config, logger, url, db, asyncCommitDb: db, log, fence };
  const services = createServices({
    ...(options.privacy === undefined ? {} : { subjects }),
    log,
    fence,
    availability: options.availability ?? alwaysAvailable,
    logger,
    metrics: createProcessMetrics(),
    reads: { db, builds, lists },
    slots: 4,
    primary: { db, builds },
    registry,
    http: live ?? http,
    circuit: live?.circuit ?? createTokenBucket(db, { perS: 1_000, liveShare: 0.5 }),
    ...(options.auditModels === undefined ? {} : { auditModels: options.auditModels }),
    ...(options.liveConcurrency === undefined ? {} : { liveConcurrency: options.liveConcurrency }),
    secrets: () => secrets,
    verificationSecrets: options.verificationSecrets ?? (() => codes),
    demand,
    keepsAccesses: options.keepsAccesses ?? false,
    plans: options.plans ?? publishedPlans('A'),
    metering,
    trustedProxies: options.trustedProxies ?? [],
    corsOrigins: options.corsOrigins ?? [],
    ...(options.intake === undefined ? {} : { intake: options.intake }),
    ...(options.liveStop === undefined ? {} : { liveStop: options.liveStop }),
    operationsToken: OPERATIONS.authorization.slice('Bearer '.length),
    ...(options.meteringTime === undefined ? {} : { meteringTime: options.meteringTime }),
  });
  const endpoints = [...(await loadEndpoints()), ...(options.endpoints ?? [])];
  const app = await createApp(services, endpoints);
  const expectDocumented = documentedCodes(endpoints);

  const respond = (
    method: 'GET' | 'POST',
    path: string,
    response: { statusCode: number; headers: object; body: string },
  ): TestResponse => {
    const body = response.body === '' ? null : JSON.parse(response.body);
    expectDocumented(method, path, body?.error?.code);
    return { status: response.statusCode, headers: response.headers as Record<string, unknown>, body };
  };
  const bearer = (key: string | undefined) => (key === undefined ? {} : { authorization: `Bearer ${key}` });

  return {
    database,
    log,
    fence,
    builds,
    services,
    subjects,
    app,
    outside,
    asked,
    project,
    append: async (platform, handle, ...events) => {
      const batch = events.map((event) => ({ id: uuidV7(Date.now()), ...event }));
      await log.append(accountStream(platform, handle), batch, 'any');
    },
    issueKey: async (scopes = MAX_SCOPES, { holder = 'tester', plan } = {}) => {
      const key = createKey();
      const at = new Date().toISOString();
      const keyId = `key_${key.slice(4, 16)}`;
      const wanted = plan ?? planOf.get(holder) ?? 'enterprise';
      const events: HolderEvent[] = [];
      if (!planOf.has(holder))
        events.push({ type: 'HolderRegistered', data: { at, holder, name: holder.toUpperCase() } });
      if (planOf.get(holder) !== wanted) events.push({ type: 'PlanChosen', data: { at, plan: wanted } });
      events.push({
        type: 'KeyIssued',
        data: { at, key_id: keyId, key_hash: hashKey(key), scopes: [...scopes], label: null },
      });
      planOf.set(holder, wanted);
      const batch = events.map((event) => ({ id: uuidV7(Date.now()), ...event }));
      await log.append(holderStream(holder), batch, 'any');
      await project();
      return key;
    },
    get: async (path, key, headers = {}) =>
      respond(
        'GET',
        path,
        await app.inject({ method: 'GET', url: path, headers: { ...bearer(key), ...headers } }),
      ),
    post: async (path, body, key, headers = {}) =>
      respond(
        'POST',
        path,
        await app.inject({
          method: 'POST',
          url: path,
          headers: { 'content-type': 'application/json', ...bearer(key), ...headers },
          payload: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    close: async () => {
      await app.close();
      await live?.close();
      builds.close();
      await demand.close();
      await metering.end();
      await lists.end();
      await log.close();
      await database.drop();
    },
  };
};
