import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/write/holders/api-key.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/wait.ts';

let database: TestDatabase;
let home: TestHome;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    CRAWL_MODE: 'replay',
    DATABASE_URL: database.url,
  });
});
afterAll(async () => {
  await home.remove();
  await database.drop();
});

it('an API that waits for its read models stops on a signal', async () => {
  const api = home.start(['start', '--role', 'api']);
  await api.says(/"msg":"waiting/);
  expect(await api.end('SIGTERM')).toBe(0);
});

describe('an API whose read models are not built yet', () => {
  const authorization = `Bearer ${createKey()}`;
  let api: RunningProgram;
  let url: string;
  let operations: string;
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

  beforeAll(async () => {
    api = home.start(['start', '--role', 'api']);
    [, url = '', operations = ''] = await api.says(/"url":"(\S+?)","health":"(\S+?)\/readyz","msg":"waiting/);
  });

  it('lives, has metrics, and is not ready, naming what is missing', async () => {
    expect((await get('/livez')).status).toBe(200);
    expect(await (await fetch(`${operations}/metrics`)).text()).toMatch(/^process_cpu_seconds_total/m);
    const status = await get('/readyz');
    expect([status.status, await status.json()]).toEqual([503, { ready: false }]);
    const missing = await fetch(`${operations}/readyz`);
    expect(missing.status).toBe(503);
    const { checks } = (await missing.json()) as { checks: unknown[] };
    expect(checks).toContainEqual({
      name: 'projection holders',
      ok: false,
      critical: true,
      detail: 'not built yet',
    });
    expect(checks).toContainEqual({ name: 'database', ok: true, critical: true, detail: 'available' });
  });

  it('answers 503 with Retry-After to every key, and 401 without one', async () => {
    for (const path of ['/v2/accounts/x/nasa', '/v2/directory', '/v2/nothing']) {
      const refused = await get(path, { authorization });
      expect(refused.status, path).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    expect((await get('/v2/directory')).status).toBe(401);
    expect(api.err()).not.toContain('Sightline started');
  });

  it('serves once a projector has built them, and logs no failure but the refusals', async () => {
    home.start(['start', '--role', 'project']);
    await api.says(/"msg":"Sightline started"/);
    await until('it is ready', async () => (await get('/readyz')).status === 200);
    expect((await get('/v2/directory', { authorization })).status).toBe(401);
    const told = api.err().split('\n');
    expect(told.filter((line) => /"level":[456]0/.test(line) && !line.includes('a request failed'))).toEqual(
      [],
    );
    expect(await api.end('SIGTERM')).toBe(0);
  });
});
