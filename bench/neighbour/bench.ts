import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';
import { holders } from '../../src/projections/views/holders/projection.ts';
import { openWriter } from '../../src/projections/writer.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createKey, hashKey } from '../../src/write/holders/api-key.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { createBuilds, fillEntries, fillWords } from '../support/read-models.ts';
import { figure, median, percentile } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import type { AttackAnswer, AttackQuestion } from './attacker.ts';
import type { NeighbourAnswer, NeighbourQuestion } from './neighbour.ts';

const CONNECTIONS = 64;
const PER_SECOND = 2_000;
const LETTERS = 26;

/** Handles that begin with every letter, as real ones do. */
const handleOf = (i: number): string => `${String.fromCharCode(97 + (i % LETTERS))}user${i}`;
const handleSql = (i: string): string => `chr(97 + ${i} % ${LETTERS}) || 'user' || ${i}`;

/** As many requests of a server that does nothing for them: the neighbour shares the processors with that too. */
const ELSEWHERE = 'another server';

/** What an attacker may ask for, by kind of attack. */
const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  [ELSEWHERE]: ['/'],
  'one search': ['/v2/directory?q=a&sort=handle'],
  'any list': [
    '/v2/directory?q=a&sort=handle',
    '/v2/directory?q=a&sort=recent&limit=100',
    '/v2/directory?q=d&sort=growth_30d',
    '/v2/directory?q=name&status=suspended',
    '/v2/directory?q=display%20name&sort=handle&verified=true',
    '/v2/directory/x?q=u&status=absent',
    '/v2/directory?status=absent',
    '/v2/directory?max_followers=0&sort=handle',
    '/v2/directory?created_since=2026-01-01T00:00:00Z&sort=recent',
    '/v2/directory?seen_since=2026-12-01T00:00:00Z',
    '/v2/directory/changes?kind=renamed',
    '/v2/directory/stats',
    ...[7, 13, 25, 31].map((i) => `/v2/directory/x/${handleOf(i * 6)}/similar?limit=100`),
  ],
  'any read': [
    '/v2/',
    '/v2/accounts/platforms',
    '/v2/openapi.json',
    `/v2/directory/x/${handleOf(6)}`,
    '/v2/none',
  ],
};

/** Two holders: one on the lowest plan, one whose plan allows for what is measured. @returns their keys. */
const issueKeys = async (db: Db, url: string, schema: string): Promise<readonly [string, string]> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const event = (type: string, data: unknown) => ({ id: uuidV7(nowMs), type, data });
  const keys = [createKey(), createKey()] as const;
  for (const [i, plan] of ['free', 'enterprise'].entries()) {
    await log.append(
      holderStream(plan),
      [
        event('HolderRegistered', { at, holder: plan, name: plan }),
        event('PlanChosen', { at, plan }),
        event('KeyIssued', {
          at,
          key_id: `key_${plan}`,
          key_hash: hashKey(keys[i] as string),
          scopes: ['accounts:read', 'directory:read'],
          label: null,
        }),
      ],
      'no_stream',
    );
  }
  const writer = await openWriter(db, holders, schema);
  for await (const page of log.readAll(0n, { types: holders.types })) await writer.write(page);
  await log.close();
  return keys;
};

