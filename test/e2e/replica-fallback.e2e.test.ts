import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { openProxy } from '../support/proxy.ts';
import { readinessAt } from '../support/readiness.ts';
import { until } from '../support/wait.ts';

let program: TestProgram;
let home: TestHome;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  home = await createTestHome({
    DATABASE_URL: program.database.url,
    PORT: '0',
    OPERATIONS_PORT: '0',
    LOG_FORMAT: 'json',
  });
  await program.append('x', 'nasa', sighted('nasa', '2026-11-01T00:00:00.000Z'));
  key = await program.issueKey();
});
afterAll(async () => {
  await home.remove();
  await program.close();
});

/** Starts the API with a replica behind a proxy. */
const start = async (replica: string, fallback: 'true' | 'false') => {
  const running = home.start(['start', '--role', 'api,project'], {
    READ_DATABASE_URL: replica,
    READ_FALLBACK: fallback,
  });
  const [, api] = await running.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/);
  const [, health] = await running.says(/"health":"(\S+?)"/);
  const statuses = async () => {
    const paths = ['/v2/accounts/x/nasa', '/v2/directory/x/nasa', '/v2/directory', '/v2/engines'];
    return new Set(
      await Promise.all(
        paths.map(async (path) => {
          const answer = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${key}` } });
          await answer.body?.cancel();
          return answer.status;
        }),
      ),
    );
  };
  const replicaCheck = async () => {
    const { ready, checks } = await readinessAt(health as string);
    return { ready, ok: checks.find(({ name }) => name === 'read replica')?.ok };
  };
  return { running, statuses, replicaCheck };
};

const heard = (running: RunningProgram, line: string) => running.err().split(line).length - 1;

it('with READ_FALLBACK the primary answers while the replica hangs or is gone, and at a start without it', {
  tags: 'long',
}, async () => {
  const proxy = await openProxy(program.database.url);
  const { running, statuses, replicaCheck } = await start(proxy.url, 'true');
  expect(await statuses()).toEqual(new Set([200]));
  expect(heard(running, 'the replica is down')).toBe(0);

  proxy.freeze();
  await until('the outage is told', async () => (await replicaCheck()).ok === false);
  expect(await statuses()).toEqual(new Set([200]));
  expect((await replicaCheck()).ready).toBe(true);
  expect(heard(running, 'the replica is down')).toBe(1);

  proxy.thaw();
  await until('it answers again', async () => (await replicaCheck()).ok === true);
  await until('reads go there', async () => {
    expect(await statuses()).toEqual(new Set([200]));
    return heard(running, 'the replica answers again') === 1;
  });

  await proxy.close();
  // No answer is lost between the end of the replica and the moment when that is noticed.
  expect(await statuses()).toEqual(new Set([200]));
  await until('the second outage is told', async () => {
    expect(await statuses()).toEqual(new Set([200]));
    return heard(running, 'the replica is down') === 2;
  });
  expect(await running.end('SIGTERM')).toBe(0);

  const without = await start(proxy.url, 'true');
  expect(await without.statuses()).toEqual(new Set([200]));
  expect(await without.running.end('SIGTERM')).toBe(0);
});

it('without READ_FALLBACK a replica that is gone makes the API unready, and the primary does not answer', {
  tags: 'long',
}, async () => {
  const proxy = await openProxy(program.database.url);
  const { running, statuses, replicaCheck } = await start(proxy.url, 'false');
  expect(await statuses()).toEqual(new Set([200]));
  await proxy.close();
  expect(await statuses()).toEqual(new Set([503]));
  expect(await replicaCheck()).toEqual({ ready: false, ok: false });
  expect(await running.end('SIGTERM')).toBe(0);
});
