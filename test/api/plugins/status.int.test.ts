import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerOperations } from '../../../src/api/plugins/status.ts';
import { createApp } from '../../../src/api/server/app.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { Health } from '../../../src/operations/health/health.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { recordStall } from '../../../src/projections/stalls.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { initializeRelayCheckpoint } from '../../../src/write/messaging/relay.ts';
import { createTestProgram, OPERATIONS, type TestProgram, unavailable } from '../../support/program.ts';

let program: TestProgram;

beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

describe('when a projection is stalled at a poison event', () => {
  const ask = async (health: Health = program.services.health) => {
    const app = fastify() as unknown as FastifyInstance;
    await registerOperations(app, health, { own: [] }, silentLogger);
    await program.builds.refresh();
    const { statusCode, body } = await app.inject({ url: '/readyz' });
    const checks = JSON.parse(body).checks as { name: string; ok: boolean; detail: string }[];
    const check = (name: string) => checks.find((one) => one.name === name);
    return { status: statusCode, check, metrics: (await app.inject({ url: '/metrics' })).body };
  };
  const stand = async ({ name, version }: Projection, partition: string) => {
    const head = await program.log.head();
    const event = { position: head, id: crypto.randomUUID(), stream: 'account-x:bad', type: 'Bad' };
    await recordStall(program.database.db, { name, version }, event, 'it was bad', partition);
    return head;
  };
  const setPlaces = async (projection: string, partitions: Record<string, bigint>, minutes: number) => {
    const { db } = program.database;
    const schema = program.builds.schema(projection);
    await db.query('delete from projections.checkpoints where schema_name = $1', [schema]);
    await db.query(
      `insert into projections.checkpoints (schema_name, partition, position, updated_at)
       select $1, p, n, now() - make_interval(mins => $4) from unnest($2::text[], $3::bigint[]) as v(p, n)`,
      [schema, Object.keys(partitions), Object.values(partitions).map(String), minutes],
    );
  };
  /** As a process is that has other roles. */
  const asProcess = (roles: Partial<Pick<Health, 'serves' | 'projects' | 'parts'>>): Health => ({
    ...program.services.health,
    ...roles,
  });

  beforeEach(async () => {
    await program.database.db.query('delete from projections.stalls');
    await program.append('x', 'gone', unavailable('2026-11-01T00:00:00.000Z', 'absent'));
    await program.database.db.query('update projections.checkpoints set updated_at = now(), position = $1', [
      String(await program.log.head()),
    ]);
  });

  it('a single stalled partition has its own check, and the API stays ready', async () => {
    const head = await program.log.head();
    const others = { 'accounts/16': head, 'accounts/18': head };
    await setPlaces('accounts', { ...others, 'accounts/17': 0n }, 2);
    const unknown = await ask();
    expect(unknown.status).toBe(503);
    expect(unknown.check('projection accounts')?.ok).toBe(false);

    await stand(accounts, 'accounts/17');
    const known = await ask();
    expect(known.status).toBe(200);
    expect(known.check('projection accounts')).toMatchObject({ ok: true, detail: '0 events behind' });
    expect(known.check('projection accounts at accounts/17')).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`stalled at position ${head}`),
    });
    expect(known.metrics).toContain('sightline_projection_lag_events{projection="accounts"} 0');
    expect(known.metrics).toContain(
      `sightline_projection_stalled{projection="accounts",partition="accounts/17"} 1`,
    );

    // The others go on, or should.
    await setPlaces('accounts', { 'accounts/16': head - 1n, 'accounts/18': head, 'accounts/17': 0n }, 2);
    expect((await ask()).status).toBe(503);
    await setPlaces('accounts', { all: head }, 0);
  });

  it('a wholly stalled projection reports its lag, and the API stays ready', async () => {
    const head = await stand(directory, 'all');
    await setPlaces('directory', { all: head - 1n }, 2);
    const { status, check, metrics } = await ask();
    expect(status).toBe(200);
    expect(check('projection directory')).toMatchObject({ ok: true, detail: '1 events behind' });
    expect(check('projection directory at all')?.ok).toBe(false);
    expect(metrics).toContain('sightline_projection_lag_events{projection="directory"} 1');
  });

  it('the API is not ready if a key’s revocation may be missing', async () => {
    const head = await stand(holders, 'all');
    await setPlaces('holders', { all: head - 1n }, 0);
    expect((await ask()).status).toBe(503);
  });

  it('processes that maintain the read models are not ready; those that only read them are', async () => {
    const head = await stand(directory, 'all');
    await setPlaces('directory', { all: head - 1n }, 2);
    expect((await ask(asProcess({ serves: false, projects: true }))).status).toBe(503);
    expect((await ask(asProcess({ serves: false, projects: false }))).status).toBe(200);
  });

  it('parked streams are reported and do not affect readiness', async () => {
    const { db } = program.database;
    const schema = program.builds.schema('accounts');
    await db.query(
      `insert into projections.parked (schema_name, stream, event_id, revision, position)
       values ($1, 'account-x:gone', gen_random_uuid(), 0, 1)`,
      [schema],
    );
    const { status, check, metrics } = await ask();
    expect(status).toBe(200);
    expect(check('dead letters of accounts')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('1 stream is parked'),
    });
    expect(metrics).toContain('sightline_projection_parked_streams{projection="accounts"} 1');
    expect(metrics).toContain('sightline_projection_parked_streams{projection="directory"} 0');
    await db.query('delete from projections.parked');
  });

  it('the API stays ready without the log and reports it; other processes are not ready', async () => {
    const head = () => Promise.reject(new Error('no leader'));
    const serving = await ask({ ...asProcess({}), head });
    expect(serving.status).toBe(200);
    expect(serving.check('event log')).toMatchObject({ ok: false, critical: false });
    expect((await ask({ ...asProcess({ serves: false }), head })).status).toBe(503);
  });

  it('stalls of other versions are not reported', async () => {
    await stand({ ...directory, version: directory.version + 1 }, 'all');
    const { check, metrics } = await ask();
    expect(check('projection directory at all')).toBeUndefined();
    expect(metrics).toContain('sightline_projection_stalled{projection="directory",partition="all"} 0');
    expect(metrics).not.toMatch(/^sightline_projection_stalled\{.*\} 1$/m);
  });

  it('other components of a process are reported, and decide readiness without the API', async () => {
    const part = { name: 'relay', ok: false, detail: 'starting' };
    const parts = [() => part];
    const beside = await ask(asProcess({ parts }));
    expect(beside.check('relay')).toMatchObject(part);
    expect(beside.status).toBe(200);
    expect((await ask(asProcess({ serves: false, parts }))).status).toBe(503);
  });
});

