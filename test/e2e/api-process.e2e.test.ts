import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { createTestHome, isAlive, type RunningProgram, type TestHome } from '../support/cli.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

let simulator: Simulator;
let home: TestHome;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator({ seed: 3, size: 60 });
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    SIMULATOR_URL: simulator.url,
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  });
  key = await seedHome({ SIGHTLINE_HOME: home.home }, simulator);
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
});

/** Process ids of the API's process, in the order of its starts. */
const pidsOf = (program: RunningProgram): number[] =>
  [...program.err().matchAll(/"child_pid":(\d+),"msg":"the API is served by a separate process"/g)].map(
    (match) => Number(match[1]),
  );

const started = async (program: RunningProgram) => {
  const [, url = '', metrics = '', health = ''] = await program.says(
    /"api":"(http:\S+?)\/v2\/".*"metrics":"(\S+?)","health":"(\S+?)","msg":"Sightline started"/,
  );
  const [pid] = pidsOf(program);
  return { url, metrics, health, pid: pid as number };
};

const call = async (url: string, path: string): Promise<number> =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

/** Waits for an answer: the first lists may take longer than they are given, while all of the program starts. */
const answers = (url: string) => until('it answers', async () => (await call(url, '/v2/directory')) === 200);

/** Sends a request but for the end of its body. @returns what sends the rest, and the status of the answer. */
const begin = async (url: string, path: string, body: string) => {
  const asked = request(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    asked.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject);
  });
  // The server has the request's head.
  await once(asked, 'continue');
  asked.write(body.slice(0, 1));
  return { end: () => asked.end(body.slice(1)), status };
};

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

const checksOf = async (health: string): Promise<{ name: string; ok: boolean; critical: boolean }[]> =>
  ((await (await fetch(health)).json()) as { checks: { name: string; ok: boolean; critical: boolean }[] })
    .checks;

type Reported = Awaited<ReturnType<typeof checksOf>>[number] | undefined;

/** Whether a process says that it is ready, and what it says of the API. */
const readinessOf = async (health: string): Promise<readonly [boolean, Reported]> => {
  const response = await until('readiness is not rate limited', async () => {
    const answer = await fetch(health);
    return answer.status !== 429 && answer;
  });
  const { ready, checks } = (await response.json()) as { ready: boolean; checks: NonNullable<Reported>[] };
  return [ready, checks.find(({ name }) => name === 'api')];
};

