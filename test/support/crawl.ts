import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import { createSimClock } from '../../infra/simulator/world/clock.ts';
import { createControls } from '../../src/crawlers/engine/controls.ts';
import { createEngine, type Engine } from '../../src/crawlers/engine/engine.ts';
import { createLiveTraffic } from '../../src/crawlers/engine/live-traffic.ts';
import { createTokenBucket } from '../../src/crawlers/engine/token-bucket.ts';
import type { EngineOptions } from '../../src/crawlers/engine/visitor.ts';
import { createFrontier, type Frontier } from '../../src/crawlers/frontier.ts';
import { createHttpClient, type Limits } from '../../src/crawlers/http/http-client.ts';
import type { Transport } from '../../src/crawlers/http/port.ts';
import { createRateLimitedHttp, type RateLimitedHttp } from '../../src/crawlers/http/rate-limited-http.ts';
import type { Registry } from '../../src/crawlers/platforms/registry.ts';
import { ensureSeedPool, recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { createCurrentPools } from '../../src/crawlers/pools/current-pools.ts';
import { createRecruiter } from '../../src/crawlers/recruiter.ts';
import { type SessionPool, withSessions } from '../../src/crawlers/sessions/session-pool.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Platform as AnyPlatform } from '../../src/kernel/platform.ts';
import type { Queryable } from '../../src/kernel/postgres/pool.ts';
import { ident, sql } from '../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { addHolder } from '../../src/operations/holders/holders.ts';
import { issueKey } from '../../src/operations/holders/keys.ts';
import { projections } from '../../src/projections/registry.ts';
import { type Builds, watchBuilds } from '../../src/read/active-builds.ts';
import { IS_KNOWN } from '../../src/read/frontier.ts';
import { openRegistry } from '../../src/runtime/crawler-http.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import { startApi } from '../../src/runtime/roles/api.ts';
import type { Running } from '../../src/runtime/roles/lifecycle.ts';
import { startProjections } from '../../src/runtime/roles/projector.ts';
import { createControlCopies, engineStream } from '../../src/write/engines.ts';
import { createTestDatabase } from './database.ts';
import { ERASURE_KEY } from './erasures.ts';
import { simulatedSessions } from './sessions.ts';
import { until } from './wait.ts';

/** Crawlers on a simulated world whose time advances only when told to, with projections that follow the log. */
export interface TestCrawl {
  readonly simulator: Simulator;
  readonly program: Runtime;
  readonly builds: Builds;
  readonly registry: Registry;
  readonly http: RateLimitedHttp;
  readonly engines: Readonly<Record<Platform, Engine>>;
  frontierOf(worker: string, leaseMs?: number): Frontier;
  /** An engine as in another process, with its own tokens, leases and controls. The caller stops it. */
  engineOfProcess(platform: Platform, worker: string): Engine;
  /** When each request to a platform was started, in ms since 1970. */
  readonly startedAt: ReadonlyMap<AnyPlatform, readonly number[]>;
  /** Requests to a platform that are not answered yet. */
  inFlight(platform: Platform): number;
  /** Recruits the largest accounts of a spread sample on every platform. */
  seed(n: number): Promise<void>;
  /** Starts all engines. */
  run(): void;
  /** Waits until every projection has all events that the log had at the call. */
  followed(): Promise<void>;
  /** Waits until every due account was tried, then until the projections have followed. */
  settled(): Promise<void>;
  /** Makes exactly these accounts due now, once no reading is in progress and the frontier has all readings. */
  makeDue(platform: Platform, handles: readonly string[]): Promise<void>;
  /** What the engines reported after a position: readings by outcome. */
  outcomesSince(position: bigint): Promise<ReadonlyMap<Platform, Readonly<Record<string, number>>>>;
  /** Sends a request to the API over HTTP and returns the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
  get(path: string): Promise<{ status: number; body: any; headers: Headers }>;
  close(): Promise<void>;
}

/** A frontier that counts the leases that its worker holds. */
const counted = (frontier: Frontier, held: Map<string, number>): Frontier => {
  const end = (platform: AnyPlatform, handle: string) => held.delete(`${platform} ${handle}`);
  return {
    lease: async (platform, most, nowMs) => {
      const leases = await frontier.lease(platform, most, nowMs);
      for (const { handle, untilMs } of leases) held.set(`${platform} ${handle}`, untilMs);
      return leases;
    },
    done: async (platform, handle, nowMs) => {
      await frontier.done(platform, handle, nowMs);
      end(platform, handle);
    },
    retry: async (platform, lease, untilMs) => {
      await frontier.retry(platform, lease, untilMs);
      end(platform, lease.handle);
    },
    used: (lease, requests) => frontier.used(lease, requests),
    release: async (platform, leases) => {
      await frontier.release(platform, leases);
      for (const { handle } of leases) end(platform, handle);
    },
    sweep: (nowMs) => frontier.sweep(nowMs),
  };
};

const SEED = 11;
export const NOW = Date.UTC(2026, 9, 1);

export const createTestCrawl = async (options: {
  readonly size: number;
  readonly limits?: Partial<Limits>;
  readonly retryMs?: number;
  readonly ratePerS?: number;
  /** Default: one without limits. */
  readonly sessions?: (db: Queryable) => SessionPool;
}): Promise<TestCrawl> => {
  const clock = createSimClock({ now: NOW, speed: 0 });
  const simulator = await startSimulator({ seed: SEED, size: options.size, clock });
  const database = await createTestDatabase(2, 'built');
  const config = parseConfig({
    DATABASE_URL: database.url,
    DATABASE_POOL: '8',
    LOG_LEVEL: 'silent',
    ERASURE_KEY,
  });
  const program = await openRuntime(config, 'service', silentLogger);
  const parts: Running[] = [startProjections(program, null)];
  const builds = await watchBuilds(program.db, silentLogger);
  await until('every projection has a build', async () => {
    await builds.refresh();
    return projections.every((projection) => builds.progress(projection.name) !== null);
  });
  const registry = openRegistry(program);
  const random = seededRandom(SEED);
  const live = createHttpClient({
    hostsOf: registry.hostsOf,
    userAgent: 'Sightline test',
    simulatorUrl: simulator.url,
    limits: options.limits ?? {},
    clock: systemClock,
    random,
  });
  const startedAt = new Map<AnyPlatform, number[]>();
  const unanswered = new Map<AnyPlatform, number>();
  const recorded: Transport = {
    ...live,
    fetch: async (request, more) => {
      const started = startedAt.get(request.platform) ?? [];
      startedAt.set(request.platform, started);
      started.push(Date.now());
      const { platform } = request;
      unanswered.set(platform, (unanswered.get(platform) ?? 0) + 1);
      try {
        return await live.fetch(request, more);
      } finally {
        unanswered.set(platform, (unanswered.get(platform) ?? 0) - 1);
      }
    },
  };
  const openHttp = () =>
    withSessions(
      createRateLimitedHttp(
        recorded,
        createTokenBucket(program.asyncCommitDb, { perS: options.ratePerS ?? 5_000, liveShare: 0.5 }),
        8,
      ),
      options.sessions?.(program.asyncCommitDb) ?? simulatedSessions(),
    );
  const http = openHttp();
  const liveTraffic = createLiveTraffic(program.asyncCommitDb);
  const pools = createCurrentPools(program.asyncCommitDb, builds, silentLogger);
  const frontierOf = (worker: string, leaseMs = 60_000) =>
    createFrontier(program.asyncCommitDb, builds, pools, worker, leaseMs);
  const held = new Map<string, number>();
  const recruiting = createRecruiter(program.asyncCommitDb, builds, pools, program.log, program.fence);
  /** Whether names that readings find are noted: from then on only what a test makes due is read. */
  let isNaming = true;
  const recruiter: typeof recruiting = {
    ...recruiting,
    name: async (...of) => {
      if (isNaming) await recruiting.name(...of);
    },
  };
  // Longer than a reading whose every request times out: if a lease expired, its account would be read twice at once.
  const frontier = counted(frontierOf('the worker', 600_000), held);
  const engineOf = (platform: Platform, own: Pick<EngineOptions, 'worker' | 'http' | 'frontier'>) =>
    createEngine({
      ...own,
      adapter: registry.adapterOf(platform),
      liveTraffic,
      log: program.log,
      availability: program.availability,
      pools,
      controls: createControls(program.asyncCommitDb),
      controlCopies: createControlCopies(program.log, program.asyncCommitDb),
      recruiter,
      clock: systemClock,
      random,
      logger: silentLogger,
      concurrency: 6,
      posts: true,
      probes: { present: [], private: [], suspended: [] },
      retryMs: options.retryMs ?? 60_000,
    });
  const engines = Object.fromEntries(
    PLATFORMS.map((platform) => [platform, engineOf(platform, { worker: 'the worker', http, frontier })]),
  ) as Record<Platform, Engine>;
  for (const platform of PLATFORMS) await ensureSeedPool(program.log, platform, Date.now());

  await addHolder(program, { name: 'Tester', id: 'tester', plan: 'enterprise' });
  const { key } = await issueKey(program, { holder: 'tester', scopes: null, label: null });
  const api = await startApi(program, builds, registry, http, { host: '127.0.0.1', port: 0 });

  const followed = async (): Promise<void> => {
    const head = await program.log.head();
    await until('the projections have followed', async () => {
      await builds.refresh();
      return projections.every((projection) => (builds.progress(projection.name)?.position ?? -1n) >= head);
    });
  };
  const due = () => sql`${ident(builds.schema('frontier'))}.due`;

  return {
    simulator,
    program,
    builds,
    registry,
    http,
    engines,
    frontierOf,
    engineOfProcess: (platform, worker) =>
      engineOf(platform, {
        worker,
        http: openHttp(),
        frontier: counted(frontierOf(worker, 600_000), held),
      }),
    startedAt,
    inFlight: (platform) => unanswered.get(platform) ?? 0,
    seed: async (n) => {
      for (const platform of PLATFORMS) {
        const seeds = seedsOf(simulator.world, platform, n, clock.now());
        await recruitSeeds(program.log, platform, seeds, Date.now());
      }
    },
    run: () => {
      for (const engine of Object.values(engines)) void engine.run();
    },
    followed,
    settled: async () => {
      const untried = async () => {
        const { rows } = await program.db.query(sql`
          select d.*, l.worker, l.until, l.failures from (
            select platform, handle from ${due()} where due_at <= now()
            union all
            -- A pool may have got a name meanwhile, under another name of its account: it is read as a member then.
            select platform, handle from crawl.candidates c where outcome is null and misses = 0
              and not exists (select from ${due()} f where f.platform = c.platform and f.handle = c.handle and ${IS_KNOWN})
          ) d left join crawl.leases l using (platform, handle) where coalesce(l.failures, 0) = 0`);
        return rows;
      };
      const isSettled = async () => {
        await followed();
        return (await untried()).length === 0;
      };
      await until('nothing is due that was not tried', isSettled, undefined, untried);
      await followed();
    },
    makeDue: async (platform, handles) => {
      isNaming = false;
      await program.db.query(sql`delete from crawl.candidates`);
      // A reading that ends, or reaches the frontier, after this would change the due time of its account again.
      await program.db.query(
        sql`update ${due()} set due_at = now() + interval '1 year' where platform = ${platform}`,
      );
      await until(`nothing of ${platform} is being read`, () =>
        [...held.keys()].every((key) => !key.startsWith(`${platform} `)),
      );
      await followed();
      await program.db.query(sql`delete from crawl.leases where platform = ${platform}`);
      await program.db.query(sql`
        update ${due()} set due_at = now() + case when handle = any(${handles}) then interval '0' else '1 year' end
        where platform = ${platform}`);
    },
    outcomesSince: async (position) => {
      for (const engine of Object.values(engines)) await engine.report();
      const found = new Map<Platform, Record<string, number>>();
      const filter = { types: ['CrawlBatchCompleted'], streamPrefixes: [engineStream('')] };
      for await (const page of program.log.readAll(position, filter)) {
        for (const event of page.events) {
          const { platform, outcomes } = event.data as {
            platform: Platform;
            outcomes: Record<string, number>;
          };
          const sum = found.get(platform) ?? {};
          found.set(platform, sum);
          for (const [kind, n] of Object.entries(outcomes)) sum[kind] = (sum[kind] ?? 0) + n;
        }
      }
      return found;
    },
    get: async (path) => {
      const answer = await fetch(`${api.url}/v2${path}`, { headers: { authorization: `Bearer ${key}` } });
      return { status: answer.status, body: await answer.json(), headers: answer.headers };
    },
    close: async () => {
      await Promise.all(Object.values(engines).map((engine) => engine.stop()));
      await api.stop();
      await http.close();
      for (const part of parts) await part.stop();
      builds.close();
      await program.close();
      await simulator.close();
      await database.drop();
    },
  };
};