/** What one holder feels of another one who attacks: its 99th percentiles, beside those of a quiet service. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const entries = quick ? 100_000 : 1_000_000;
  const rounds = quick ? 1 : 3;
  // A minute is the plan's: an attack begins with its burst, and meets the next.
  const attackMs = quick ? 8_000 : 65_000;
  const idleMs = quick ? 4_000 : 20_000;
  const server = await openServer();
  const service = startChild(new URL('./service.ts', import.meta.url));
  const attacker = startChild(new URL('./attacker.ts', import.meta.url));
  const elsewhere = startChild(new URL('./elsewhere.ts', import.meta.url));
  const neighbour = startChild(new URL('./neighbour.ts', import.meta.url));
  try {
    const { url: databaseUrl, db } = await server.migrated('bench_neighbour');
    const schemas = await createBuilds(db);
    const schema = schemas.get('directory') as string;
    progress(`  filling ${figure(entries)} entries`);
    await fillEntries(db, schema, DIRECTORY_PLATFORMS, entries, handleSql);
    await fillWords(db, schema);
    const [free, paid] = await issueKeys(db, databaseUrl, schemas.get('holders') as string);
    await db.query('vacuum analyze');
    const url = await service.ask<string>(databaseUrl);
    const other = await elsewhere.ask<string>(null);
    // Entry i is of platform i % 6, of which X is the first.
    const handles = Array.from({ length: 1_000 }, (_, i) => handleOf(6 * (i + 1)));
    const live = (ms: number) =>
      neighbour.ask<NeighbourAnswer>({
        url,
        key: paid,
        ms,
        handles,
        list: '/v2/directory?sort=followers',
      } satisfies NeighbourQuestion);
    await live(3_000);

    const table: string[][] = [
      ['attack', 'read', 'idle p50', 'idle p99 ms', 'attacked p50', 'attacked p99 ms', 'p99 over idle'],
    ];
    const goals: Goal[] = [];
    const notes: string[] = [];
    for (const [name, paths] of Object.entries(ATTACKS)) {
      const times = {
        entry: { idle: [] as number[][], attacked: [] as number[][] },
        list: { idle: [] as number[][], attacked: [] as number[][] },
      };
      const statuses: Record<string, number> = {};
      for (let round = 0; round < rounds; round++) {
        const idle = await live(idleMs);
        const attacking = attacker.ask<AttackAnswer>({
          url: name === ELSEWHERE ? other : url,
          key: free,
          connections: CONNECTIONS,
          perSecond: PER_SECOND,
          ms: attackMs,
          paths,
        } satisfies AttackQuestion);
        const attacked = await live(attackMs);
        for (const [status, n] of Object.entries(await attacking)) {
          statuses[status] = (statuses[status] ?? 0) + n;
        }
        for (const read of ['entry', 'list'] as const) {
          times[read].idle.push([...idle[read]]);
          times[read].attacked.push([...attacked[read]]);
        }
        const p99 = (of: readonly number[]) => percentile(of, 0.99).toFixed(1);
        progress(
          `  ${name}, round ${round + 1} of ${rounds}: entry ${p99(idle.entry)} → ${p99(attacked.entry)} ms, list ${p99(idle.list)} → ${p99(attacked.list)} ms`,
        );
      }
      for (const read of ['entry', 'list'] as const) {
        const { idle, attacked } = times[read];
        const of = (rows: number[][], share: number) => median(rows.map((row) => percentile(row, share)));
        const ratio = median(
          attacked.map((row, i) => percentile(row, 0.99) / percentile(idle[i] as number[], 0.99)),
        );
        table.push([
          name,
          read,
          of(idle, 0.5).toFixed(2),
          of(idle, 0.99).toFixed(2),
          of(attacked, 0.5).toFixed(2),
          of(attacked, 0.99).toFixed(2),
          ratio.toFixed(2),
        ]);
        if (name === ELSEWHERE) continue;
        goals.push({
          bench: 'bench:neighbour',
          what: `${name}: 99th percentile of a neighbour's ${read}, attacked over idle, at most`,
          ratio,
          goal: 2,
          kind: 'most',
        });
      }
      notes.push(
        `${name}: the attacker was answered ${Object.entries(statuses)
          .map(([status, n]) => `${status} ${figure(n)} times`)
          .join(', ')}.`,
      );
    }
    return {
      bench: 'bench:neighbour',
      table,
      goals,
      notes: [
        `${figure(entries)} entries; ${CONNECTIONS} connections of one key on the plan free, up to ${figure(PER_SECOND)} requests a second; the neighbour reads an entry and a list every 25 ms.`,
        ...notes,
      ],
    };
  } finally {
    await Promise.all([service.stop(), attacker.stop(), elsewhere.stop(), neighbour.stop()]);
    await server.close();
  }
};