describe('the API process', () => {
  let program: RunningProgram;
  let at: Awaited<ReturnType<typeof started>>;
  beforeEach(async () => {
    program = home.start(['start']);
    at = await started(program);
    await answers(at.url);
  });

  /** Kills the main process while this one is stopped. Its output stays open: it is this one's too. */
  const leaveOrphan = async () => {
    process.kill(at.pid, 'SIGSTOP');
    const exited = once(program.child, 'exit');
    program.child.kill('SIGKILL');
    await exited;
  };

  it('is separate from the crawl, and one address has the metrics and health of both', async () => {
    expect(at.pid).not.toBe(program.child.pid);
    const text = await until('both have counted', async () => {
      const now = await textOf(at.metrics);
      return /^sightline_crawl_readings_total\{[^}]*process="main"/m.test(now) && now;
    });
    expect(text).toMatch(
      /^sightline_http_request_duration_seconds_count\{operation="listDirectory",[^}]*process="api"\} \d/m,
    );
    expect(text).toMatch(/^process_cpu_seconds_total\{process="main"\} \d/m);
    expect(text).toMatch(/^process_cpu_seconds_total\{process="api"\} \d/m);
    expect(text).toMatch(/^sightline_projection_lag_events\{projection="directory"\} \d/m);
    // Prometheus rejects a page that describes one metric twice.
    const described = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(described).toEqual([...new Set(described)]);
    expect(await checksOf(at.health)).toContainEqual(
      expect.objectContaining({ name: 'api', ok: true, critical: true }),
    );
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('is started again on the same port when it is killed', async () => {
    process.kill(at.pid, 'SIGKILL');
    await until('it serves again', () => pidsOf(program).length === 2);
    await answers(at.url);
    expect(program.err()).toContain('"reason":"SIGKILL"');
    expect(await textOf(at.metrics)).toMatch(/^sightline_api_process_restarts_total\{process="main"\} 1$/m);
    expect(await program.end('SIGTERM')).toBe(0);
    expect(pidsOf(program).some(isAlive)).toBe(false);
  });

  it('leaves health and metrics available, and reported, while it hangs', async () => {
    // Stopped, it answers nothing, as a process that hangs.
    process.kill(at.pid, 'SIGSTOP');
    const text = await textOf(at.metrics);
    expect(text).toMatch(/^process_cpu_seconds_total\{process="main"\}/m);
    expect(text).not.toContain('process="api"');
    await until('it serves again', () => pidsOf(program).length === 2);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('is reported at once when it hangs, and replaced', async () => {
    process.kill(at.pid, 'SIGSTOP');
    // The first answer: whoever asks next is not sent here.
    const [ready, api] = await readinessOf(at.health);
    expect([ready, api]).toEqual([false, expect.objectContaining({ ok: false, critical: true })]);
    await until('it serves again', () => pidsOf(program).length === 2);
    await answers(at.url);
    expect(isAlive(at.pid)).toBe(false);
    expect(program.err()).toContain('the API process does not respond; killing it');
    await until('it is reported as ready', async () => (await readinessOf(at.health))[1]?.ok === true);
    expect(await textOf(at.metrics)).toMatch(/^sightline_api_process_restarts_total\{process="main"\} 1$/m);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('refuses requests while the main process hangs, and resumes afterwards', async () => {
    const main = program.child.pid as number;
    process.kill(main, 'SIGSTOP');
    try {
      const refused = await until('it refuses', async () => {
        const response = await fetch(`${at.url}/v2/directory`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return response.status === 503 && response;
      });
      expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
      expect((await fetch(`${at.url}/readyz`)).status).toBe(503);
    } finally {
      process.kill(main, 'SIGCONT');
    }
    await answers(at.url);
    // The stopped process has not heard of the other one either, and does not take that for silence.
    expect(pidsOf(program)).toEqual([at.pid]);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('is ended by a stop although it hangs', async () => {
    process.kill(at.pid, 'SIGSTOP');
    expect(await program.end('SIGTERM')).toBe(0);
    expect(isAlive(at.pid)).toBe(false);
  });

  it('is ended by the next start if it hung when the main process was killed', async () => {
    const { port } = new URL(at.url);
    await leaveOrphan();
    expect(isAlive(at.pid)).toBe(true);
    const next = home.start(['start'], { PORT: port });
    const { url } = await started(next);
    expect(new URL(url).port).toBe(port);
    await until('the orphan has ended', () => !isAlive(at.pid));
    await answers(url);
    expect(await next.end('SIGTERM')).toBe(0);
  });

  it('is named by another home’s start that needs its port, with what to do', async () => {
    const { port } = new URL(at.url);
    const other = await createTestHome({ CRAWL_MODE: 'replay' });
    try {
      const running = await other.run(['start'], { PORT: port });
      expect([running.code, running.err]).toEqual([
        2,
        expect.stringMatching(
          new RegExp(`Port ${port} on \\S+ is in use by process ${at.pid} .*\\. Choose another`),
        ),
      ]);
      expect(running.err).not.toContain('kill -9');
      await leaveOrphan();
      const left = await other.run(['start'], { PORT: port });
      expect([left.code, left.err]).toEqual([2, expect.stringContaining(`end it with kill -9 ${at.pid}`)]);
      expect(isAlive(at.pid)).toBe(true);
    } finally {
      process.kill(at.pid, 'SIGKILL');
      await other.remove();
    }
  });

  it('answers a kept connection during a stop with a proper error', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const asked = request(`${at.url}${path}`, { agent, headers: { authorization: `Bearer ${key}` } });
        asked.on('response', resolve).on('error', reject).end();
      });
    const first = await ask('/v2/accounts/x/nasa');
    await first.resume().toArray();
    const ended = program.end('SIGTERM');
    const refused = await until('the API stops', async () => {
      const response = await ask('/v2/accounts/x/nasa');
      const body = (await response.toArray()).join('');
      return response.statusCode !== 200 && response.statusCode !== 404 && { response, body };
    });
    const { statusCode, headers } = refused.response;
    expect([statusCode, JSON.parse(refused.body).error.code]).toEqual([503, 'service_unavailable']);
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(headers).toMatchObject({ 'retry-after': '1', connection: 'close', 'x-plan': 'growth' });
    expect(await ended).toBe(0);
    agent.destroy();
  });

  it('keeps its priority while the crawl has a lower one', async () => {
    expect(getPriority(at.pid)).toBe(getPriority());
    expect(getPriority(program.child.pid)).toBe(Math.max(10, getPriority()));
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('does not outlive a killed parent, and ignores a signal to it alone', async () => {
    process.kill(at.pid, 'SIGTERM');
    process.kill(at.pid, 'SIGINT');
    await answers(at.url);
    expect(pidsOf(program)).toEqual([at.pid]);
    await program.end('SIGKILL');
    await until('it has ended', () => !isAlive(at.pid));
  });

  it('answers the requests in flight before everything stops', async () => {
    const body = JSON.stringify({ accounts: [{ platform: 'x', handle: 'nasa' }] });
    const under = await Promise.all(
      Array.from({ length: 10 }, () => begin(at.url, '/v2/accounts/check', body)),
    );
    const ended = program.end('SIGTERM');
    await program.says(/"msg":"stopping"/);
    for (const { end } of under) end();
    expect(await Promise.all(under.map(({ status }) => status))).toEqual(under.map(() => 200));
    expect(await ended).toBe(0);
    expect(isAlive(at.pid)).toBe(false);
  });
});

it('a process with named roles runs exactly these, the API included', async () => {
  const program = home.start(['start', '--role', 'api,project,crawl']);
  await program.says(/"msg":"Sightline started"/);
  const [, url = '', metrics = ''] = await program.says(/"api":"(http:\S+?)\/v2\/".*"metrics":"(\S+?)"/);
  await answers(url);
  expect(pidsOf(program)).toEqual([]);
  expect(await textOf(metrics)).not.toContain('process="');
  expect(await program.end('SIGTERM')).toBe(0);
});
