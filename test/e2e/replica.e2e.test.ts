import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrate } from '../../src/kernel/postgres/migrate.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { activeBuild } from '../../src/projections/builds/builds.ts';
import { projections } from '../../src/projections/registry.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { sighted } from '../support/program.ts';
import { allFollowed } from '../support/rebuilt.ts';
import { type Replicated, startReplicated } from '../support/replica.ts';
import { until } from '../support/wait.ts';

let servers: Replicated;
let home: TestHome;
let service: RunningProgram;
let db: pg.Pool;
let log: EventLog;
let url: string;
let health: string;
let key: string;

const AT = ['2026-06-01T00:00:00.000Z', '2026-06-02T00:00:00.000Z', '2026-06-03T00:00:00.000Z'] as const;

const sight = async (at: string, followers: number) => {
  const event = { id: uuidV7(0), ...sighted('nasa', at, { followers }) };
  await log.append('account-x:nasa', [event], 'any');
  await allFollowed(db, log, projections);
};

const ask = (path = '/v2/accounts/x/nasa', token = key) =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

interface Told {
  readonly data: { readonly followers: number };
  readonly meta: { readonly cache_age_s: number };
}

const told = async (): Promise<Told> => (await (await ask()).json()) as Told;

const replicaCheck = async () => {
  const { checks } = (await (await fetch(health)).json()) as {
    checks: { name: string; ok: boolean; detail: string }[];
  };
  return checks.find(({ name }) => name === 'read replica');
};

beforeAll(async () => {
  servers = await startReplicated(async (address) => {
    const pool = createPool(address, { max: 1, logger: silentLogger, name: 'test' });
    await migrate(pool);
    await pool.end();
  });
  db = createPool(servers.url, { max: 4, logger: silentLogger, name: 'test' });
  log = withValidation(createPostgresLog(db, servers.url, silentLogger), eventTypes);
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    CRAWL_MODE: 'replay',
    DATABASE_URL: servers.url,
    READ_DATABASE_URL: servers.replicaUrl,
  });
  service = home.start(['start', '--role', 'api,project']);
  url = (await service.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
  health = (await service.says(/"health":"(\S+?)","msg":"Sightline started"/))[1] as string;
  await home.run(['holders', 'add', 'Tester', '--plan', 'enterprise']);
  key = (await home.run(['keys', 'issue', 'tester'])).out.trim();
  await until('the key is known', async () => (await ask('/v2/')).status === 200);
});
afterAll(async () => {
  await home.remove();
  await log.close();
  await db.end();
  await servers.close();
});

it('reads of the catalog come from the replica, and are no fresher than it is', async () => {
  await sight(AT[0], 1);
  // Before that the account is unknown.
  await until('the replica has it', async () => (await told()).data.followers === 1);
  await servers.pause();
  await sight(AT[1], 2);
  const before = await told();
  expect(before.data.followers).toBe(1);
  // Its age is that of the reading that is told, not of the one that the replica has not got.
  const ageS = (Date.now() - Date.parse(AT[0])) / 1_000;
  expect(Math.abs(before.meta.cache_age_s - ageS)).toBeLessThan(60);
  await servers.resume();
  await until('the replica has caught up', async () => (await told()).data.followers === 2);
});

it('the lag of the replica is reported', async () => {
  await until('it is up to date', async () => (await replicaCheck())?.detail === 'up to date');
  await servers.pause();
  await sight(AT[2], 3);
  const behind = await replicaCheck();
  expect(behind?.detail).toMatch(/^\d+ bytes and \d+\.\d s behind$/);
  const { checks } = (await (await fetch(health)).json()) as {
    checks: { name: string; detail: string }[];
  };
  // The lag of a projection is that of what is read.
  expect(checks.find(({ name }) => name === 'projection accounts')?.detail).toBe('1 events behind');
  await servers.resume();
});

it('a revoked key is refused at once, however far the replica is behind', async () => {
  const listed = async () =>
    (JSON.parse((await home.run(['keys', 'list', '--json'])).out) as { key_id: string }[]).map(
      (k) => k.key_id,
    );
  const first = await listed();
  const other = (await home.run(['keys', 'issue', 'tester'])).out.trim();
  await until('the key is known', async () => (await ask('/v2/', other)).status === 200);
  await servers.pause();
  const own = (await listed()).find((id) => !first.includes(id)) ?? '';
  const { code, err } = await home.run(['keys', 'revoke', own]);
  expect(code, err).toBe(0);
  await until('the key is refused', async () => (await ask('/v2/', other)).status === 401);
  expect((await ask()).status).toBe(200);
  await servers.resume();
});

it('a rebuild goes unnoticed, even if the replica learns of it and of the old build’s end at once', async () => {
  const seen: number[] = [];
  let done = false;
  const read = async () => {
    while (!done) {
      seen.push((await ask()).status);
      // Within what the plan allows in a minute.
      await sleep(25);
    }
  };
  const reading = [read(), read()];
  const before = await activeBuild(db, accounts.name, accounts.version);
  await servers.pause();
  const { code, err } = await home.run(['projections', 'rebuild', 'accounts']);
  expect(code, err).toBe(0);
  await until('the old build is gone', async () => {
    const { rowCount } = await db.query('select 1 from pg_namespace where nspname = $1', [before?.schema]);
    return rowCount === 0;
  });
  expect((await activeBuild(db, accounts.name, accounts.version))?.schema).not.toBe(before?.schema);
  await servers.resume();
  await until('the replica is up to date', async () => (await replicaCheck())?.detail === 'up to date');
  const seenBefore = seen.length;
  await until('more was read since', () => seen.length > Math.max(50, seenBefore + 10));
  done = true;
  await Promise.all(reading);
  expect(new Set(seen)).toEqual(new Set([200]));
});
