import { expect, it } from 'vitest';
import { streamFormatOf } from '../../../src/api/pipeline/stream-formats.ts';

const streaming = { columns: ['a', 'b'], rowsPerUnit: 1 };
const csv = streamFormatOf({ method: 'GET', headers: { accept: 'text/csv' } }, { streaming });
const row = (a: unknown, b: unknown = null) => csv?.rows(streaming, [{ a, b }]);

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20x'])(
  'a cell of CSV that begins as %j is text to a spreadsheet',
  (text) => expect(row(text)).toBe(`'${text},\r\n`),
);

it.each(['\r=1', '\n=1'])('a cell that begins with the end of a line is made harmless too: %j', (text) =>
  expect(row(text)).toBe(`"'${text}",\r\n`),
);

it('other cells are as they are, and quoted where they must be', () => {
  expect(row('a=b', -5)).toBe('a=b,-5\r\n');
  expect(row('a,"b"', 0)).toBe('"a,""b""",0\r\n');
  expect(row('two\nlines', false)).toBe('"two\nlines",false\r\n');
});
