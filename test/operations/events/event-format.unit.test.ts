import { describe, expect, it } from 'vitest';
import { csvText } from '../../../src/kernel/csv.ts';
import { COLUMNS, csvRecordOf, jsonOf, redacted } from '../../../src/operations/events/selection.ts';
import { parseCsv } from '../../support/csv.ts';
import { decodeEvent } from '../../support/memory-log.ts';

describe('an exported row', () => {
  it('has its columns in order, data and metadata as JSON text', () => {
    const event = decodeEvent(9_007_199_254_740_993n, {
      stream: 'account-x:a,"b"',
      data: { text: 'say "hi",\nor\r\nnot', n: null },
      metadata: { version: 2 },
    });
    expect(parseCsv(csvText([COLUMNS, csvRecordOf(event)]))).toEqual([
      [...COLUMNS],
      [
        '9007199254740993',
        'account-x:a,"b"',
        '9007199254740993',
        event.id,
        'AccountUnchanged',
        '2026-11-21T08:00:00.000Z',
        '{"text":"say \\"hi\\",\\nor\\r\\nnot","n":null}',
        '{"version":2}',
      ],
    ]);
  });

  it('is one line of JSON, with positions as text', () => {
    const line = jsonOf(decodeEvent(9_007_199_254_740_993n, { data: { text: 'a\nb' } }));
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ position: '9007199254740993', data: { text: 'a\nb' } });
    expect(Object.keys(JSON.parse(line))).toEqual([...COLUMNS]);
  });

  it('lacks hashes of keys, and is otherwise unchanged', () => {
    const issued = decodeEvent(1, { type: 'KeyIssued', data: { key_id: 'key_1', key_hash: 'ab12' } });
    expect(redacted(issued)).toEqual({ ...issued, data: { key_id: 'key_1', key_hash: '[redacted]' } });
    const rotated = decodeEvent(1, { type: 'KeyRotated', data: { key_id: 'k', successor_hash: 'cd34' } });
    expect(redacted(rotated).data).toEqual({ key_id: 'k', successor_hash: '[redacted]' });
    const other = decodeEvent(2);
    expect(redacted(other)).toBe(other);
  });
});
