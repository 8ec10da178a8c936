import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endpoint } from '../../src/api/contract/endpoint.ts';
import { wholeNumber } from '../../src/api/contract/parse-request.ts';
import { ServiceError } from '../../src/kernel/errors.ts';

/** Endpoints for tests; each shows one feature of the frame of endpoints. */

const base = {
  group: 'tools' as const,
  scope: 'accounts:read' as const,
  summary: 'Of the tests',
  description: 'Of the tests.',
  params: z.strictObject({}),
  errors: [],
};

/** Items requested by the batches of this process. */
export const askedItems: string[] = [];

/** A batch of live calls: `ok` has a result, `failed` has none, `broken` fails the request, `slow` takes a while. */
const items = endpoint({
  ...base,
  operation: 'testItems',
  errors: ['platform_error'],
  method: 'POST',
  path: '/test/items',
  meter: 'live',
  upstreamReads: 1,
  list: false,
  query: z.strictObject({}),
  body: z.strictObject({
    items: z
      .array(z.enum(['ok', 'failed', 'broken', 'slow']))
      .min(1)
      .max(50),
  }),
  items: ({ body }) => body.items.length,
  data: z.object({ items: z.array(z.object({ item: z.string(), status: z.enum(['ok', 'unknown']) })) }),
  example: { body: { items: ['ok'] }, data: { items: [{ item: 'ok', status: 'ok' }] } },
  handler: async ({ body, nowMs }) => {
    askedItems.push(...body.items);
    if (body.items.includes('slow')) await sleep(150);
    if (body.items.includes('broken')) throw new ServiceError('platform_error', 'The platform is broken.');
    const found = body.items.map((item) => ({
      item,
      status: item === 'failed' ? ('unknown' as const) : ('ok' as const),
    }));
    return {
      data: { items: found },
      source: 'live',
      readAtMs: nowMs,
      used: found.filter(({ status }) => status === 'ok').length,
    };
  },
});

/** A figure of a sample that must have eight items. */
const figure = endpoint({
  ...base,
  operation: 'testFigure',
  method: 'GET',
  path: '/test/figure',
  meter: 'catalog',
  list: false,
  query: z.strictObject({ sampled: wholeNumber(0, 100) }),
  methodVersion: '3',
  data: z.object({ figure: z.number() }),
  example: { query: { sampled: 20 }, data: { figure: 0.5 } },
  handler: async ({ query: { sampled }, nowMs }) => {
    if (sampled < 8) {
      throw new ServiceError('insufficient_data', 'Too few posts.', {
        details: [{ path: 'posts', message: `has ${sampled}, needs 8` }],
      });
    }
    return {
      data: { figure: 0.5 },
      source: 'catalog',
      readAtMs: nowMs - 60_000,
      coverage: { sampled, total: 100, capped: sampled === 100 },
      warnings: sampled < 30 ? ['small_sample'] : [],
    };
  },
});

const UPSTREAM = 'cursor-of-the-platform';

/** A list whose cursors contain a platform's cursor. */
const upstream = endpoint({
  ...base,
  operation: 'testUpstream',
  method: 'GET',
  path: '/test/upstream',
  meter: 'catalog',
  list: true,
  query: z.strictObject({}),
  data: z.array(z.object({ page: z.number() })),
  example: { data: [{ page: 1 }] },
  handler: async ({ after, nowMs }) => {
    const page = after === null ? 1 : Number(after[1]) + 1;
    return { data: [{ page }], source: 'catalog', readAtMs: nowMs, next: [UPSTREAM, page] };
  },
});

/** Rows numbered from 1, some of which a spreadsheet would execute. */
const nameOf = (n: number): string | null =>
  n % 7 === 0 ? null : n % 5 === 0 ? `=SUM(${n},"a")` : `row ${n}`;

/** A list with a number of rows, which fails after the first row if told to. */
const rows = endpoint({
  ...base,
  operation: 'testRows',
  method: 'GET',
  path: '/test/rows',
  meter: 'catalog',
  list: true,
  query: z.strictObject({
    rows: wholeNumber(0, 10_000_000),
    breaks_after: wholeNumber(0, 10_000_000).optional(),
  }),
  maxLimit: 5_000,
  data: z.array(z.object({ n: z.number(), name: z.string().nullable() })),
  example: { query: { rows: 10 }, data: [{ n: 1, name: 'row 1' }] },
  handler: async ({ query, after, limit, nowMs }) => {
    const from = after === null ? 0 : Number(after[0]);
    if (query.breaks_after !== undefined && from >= query.breaks_after)
      throw new Error('a secret of the inside');
    const to = Math.min(query.rows, from + limit);
    return {
      data: Array.from({ length: to - from }, (_, i) => ({
        n: from + i + 1,
        name: nameOf(from + i + 1),
      })),
      source: 'catalog',
      readAtMs: nowMs - 5_000,
      next: to < query.rows ? [to] : null,
    };
  },
});

export const frameEndpoints = [items, figure, upstream, rows];
