import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RECORD_FIELDS, readRecord } from '../../../src/write/marketplace/read-record.ts';

const page = readFileSync(new URL('../../../docs/crawling.md', import.meta.url), 'utf8');

describe('the page on marketplace data', () => {
  it('has every column of a record, and no other', () => {
    const table = /\| column \|[\s\S]*?\n\n/.exec(page)?.[0] ?? '';
    const cells = table
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[1] ?? '');
    const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual([...RECORD_FIELDS].toSorted());
  });

  it('has examples that can be imported', () => {
    const examples = [...page.matchAll(/^\{"id".*\}$/gm)].map(([line]) => JSON.parse(line));
    expect(examples).toHaveLength(2);
    for (const record of examples) {
      const read = readRecord(record, {
        source: 'market.example',
        readAt: '2026-11-22T00:00:00.000Z',
        isDated: true,
      });
      expect(read.reason).toBeUndefined();
    }
  });
});
