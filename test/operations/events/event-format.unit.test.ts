import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLUMNS,
  CSV_HEAD,
  csvField,
  csvOf,
  jsonOf,
  redacted,
} from '../../../src/operations/events/event-format.ts';
import { parseCsv } from '../../support/csv.ts';
import { decodeEvent } from '../../support/memory-log.ts';

describe('a field of CSV', () => {
  it('is quoted just where it has to be, with its quotes doubled', () => {
    expect(csvField('plain text; really')).toBe('plain text; really');
    expect(csvField('')).toBe('');
    expect(csvField('a,b')).toBe('"a,b"');
    expect(csvField('she said "no"')).toBe('"she said ""no"""');
    expect(csvField('"')).toBe('""""');
    expect(csvField('a\nb')).toBe('"a\nb"');
    expect(csvField('a\rb')).toBe('"a\rb"');
  });

  it('is read back as it was, whatever it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ', '→') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (records) => {
        const written = records.map((record) => `${record.map(csvField).join(',')}\r\n`).join('');
        expect(parseCsv(written)).toEqual(records);
      }),
      { seed: 7 },
    );
  });
});

describe('a row', () => {
  it('has its columns in order, data and metadata as JSON text', () => {
    const event = decodeEvent(9_007_199_254_740_993n, {
      stream: 'account-x:a,"b"',
      data: { text: 'say "hi",\nor\r\nnot', n: null },
      metadata: { version: 2 },
    });
    expect(parseCsv(`${CSV_HEAD}\r\n${csvOf(event)}\r\n`)).toEqual([
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

  it('is one line of JSON, with positions that no JSON number could hold', () => {
    const line = jsonOf(decodeEvent(9_007_199_254_740_993n, { data: { text: 'a\nb' } }));
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ position: '9007199254740993', data: { text: 'a\nb' } });
    expect(Object.keys(JSON.parse(line))).toEqual([...COLUMNS]);
  });

  it('is of an event without hashes of keys; the rest of it, and other events, are as they were', () => {
    const issued = decodeEvent(1, { type: 'KeyIssued', data: { key_id: 'key_1', key_hash: 'ab12' } });
    expect(redacted(issued)).toEqual({ ...issued, data: { key_id: 'key_1', key_hash: '[redacted]' } });
    const rotated = decodeEvent(1, { type: 'KeyRotated', data: { key_id: 'k', successor_hash: 'cd34' } });
    expect(redacted(rotated).data).toEqual({ key_id: 'k', successor_hash: '[redacted]' });
    const other = decodeEvent(2);
    expect(redacted(other)).toBe(other);
  });
});
