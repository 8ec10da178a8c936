import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { Intake } from '../../src/api/intake.ts';
import { createApp } from '../../src/api/server/app.ts';
import type { KeyReads } from '../../src/read/holders.ts';
import { AdmissionTimeoutError } from '../../src/write/metering/admission.ts';
import { issued, keyIdOf, quotaOf, registerHolder, tellHolder, usageOf } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

const START = '2026-11-01T00:00:00.000Z';
const NOW = '2026-11-10T10:00:00.000Z';
const RESET = '2026-12-01T00:00:00Z';

let program: TestProgram;
let time = NOW;
let isSuspended = false;

beforeAll(async () => {
  program = await createTestProgram({
    meteringTime: () => time,
    intake: new Intake(() => isSuspended),
  });
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
});
afterAll(() => program.close());

const catalog = (key: string) => program.get('/v2/directory/x/nasa', key);

/** What a holder on `growth` is told that used so much, and cost nothing. */
const toldOf = (used: number, requests: number) => ({
  'ratelimit-policy': '"burst";q=600;w=60, "live";q=60;w=60',
  ratelimit: `"burst";r=${600 - requests};t=60, "live";r=60;t=60`,
  'x-plan': 'growth',
  'x-request-cost': '0',
  'x-quota-limit': '150000',
  'x-quota-used': String(used),
  'x-quota-remaining': String(150_000 - used),
  'x-quota-reset': RESET,
  'x-live-used': '0',
  'x-overage': 'off',
  'x-overage-used': '0',
});

/** What is told of a plan alone. */
const PLAN = {
  'ratelimit-policy': '"burst";q=600;w=60, "live";q=60;w=60',
  'x-plan': 'growth',
  'x-request-cost': '0',
  'x-quota-limit': '150000',
};

describe('an answer to a known key', () => {
  it('has the quota even if the address is refused, without counting as a request', async () => {
    const key = await registerHolder(program, 'pinned', 'growth', START);
    const [elsewhere, event] = issued(START);
    await tellHolder(program, 'pinned', event, {
      type: 'KeyPinned',
      data: { at: START, key_id: keyIdOf(elsewhere), allowlist: ['203.0.113.0/24'] },
    });
    for (const path of ['/v2/directory/x/nasa', '/v2/nothing', '/v2/directory/x/%E0%A4%A']) {
      const refused = await program.get(path, elsewhere);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'ip_not_allowed']);
      // Nothing was requested in this period so far.
      expect(quotaOf(refused)).toEqual(toldOf(0, 0));
    }
    await catalog(key);
    expect(quotaOf(await catalog(elsewhere))).toEqual(toldOf(1, 1));
    const flood = await Promise.all(Array.from({ length: 80 }, () => catalog(elsewhere)));
    const throttled = flood.filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThan(0);
    for (const answer of flood) expect(quotaOf(answer)).toEqual(toldOf(1, 1));
    expect(await usageOf(program, 'pinned')).toMatchObject({ requests: 1, refused: 0, budget_units: 1 });
  });

  it('has what is left of the period and the minute, at any time', async () => {
    const [elsewhere, event] = issued(START);
    const key = await registerHolder(program, 'late', 'growth', START);
    await tellHolder(program, 'late', event, {
      type: 'KeyPinned',
      data: { at: START, key_id: keyIdOf(elsewhere), allowlist: ['203.0.113.0/24'] },
    });
    await catalog(key);
    time = '2026-11-10T10:00:19.000Z';
    expect(quotaOf(await catalog(elsewhere)).ratelimit).toBe('"burst";r=599;t=41, "live";r=60;t=41');
    time = '2026-12-05T10:00:00.000Z';
    expect(quotaOf(await catalog(elsewhere))).toMatchObject({
      'x-quota-used': '0',
      'x-quota-reset': '2026-12-31T00:00:00Z',
      ratelimit: '"burst";r=600;t=60, "live";r=60;t=60',
    });
    time = NOW;
  });

  it('has the last quota that this process saw where nothing can be decided, or else the plan', async () => {
    const [seen, unseen] = [
      await registerHolder(program, 'seen', 'growth', START),
      await registerHolder(program, 'unseen', 'growth', START),
    ];
    const admission = {
      admit: (ask: Parameters<typeof program.services.admission.admit>[0]) =>
        isAway
          ? Promise.reject(new AdmissionTimeoutError('not decided in time'))
          : program.services.admission.admit(ask),
    };
    let isAway = false;
    const app = await createApp({ ...program.services, admission }, await loadEndpoints());
    const ask = async (key: string) => {
      const { statusCode: status, headers } = await app.inject({
        url: '/v2/directory/x/nasa',
        headers: { authorization: `Bearer ${key}` },
      });
      return { status, headers, body: null };
    };
    await ask(seen);
    isAway = true;
    const [known, unknown] = [await ask(seen), await ask(unseen)];
    expect([known.status, unknown.status]).toEqual([503, 503]);
    expect(quotaOf(known)).toMatchObject({ ...PLAN, 'x-quota-used': '1', 'x-quota-reset': RESET });
    expect(quotaOf(unknown)).toEqual(PLAN);
    await app.close();
  });

  it('has the plan while no work is accepted', async () => {
    const key = await registerHolder(program, 'suspended', 'growth', START);
    isSuspended = true;
    const refused = await catalog(key);
    isSuspended = false;
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(quotaOf(refused)).toEqual(PLAN);
    expect(await usageOf(program, 'suspended')).toMatchObject({ requests: 0 });
  });

  it('has the quota, once, if the body did not arrive in time', async () => {
    const key = await registerHolder(program, 'slow', 'growth', START);
    const app = await createApp(program.services, await loadEndpoints(), undefined, {
      headersMs: 200,
      requestMs: 200,
      answerMs: 60_000,
      drainMs: 0,
      closeMs: 100,
      perAddress: 10,
    });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.write(
      `POST /v2/accounts/check HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    await until('the connection is closed', () => socket.closed);
    await app.close();
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408']);
    expect(heard).toContain('"code":"request_timeout"');
    const lines = heard.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? [];
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    expect(quotaOf({ headers })).toEqual(toldOf(0, 1));
    expect(await usageOf(program, 'slow')).toMatchObject({ requests: 1, budget_units: 0 });
  });
});

it('finishes if a stop begins during the key’s look-up, and the next one is refused', async () => {
  const key = await registerHolder(program, 'stopped', 'growth', START);
  const intake = new Intake();
  const [looking, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const keys: KeyReads = {
    peek: () => undefined,
    find: async (hash) => {
      looking.resolve();
      await found.promise;
      return program.services.keys.find(hash);
    },
  };
  const app = await createApp({ ...program.services, keys, intake }, await loadEndpoints());
  const ask = async () =>
    (await app.inject({ url: '/v2/directory/x/nasa', headers: { authorization: `Bearer ${key}` } }))
      .statusCode;
  const begun = ask();
  await looking.promise;
  intake.stop();
  const late = ask();
  found.resolve();
  expect(await Promise.all([begun, late])).toEqual([200, 503]);
  await app.close();
});
