import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText, spreadsheetCsv } from '../../src/kernel/csv.ts';
import { parseCsv } from '../support/csv.ts';

const field = (text: unknown): string => csvText([[text, 'x']]).slice(0, -',x\r\n'.length);

describe('CSV', () => {
  it('quotes a field only where necessary, doubling its quotes', () => {
    expect(field('plain text; really')).toBe('plain text; really');
    expect(field('')).toBe('');
    expect(field('a,b')).toBe('"a,b"');
    expect(field('she said "no"')).toBe('"she said ""no"""');
    expect(field('"')).toBe('""""');
    expect(field('a\nb')).toBe('"a\nb"');
    expect(field('a\rb')).toBe('"a\rb"');
  });

  it('shows null as an empty field, and numbers and booleans as they are', () => {
    expect(csvText([[null, 0, -5, 1.5, true, false]])).toBe(',0,-5,1.5,true,false\r\n');
  });

  it('is read back as written, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ', '→', '=', '-') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (records) => {
        expect(parseCsv(csvText(records))).toEqual(records);
      }),
      { seed: 7 },
    );
  });

  it('marks text that a spreadsheet would execute, but no number', () => {
    expect(spreadsheetCsv([['=1+1', -5, 'a=b', '@x']])).toBe("'=1+1,-5,a=b,'@x\r\n");
  });
});
