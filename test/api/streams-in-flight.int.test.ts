import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '../../src/api/contract/endpoint.ts';
import { Intake } from '../../src/api/intake.ts';
import { createKey, hashKey } from '../../src/write/holders/api-key.ts';
import type { HolderEvent } from '../../src/write/holders/events.ts';
import { plansOf } from '../../src/write/holders/plans.ts';
import { keyIdOf, tellHolder } from '../support/holders.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

/** What a row weighs: a few units fill the buffers of both sides. */
const FILLING = 'x'.repeat(2_000);
const ROWS = 50_000;

/** A list of rows that fill the buffers of a connection. */
const wideRows = endpoint({
  operation: 'testWideRows',
  group: 'tools',
  scope: 'directory:read',
  summary: 'Of the tests',
  description: 'Of the tests.',
  params: z.strictObject({}),
  errors: [],
  method: 'GET',
  path: '/test/wide-rows',
  meter: 'catalog',
  list: true,
  query: z.strictObject({}),
  streaming: { columns: ['n', 'filling'], rowsPerUnit: 100 },
  data: z.array(z.object({ n: z.number(), filling: z.string() })),
  example: { data: [] },
  handler: async ({ after, limit, nowMs }) => {
    const from = after === null ? 0 : Number(after[0]);
    const to = Math.min(ROWS, from + limit);
    return {
      data: Array.from({ length: to - from }, (_, i) => ({ n: from + i + 1, filling: FILLING })),
      source: 'catalog',
      readAtMs: nowMs,
      next: to < ROWS ? [to] : null,
    };
  },
});

const all = { units: 1_000_000 };
const plans = plansOf('test', [
  testPlan('large', all),
  testPlan('scopeless', { ...all, scopes: ['accounts:read'] }),
]);

let program: TestProgram;
let url: string;
let isSuspended = false;
const intake = new Intake(() => isSuspended);
let holders = 0;
let holder: string;
let key: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  program = await createTestProgram({
    plans,
    endpoints: [wideRows],
    intake,
  });
  program.app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  url = await program.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => program.close());

beforeEach(async () => {
  holder = `holder-${++holders}`;
  key = await program.issueKey(undefined, { holder, plan: 'large' });
  isSuspended = false;
});

const unitsOf = async (): Promise<number> => {
  const { rows } = await program.database.db.query<{ units: number }>(
    'select budget_units::int as units from metering.accounts where holder = $1',
    [holder],
  );
  return rows[0]?.units ?? 0;
};

const isSettled = async (): Promise<boolean> => {
  const { rows } = await program.database.db.query('select from metering.reservations where holder = $1', [
    holder,
  ]);
  return rows.length === 0;
};

/** A reader that takes nothing from its connection until it is told to. */
class Reader {
  readonly #response: IncomingMessage;
  text = '';
  hasEnded = false;

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      this.text += part;
    });
    response.on('end', () => {
      this.hasEnded = true;
    });
    response.on('error', () => undefined);
    response.pause();
  }

  /** Reads to the end. @returns the last line. */
  async finish() {
    this.#response.resume();
    await until('the stream has ended', () => this.hasEnded);
    return JSON.parse(this.text.trimEnd().split('\n').at(-1) ?? '');
  }

  async readMore(): Promise<void> {
    const before = this.text.length;
    this.#response.resume();
    await until('more has come', () => this.text.length > before);
  }

  leave(): void {
    this.#response.destroy();
  }

  /** Rows of which anything has come. */
  rows(): number {
    return this.text.split('\n').filter((line) => line.startsWith('{"n":')).length;
  }
}