it('no relay lag is exported before the relay’s first run', async () => {
  const metrics = async () => (await program.app.inject({ url: '/metrics', headers: OPERATIONS })).body;
  expect(await metrics()).not.toMatch(/^sightline_relay_lag_events /m);
  await initializeRelayCheckpoint(program.database.db, await program.log.head());
  expect(await metrics()).toMatch(/^sightline_relay_lag_events 0$/m);
});

describe('on the API’s port', () => {
  const get = async (url: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    const { statusCode, body } = await program.app.inject({ url, headers });
    return { status: statusCode, body };
  };

  it('callers without the token see liveness and readiness only', async () => {
    const key = await program.issueKey();
    for (const authorization of [
      undefined,
      'Bearer wrong',
      `Bearer ${key}`,
      OPERATIONS.authorization.slice(7),
    ]) {
      expect(await get('/livez', authorization)).toEqual({ status: 200, body: '{"alive":true}' });
      const ready = await get('/readyz', authorization);
      expect(Object.keys(JSON.parse(ready.body))).toEqual(['ready']);
      const metrics = await get('/metrics', authorization);
      expect(metrics.status).toBe(401);
      expect(metrics.body).not.toContain('sightline_');
    }
    expect(JSON.parse((await get('/readyz', OPERATIONS.authorization)).body).checks.length).toBeGreaterThan(
      3,
    );
    expect((await get('/metrics', OPERATIONS.authorization)).body).toContain(
      'sightline_projection_lag_events',
    );
  });

  it('nobody sees details if no token is set', async () => {
    const app = await createApp({ ...program.services, operationsToken: undefined }, []);
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer null']) {
      expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(401);
    }
    await app.close();
  });

  it('an address is limited to a number of requests a second', async () => {
    const app = await createApp(program.services, []);
    const responses = await Promise.all(Array.from({ length: 200 }, () => app.inject({ url: '/readyz' })));
    const refused = responses.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(responses.filter(({ statusCode }) => statusCode !== 429).length).toBeGreaterThanOrEqual(60);
    // Whoever looks whether it lives is always told.
    const lives = await Promise.all(Array.from({ length: 200 }, () => app.inject({ url: '/livez' })));
    expect(lives.every(({ statusCode }) => statusCode === 200)).toBe(true);
    await app.close();
  });
});

it('a port of operations requires the token if one is set', async () => {
  const app = fastify() as unknown as FastifyInstance;
  const token = 'operations-of-a-test';
  await registerOperations(app, program.services.health, { own: [] }, silentLogger, { token });
  expect((await app.inject({ url: '/metrics' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/metrics', headers: OPERATIONS })).statusCode).toBe(200);
});
