import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parquetWriter } from '../../../src/operations/events/export.ts';
import { intoFile } from '../../../src/operations/events/output-sink.ts';
import { typedColumns } from '../../../src/operations/events/typed-columns.ts';
import { eventExamples } from '../../support/event-examples.ts';
import { decodeEvent } from '../../support/memory-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-typed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const written = async (type: string, all: readonly unknown[]) => {
  const path = join(folder, `${type}-${all.length}.parquet`);
  await intoFile(path, async (target) => {
    const writer = parquetWriter(target, typedColumns(type));
    await writer.write(all.map((data, i) => decodeEvent(i + 1, { type, data })));
    await writer.end();
  });
  const file = await asyncBufferFromFile(path);
  const { schema } = await parquetMetadataAsync(file);
  return { schema, rows: await parquetReadObjects({ file }) };
};

/** Leaves of objects by their path; lists are leaves. */
const leavesOf = (value: unknown, path = 'data'): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}_${name}`))
    : [[path, value]];

describe.each(eventExamples())('a file of $type', ({ type, data }) => {
  it('has columns of different names, with the values of the event in their types', async () => {
    const names = typedColumns(type).map(({ element }) => element.name);
    expect(new Set(names).size).toBe(names.length);
    const { rows } = await written(type, [data]);
    const [row = {}] = rows;
    for (const [name, value] of leavesOf(data)) {
      if (!names.includes(name)) {
        // Records, whose names are not fixed, are one column of JSON; an object that is null has columns that are.
        const isWithin = names.some((each) => name.startsWith(`${each}_`));
        const own = names.filter((each) => each.startsWith(`${name}_`));
        expect([name, isWithin || (value === null && own.length > 0)]).toEqual([name, true]);
        expect(isWithin ? [] : own.filter((each) => row[each] != null)).toEqual([]);
        continue;
      }
      const found = row[name];
      if (value === null) expect([name, found ?? null]).toEqual([name, null]);
      else if (found instanceof Date) expect([name, found.toISOString()]).toEqual([name, value]);
      else if (typeof found === 'bigint') expect([name, Number(found)]).toEqual([name, value]);
      else if (typeof value === 'object') expect([name, JSON.parse(String(found))]).toEqual([name, value]);
      else expect([name, found]).toEqual([name, value]);
    }
  });
});

it('times are timestamps, and numbers are numbers', async () => {
  const { schema } = await written('AccountSighted', [{}]);
  const typeOf = (name: string) => {
    const { type, converted_type } = schema.find((each) => each.name === name) ?? {};
    return [type, converted_type];
  };
  expect(typeOf('data_observed_at')).toEqual(['INT64', 'TIMESTAMP_MILLIS']);
  expect(typeOf('data_profile_followers')).toEqual(['INT64', undefined]);
  expect(typeOf('data_profile_verified')).toEqual(['BOOLEAN', undefined]);
  expect(typeOf('data_profile_bio')).toEqual(['BYTE_ARRAY', 'UTF8']);
  const tuned = await written('EngineTuned', [{ at: '2026-11-22T08:16:26.281Z', rate_per_s: 2.5 }]);
  expect(tuned.rows).toMatchObject([{ data_at: new Date('2026-11-22T08:16:26.281Z'), data_rate_per_s: 2.5 }]);
});

it('what does not fit its column is null there, and whole in the data', async () => {
  const strange = { at: 'yesterday', rate_per_s: 'fast', more: 1 };
  const { rows } = await written('EngineTuned', [strange, null, { rate_per_s: null }]);
  expect(rows.map(({ data_at, data_rate_per_s }) => [data_at ?? null, data_rate_per_s ?? null])).toEqual(
    Array.from({ length: 3 }, () => [null, null]),
  );
  expect(rows[0]?.data).toBe(JSON.stringify(strange));
});
