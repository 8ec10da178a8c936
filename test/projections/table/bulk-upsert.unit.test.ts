import { describe, expect, it } from 'vitest';
import { addSums, defineSums, sums, upsert, upserts, writeAll } from '../../../src/projections/table/bulk.ts';
import { bytes, defineTable, int4, int8, name, nullable } from '../../../src/projections/table/table.ts';

const table = defineSums('totals', { platform: name(), n: int8() }, { key: ['platform'], sums: ['n'] });

it('counters move in the order of their keys, so that two writers never deadlock', async () => {
  const sent: unknown[] = [];
  const db = {
    query: async (query: { values?: unknown } | string) => {
      if (typeof query !== 'string') sent.push(query.values);
      return { rows: [] };
    },
  };
  const rows = ['x', 'bluesky', 'telegram'].map((platform, n) => ({ platform, n: n + 1 }));
  await addSums(db as never, 'schema', table, rows);
  await addSums(db as never, 'schema', table, rows.toReversed());
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]).toEqual(['{"bluesky","telegram","x"}', '{2,3,1}']);
});

it('only counters at zero are deleted, in a separate statement', async () => {
  const sent: { text: string; values: unknown }[] = [];
  const db = {
    query: async (query: { text: string; values: unknown }) => {
      sent.push(query);
      return {
        // The server returns what has reached zero.
        rows: sent.length === 1 ? [{ platform: 'x', n: '0' }] : [],
      };
    },
  };
  await addSums(db as never, 'schema', table, [
    { platform: 'x', n: -3 },
    { platform: 'telegram', n: -1 },
  ]);
  expect(sent).toHaveLength(2);
  expect(sent[0]?.text).toContain('select * from added where n = 0');
  expect(sent[1]?.text).toContain('delete from schema.totals where n = 0');
  expect(sent[1]?.values).toEqual(['{"x"}']);
});

it('bytes are bound in Postgres’s form, beside nulls', async () => {
  const sent: unknown[] = [];
  const db = {
    query: async (query: { values: unknown }) => {
      sent.push(query.values);
      return { rows: [] };
    },
  };
  const packed = defineTable('packed', { key: name(), bytes: nullable(bytes()) }, { key: ['key'] });
  await upsert(db as never, 'schema', packed, [
    { key: 'a', bytes: Buffer.from([0, 255, 92]) },
    { key: 'b', bytes: null },
  ]);
  expect(sent).toEqual([['{"a","b"}', '{"\\\\x00ff5c",NULL}']]);
});

describe('writes to several tables', () => {
  const named = defineTable('people', { name: name(), age: int4() }, { key: ['name'] });
  const recording = (spent: readonly unknown[] = []) => {
    const sent: { readonly text: string; readonly values: unknown }[] = [];
    const query = async (one: { readonly text: string; readonly values: unknown }) => {
      sent.push(one);
      return { rows: sent.length === 1 ? spent : [] };
    };
    return { sent, db: { query } as never };
  };

  it('are one statement, each with its own parameters, without empty tables', async () => {
    const { sent, db } = recording();
    await writeAll(db, 'schema', [
      upserts(named, [{ name: 'ann', age: 7 }]),
      upserts(named, []),
      sums(table, [
        { platform: 'x', n: 2 },
        { platform: 'bluesky', n: 0 },
      ]),
    ]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.values).toEqual(['{"ann"}', '{7}', '{"x"}', '{2}']);
    expect(sent[0]?.text).toContain('$3::text[], $4::bigint[]');
  });

  it('are followed by the deletion of counters at zero', async () => {
    const { sent, db } = recording([{ at: 1, row: { platform: 'x', n: 0 } }]);
    await writeAll(db, 'schema', [
      upserts(named, [{ name: 'ann', age: 7 }]),
      sums(table, [{ platform: 'x', n: -2 }]),
    ]);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.text).toContain('delete from schema.totals where n = 0');
    expect(sent[1]?.values).toEqual(['{"x"}']);
  });

  it('are one statement per table for many rows', async () => {
    const { sent, db } = recording();
    const many = Array.from({ length: 501 }, (_, n) => ({ name: `n${n}`, age: n }));
    await writeAll(db, 'schema', [upserts(named, many), sums(table, [{ platform: 'x', n: 1 }])]);
    expect(sent.map(({ text }) => /into schema\.(\w+)/.exec(text)?.[1])).toEqual(['people', 'totals']);
  });
});
