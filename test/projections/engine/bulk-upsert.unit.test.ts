import { expect, it } from 'vitest';
import { addCounts, type Table } from '../../../src/projections/engine/bulk-upsert.ts';

interface Row {
  readonly platform: string;
  readonly n: number;
}

const table: Table<Row> = { name: 'totals', columns: { platform: 'text', n: 'bigint' }, key: ['platform'] };

it('counters are moved in the order of their keys, whatever was counted first: two writers never wait in a circle', async () => {
  const sent: unknown[] = [];
  const db = {
    query: async (query: { values?: unknown } | string) => {
      if (typeof query !== 'string') sent.push(query.values);
      return { rows: [] };
    },
  };
  const rows = ['x', 'bluesky', 'telegram'].map((platform, n) => ({ platform, n: n + 1 }));
  await addCounts(db as never, 'schema', table, rows);
  await addCounts(db as never, 'schema', table, rows.toReversed());
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]).toEqual(['{"bluesky","telegram","x"}', '{2,3,1}']);
});
