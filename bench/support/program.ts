import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTokenBucket } from '../../src/crawlers/engine/token-bucket.ts';
import { recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { askOwner } from '../../src/kernel/postgres/embedded/home.ts';
import { serverUrl } from '../../src/kernel/postgres/embedded/server.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { addHolder } from '../../src/operations/holders/holders.ts';
import { issueKey } from '../../src/operations/holders/keys.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import type { PlatformsAnswer } from './platforms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'src/cli/main.ts');

/** `sightline start` in a home of its own, as an operator runs it. */
export interface Started {
  readonly home: string;
  readonly url: string;
  /** Where browsers reach the console. */
  readonly console: string;
  /** The main process: all roles but the API. */
  readonly pid: number;
  readonly key: string;
  /** A key of another holder. */
  readonly otherKey: string;
  /** Keys with all scopes, each of a holder of its own on the plan scale. */
  readonly attackers: readonly string[];
  /** Accounts read so far. */
  readings(): Promise<number>;
  /** Handles of X in the directory, the largest first. */
  handles(n: number): Promise<readonly string[]>;
  events(): Promise<number>;
  /** Pauses the requests to all platforms, as an open circuit breaker does. */
  pause(ms: number): Promise<void>;
  /** Runs a command on the home; resolves with its exit code. */
  command(...args: string[]): Promise<number | null>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** Options of `start`. */
  readonly roles?: readonly string[];
  /** More settings, as the environment has them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Holders besides the reader and another one; none by default. */
  readonly attackers?: number;
}

export const startProgram = async (
  platforms: PlatformsAnswer,
  pagesPerSecond: number,
  { roles = [], settings = {}, attackers: holders = 0 }: ProgramOptions = {},
): Promise<Started> => {
  const home = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  await chmod(home, 0o755);
  const perPlatform = pagesPerSecond / PLATFORMS.length;
  const env = {
    ...process.env,
    SIGHTLINE_HOME: home,
    PORT: '0',
    CONSOLE_PORT: '0',
    LOG_FORMAT: 'json',
    SIMULATOR_URL: platforms.url,
    CRAWL_RATE_PER_S: String(perPlatform),
    CRAWL_CONCURRENCY: '16',
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
    ...settings,
  };
  const seeding = await openRuntime(
    parseConfig({ SIGHTLINE_HOME: home, LOG_LEVEL: 'silent', ...settings }),
    'command',
    silentLogger,
  );
  const nowMs = Date.now();
  for (const platform of PLATFORMS) {
    await recruitSeeds(seeding.log, platform, platforms.seeds[platform], nowMs);
  }
  await addHolder(seeding, { name: 'Reader', id: 'reader', plan: 'enterprise' });
  const { key } = await issueKey(seeding, { holder: 'reader', scopes: null, label: null });
  await addHolder(seeding, { name: 'Other', id: 'other', plan: 'enterprise' });
  const { key: otherKey } = await issueKey(seeding, { holder: 'other', scopes: null, label: null });
  const attackers: string[] = [];
  for (let n = 0; n < holders; n++) {
    const holder = `attacker-${n}`;
    await addHolder(seeding, { name: holder, id: holder, plan: 'scale' });
    attackers.push((await issueKey(seeding, { holder, scopes: SCOPES, label: null })).key);
  }
  await seeding.close();

  const children = new Set<ChildProcess>();
  const launch = (args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    children.add(child);
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    const ended = new Promise<number | null>((resolve) =>
      child.once('exit', (code) => {
        children.delete(child);
        resolve(code);
      }),
    );
    return { child, ended, said: () => said };
  };
  const service = launch(['start', ...roles]);
  let started: RegExpExecArray | null = null;
  while (started === null) {
    started =
      /"api":"(\S+?)\/v2\/"(?:.*"console":"(\S+?)")?.*"metrics":"(\S+?)".*"msg":"Sightline started"/.exec(
        service.said(),
      );
    const ended = await Promise.race([
      service.ended.then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 50, false)),
    ]);
    if (ended) throw new Error(`Sightline ended: ${service.said()}`);
  }
  const [, url = '', consoleOrigin = '', metrics = ''] = started;
  const owner = await askOwner(home, ({ port }) => port !== null, 30_000);
  const db = createPool(await serverUrl(home, owner?.port ?? 0), {
    max: 2,
    logger: silentLogger,
    name: 'bench',
  });
  const circuit = createTokenBucket(db, { perS: perPlatform, liveShare: 0.5 });
  return {
    home,
    url,
    console: consoleOrigin,
    pid: service.child.pid ?? 0,
    key,
    otherKey,
    attackers,
    readings: async () => {
      const text = await (await fetch(metrics)).text();
      const counts = text.matchAll(/^sightline_crawl_readings_total\{.*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, n]) => sum + Number(n), 0);
    },
    handles: async (n) => {
      const { rows } = await db.query<{ schema_name: string }>(
        `select schema_name from projections.builds where projection = 'directory' and status = 'active'`,
      );
      const found = await db.query<{ handle: string }>(
        `select handle from ${rows[0]?.schema_name}.entries where platform = 'x' and status = 'active'
         order by followers desc nulls last limit $1`,
        [n],
      );
      return found.rows.map(({ handle }) => handle);
    },
    events: async () => {
      const { rows } = await db.query<{ n: string }>(
        'select coalesce(max(position), 0) as n from log.events',
      );
      return Number(rows[0]?.n);
    },
    pause: async (ms) => {
      for (const platform of PLATFORMS) await circuit.open(platform, ms);
    },
    command: (...args) => launch(args).ended,
    stop: async () => {
      await db.end();
      service.child.kill('SIGTERM');
      await service.ended;
      for (const child of children) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
};
