import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { createSeenOffers } from '../../../src/operations/marketplace/import-listings.ts';
import {
  csvRecords,
  type FileRecord,
  linesOf,
  ndjsonRecords,
} from '../../../src/operations/marketplace/records.ts';

/** A file in chunks of a size. */
async function* chunksOf(content: string | Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const all = async <T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
};

const valuesOf = (records: readonly FileRecord[]): readonly unknown[] =>
  records.map((record) => (record.reason === undefined ? record.value : `${record.line}: ${record.reason}`));

describe('lines of a file', () => {
  it('are the same in chunks of any size, with either line end, after a byte order mark', async () => {
    const text = '\ufeffone\r\ntwo 🚀\n\nfour';
    for (const size of [4, 5, 7, 1_000]) {
      const lines = await all(linesOf(chunksOf(text, size)));
      expect(lines.map((line) => line.text)).toEqual(['one', 'two 🚀', '', 'four']);
      expect(lines.map((line) => line.number)).toEqual([1, 2, 3, 4]);
    }
  });
  it('are rejected if they are too long or not UTF-8, and the next ones are read', async () => {
    const content = Buffer.concat([
      Buffer.from(`${'x'.repeat(100)}\nok\n`),
      Buffer.from([0xc3, 0x28, 0x0a]),
      Buffer.from(`fine\n${'y'.repeat(99)}`),
    ]);
    for (const size of [3, 64, 1_000]) {
      const lines = await all(linesOf(chunksOf(content, size), 50));
      expect(lines.map((line) => line.reason ?? line.text)).toEqual([
        'longer than 50 bytes',
        'ok',
        'not UTF-8',
        'fine',
        'longer than 50 bytes',
      ]);
    }
  });
});

describe('NDJSON', () => {
  it('keeps the digits of numbers that JavaScript would round', async () => {
    const text = '{"price_usd":1.00000000000000001,"id":12345678901234567890}\n{"price_usd":5.5}\n';
    expect(valuesOf(await all(ndjsonRecords(chunksOf(text, 16))))).toEqual([
      { price_usd: '1.00000000000000001', id: '12345678901234567890' },
      { price_usd: 5.5 },
    ]);
  });
  it('rejects lines that are not JSON, however deep', async () => {
    const text = `{"id":1}\n{broken\n<html>\n${'['.repeat(100_000)}\n{"id":2}\n`;
    expect(valuesOf(await all(ndjsonRecords(chunksOf(text, 1_000))))).toEqual([
      { id: 1 },
      '2: not JSON',
      '3: not JSON',
      '4: not JSON',
      { id: 2 },
    ]);
  });
});

describe('CSV', () => {
  it('has quoted cells with commas, quotes and line ends', async () => {
    const text = 'ID, title\r\n1,"a, ""b""\nc"\r\n2,plain\n';
    for (const size of [5, 1_000]) {
      expect(valuesOf(await all(csvRecords(chunksOf(text, size))))).toEqual([
        { id: '1', title: 'a, "b"\nc' },
        { id: '2', title: 'plain' },
      ]);
    }
  });
  it('has carriage returns within cells', async () => {
    expect(valuesOf(await all(csvRecords(chunksOf('id,title\n1,a\rb\n2,plain\n', 1_000))))).toEqual([
      { id: '1', title: 'a\rb' },
      { id: '2', title: 'plain' },
    ]);
  });
  it('may end lines with several carriage returns', async () => {
    expect(valuesOf(await all(csvRecords(chunksOf('id,title\r\r\n1,"a"\r\r\n2,b\r\r\n', 1_000))))).toEqual([
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
  });
  it('is refused if its lines end with carriage returns alone', async () => {
    await expect(all(csvRecords(chunksOf('id,title\r1,a\r2,b\r', 100)))).rejects.toThrow('CR alone');
  });
  it('loses only the line of a stray quote, and records with other numbers of cells', async () => {
    const text = 'id,title\n1,5" screen\n2,good\n3,"good, too"\n4\n5,a,b\n6,last "quote\n';
    expect(valuesOf(await all(csvRecords(chunksOf(text, 1_000))))).toEqual([
      '2: not CSV: quotes do not match',
      { id: '2', title: 'good' },
      { id: '3', title: 'good, too' },
      '5: 1 fields, but the header has 2',
      '6: 3 fields, but the header has 2',
      '7: not CSV: quotes do not match',
    ]);
  });
  it('is read to its end despite a quote that never ends', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `${i},row ${i}`);
    const records = await all(csvRecords(chunksOf(`id,title\nx,"open\n${rows.join('\n')}\n`, 4_096)));
    expect(records.filter(({ reason }) => reason !== undefined)).toHaveLength(1);
    expect(records).toHaveLength(5_001);
  });
  it('is refused without a column for IDs', async () => {
    await expect(all(csvRecords(chunksOf('name,title\n1,2\n', 100)))).rejects.toThrow(OperatorError);
  });
});

describe('offers seen in a run', () => {
  it('are new at their first time and at any later one', () => {
    const seen = createSeenOffers();
    for (let i = 0; i < 50_000; i++) expect(seen.isNew(`id${i}`, 5)).toBe(true);
    for (let i = 0; i < 50_000; i += 7) {
      expect(seen.isNew(`id${i}`, 5)).toBe(false);
      expect(seen.isNew(`id${i}`, 4)).toBe(false);
      expect(seen.isNew(`id${i}`, 6)).toBe(true);
      expect(seen.has(`id${i}`)).toBe(true);
    }
    expect(seen.has('other')).toBe(false);
  });
});