const open = (headers: Record<string, string> = {}, by = key, cursor = ''): Promise<Reader> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${url}/v2/test/wide-rows${cursor}`,
      { headers: { authorization: `Bearer ${by}`, accept: 'application/x-ndjson', ...headers } },
      (response) => resolve(new Reader(response)),
    );
    asked.on('error', reject);
    asked.end();
  });

/** Waits until a connection has taken all that it takes from a server whose caller does not read. */
const isFull = () => {
  let before = -1;
  let same = 0;
  return until('the buffers of the connection are full', () => {
    const waiting = [...sockets].filter(({ writableLength }) => writableLength > 0);
    const now = waiting.reduce(
      (sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength,
      0,
    );
    same = waiting.length > 0 && now === before ? same + 1 : 0;
    before = now;
    return same > 10;
  });
};

describe('a reader who leaves a stream', () => {
  it('has paid for every row that came, and nothing stays reserved', async () => {
    for (const readsMore of [false, true]) {
      const reader = await open();
      await isFull();
      const before = await unitsOf();
      if (readsMore) await reader.readMore();
      reader.leave();
      await until('its charge is settled', isSettled);
      expect(reader.rows()).toBeLessThanOrEqual((await unitsOf()) * 100);
      expect(await unitsOf()).toBeGreaterThan(0);
      expect(before).toBeGreaterThan(0);
    }
  });

  it('what a stream holds for a reader who does not read is a unit at most, and that unit is charged', async () => {
    const reader = await open();
    await isFull();
    const [held = 0] = [...sockets]
      .map(({ writableLength }) => writableLength)
      .filter((length) => length > 0);
    // A chunk has ten units of a hundred rows.
    expect(held).toBeLessThan(2 * 100 * FILLING.length);
    const sent = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    reader.leave();
    await until('its charge is settled', isSettled);
    expect((await unitsOf()) * 100 * FILLING.length).toBeGreaterThan(sent - held - 100 * FILLING.length);
  });
});

describe('a stream whose key loses what it took to begin it', () => {
  const at = () => new Date().toISOString();
  const successor = createKey();
  const losses: readonly (readonly [string, string, () => HolderEvent])[] = [
    ['is revoked', 'key_revoked', () => ({ type: 'KeyRevoked', data: { at: at(), key_id: keyIdOf(key) } })],
    [
      'is rotated and expires',
      'key_revoked',
      () => ({
        type: 'KeyRotated',
        data: {
          at: at(),
          key_id: keyIdOf(key),
          successor_id: keyIdOf(successor),
          successor_hash: hashKey(successor),
          expires_at: at(),
        },
      }),
    ],
    [
      'is bound to other addresses',
      'ip_not_allowed',
      () => ({ type: 'KeyPinned', data: { at: at(), key_id: keyIdOf(key), allowlist: ['203.0.113.0/24'] } }),
    ],
    [
      'loses the scope',
      'scope_missing',
      () => ({
        type: 'ScopesGranted',
        data: { at: at(), key_id: keyIdOf(key), scopes: ['accounts:read'] },
      }),
    ],
    [
      'is on a plan without it',
      'plan_required',
      () => ({ type: 'PlanChosen', data: { at: at(), plan: 'scopeless' } }),
    ],
  ];
  it.each(losses)(
    'a stream whose key %s ends with the error %s, a cursor, and what it sent paid',
    async (_, code, event) => {
      const reader = await open();
      await isFull();
      await tellHolder(program, holder, event());
      const { error, meta } = await reader.finish();
      expect(error).toMatchObject({ code, request_id: meta.request_id });
      expect(meta.rows).toBe(reader.rows());
      expect(meta.rows).toBeLessThan(ROWS);
      expect(meta.cost * 100).toBe(meta.rows);
      expect(meta.next_cursor).toEqual(expect.any(String));
      expect(await isSettled()).toBe(true);
      const { rows } = await program.database.db.query(
        'select sum(budget_units)::int as units from metering.ledger where holder = $1',
        [holder],
      );
      expect(rows).toEqual([{ units: meta.cost }]);
    },
  );
});

describe('a stream of a process that takes no more work', () => {
  it('ends while the main process does not respond, and is resumed at its cursor', async () => {
    const reader = await open();
    await isFull();
    isSuspended = true;
    const { error, meta } = await reader.finish();
    expect(error.code).toBe('service_unavailable');
    expect(meta.cost * 100).toBe(meta.rows);
    const refused = await program.get('/v2/test/wide-rows', key);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    isSuspended = false;
    const rest = await (await open({}, key, `?cursor=${meta.next_cursor}`)).finish();
    expect(meta.rows + rest.meta.rows).toBe(ROWS);
    expect(rest.meta.next_cursor).toBeNull();
  });

  it('a stream ends when its process stops, which waits until each is settled', async () => {
    const [reader, stuck] = [await open(), await open()];
    await isFull();
    intake.stop();
    const { error, meta } = await reader.finish();
    expect(error.code).toBe('service_unavailable');
    expect(meta.next_cursor).toEqual(expect.any(String));
    expect(intake.inFlight()).toBe(1);
    // As a stop does that has waited long enough.
    program.app.server.closeAllConnections();
    await intake.idle();
    expect(await isSettled()).toBe(true);
    expect((await unitsOf()) * 100).toBeGreaterThanOrEqual(meta.rows + stuck.rows());
  });
});
