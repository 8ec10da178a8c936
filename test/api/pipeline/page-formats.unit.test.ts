import { expect, it } from 'vitest';
import { pageFormatOf } from '../../../src/api/pipeline/envelope.ts';

const csv = pageFormatOf({ headers: { accept: 'text/csv' } }, { list: true, maxLimit: 1_000 });
const row = (a: unknown, b: unknown = null) => csv?.text(['a', 'b'], [{ a, b }]).replace(/^a,b\r\n/, '');

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20x'])(
  'a CSV cell that begins as %j is text to a spreadsheet',
  (text) => expect(row(text)).toBe(`'${text},\r\n`),
);

it.each(['\r=1', '\n=1'])('a CSV cell that begins with a line end is made harmless: %j', (text) =>
  expect(row(text)).toBe(`"'${text}",\r\n`),
);

it('other CSV cells are unchanged, and quoted where necessary', () => {
  expect(row('a=b', -5)).toBe('a=b,-5\r\n');
  expect(row('a,"b"', 0)).toBe('"a,""b""",0\r\n');
  expect(row('two\nlines', false)).toBe('"two\nlines",false\r\n');
});

it('nested values are JSON in their cell', () => {
  expect(row(['=1', 2], { b: null })).toBe('"[""=1"",2]","{""b"":null}"\r\n');
});

it('lists of short pages have no other format', () => {
  expect(pageFormatOf({ headers: { accept: 'text/csv' } }, { list: true, maxLimit: 40 })).toBeNull();
  expect(pageFormatOf({ headers: { accept: 'text/csv' } }, { list: false })).toBeNull();
});
