import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { renderFields, renderTable, shortened, terminalWidth } from '../../../src/cli/render/table.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../../support/hidden-characters.ts';

const ROWS = [
  ['NASA', 96_000_000, 'Making the seemingly impossible, possible, since 1958'],
  ['宇宙航空研究開発機構', 7, 'ロケットと衛星と宇宙飛行士と国際宇宙ステーションのこと'],
  ['👩‍🚀 Samantha', 1_250, 'An astronaut'],
];
const HEAD = ['name', 'followers', 'about them'];

describe('a table', () => {
  it('has one rule, no borders, and right-aligned numbers', () => {
    expect(
      renderTable(
        ['name', 'n', 'share'],
        [
          ['a', 1, '5 %'],
          ['bb', 1_000n, '12.5 %'],
        ],
        { width: 80 },
      ),
    ).toBe(
      ['name     n   share', '────  ────  ──────', 'a        1     5 %', 'bb    1000  12.5 %'].join('\n'),
    );
  });

  it('treats texts that only start like numbers as texts', () => {
    const [, , row] = renderTable(['at', 'to'], [['2026-11-22', '10.0.0.0/8']], { width: 80 }).split('\n');
    expect(row).toBe('2026-11-22  10.0.0.0/8');
  });

  it('shortens the longest column to fit, and pads by displayed width', () => {
    const lines = renderTable(HEAD, ROWS, { width: 60 }).split('\n');
    expect(lines.map((line) => stringWidth(line)).every((width) => width <= 60)).toBe(true);
    expect(lines.slice(2).map((line) => line.includes('…'))).toEqual([true, true, false]);
    const ends = lines.slice(2).map((line) => stringWidth(/^.*?\d(?= {2})/.exec(line)?.[0] ?? ''));
    expect(new Set(ends).size).toBe(1);
  });

  it('leaves everything as it is where there is room', () => {
    for (const [name, , about] of ROWS) {
      const table = renderTable(HEAD, ROWS, { width: 120 });
      expect(table).toContain(String(name));
      expect(table).toContain(String(about));
    }
  });

  it('breaks headings into lines before it shortens a cell', () => {
    const table = renderTable(['what it is called', 'n'], [['abcdefgh', 1]], { width: 14 });
    expect(table.split('\n')).toEqual(['what it is', 'called       n', '───────────  ─', 'abcdefgh     1']);
  });

  it('never shortens numbers or columns to copy from', () => {
    const rows = [['key_0123456789ab', 123_456_789, 'x'.repeat(100)]];
    const table = renderTable([{ head: 'key', keep: true }, 'units', 'label'], rows, { width: 50 });
    expect(table).toContain('key_0123456789ab  123456789  xxxx');
    expect(table).toContain('…');
  });

  it('drops optional columns, last first, before it gives up', () => {
    const columns = [
      { head: 'key', keep: true },
      { head: 'on', optional: true },
      { head: 'at', keep: true, optional: true },
      'n',
    ];
    const rows = [['key_0123456789ab', 'a long text', '2026-11-22', 123]];
    const heads = (width: number) => renderTable(columns, rows, { width }).split('\n')[0]?.split(/ +/);
    expect(heads(80)).toEqual(['key', 'on', 'at', 'n']);
    expect(heads(35)).toEqual(['key', 'on', 'n']);
    expect(heads(25)).toEqual(['key', 'n']);
  });

  it('names the columns for which there was no room, and has all of them where there is', () => {
    const columns = [
      { head: 'key', keep: true },
      { head: 'on', optional: true },
      'label',
      { head: 'at', keep: true, optional: true },
      'n',
    ];
    const rows = [['key_0123456789ab', 'a long text', 'another long text', '2026-11-22', 123]];
    const lines = (width: number) => renderTable(columns, rows, { width }).split('\n');
    expect(lines(80)).toHaveLength(3);
    expect(lines(52).slice(-2)).toEqual(['', 'Not shown at this width: at']);
    expect(lines(38).slice(-2)).toEqual(['', 'Not shown at this width: on, at']);
    const least = lines(22);
    expect(least[0]?.split(/ +/)).toEqual(['key', 'n']);
    expect(least.slice(3).join(' ')).toBe(' Not shown at this width: on, label, at');
    expect(lines(Number.POSITIVE_INFINITY).join('\n')).not.toContain('…');
  });

  it('becomes a list of fields where what must be whole is too wide', () => {
    const rows = [['key_0123456789ab', 'a label', 123_456_789]];
    const table = renderTable([{ head: 'key', keep: true }, 'label', 'units'], rows, { width: 20 });
    expect(table.split('\n')).toEqual(['key    key_0123456789ab', 'label  a label', 'units  123456789']);
  });

  it('removes line breaks and terminal codes from strangers’ names', () => {
    const table = renderTable(['name'], [['a\u001b[2Jb\nc\u0085d\u2028e']], { width: 80 });
    expect(table.split('\n')).toHaveLength(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: just those must not be there
    expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/);
  });

  it('has no hidden characters in a cell, and a pair in none that is cut', () => {
    const cells = [WITH_ALL_HIDDEN, `\u2067${'ש'.repeat(60)}\u2069`];
    const table = renderTable(
      ['name'],
      cells.map((cell) => [cell]),
      { width: 40 },
    );
    expect(hiddenIn(table)).toEqual([]);
    expect(renderFields(WITH_ALL_HIDDEN, [['name', WITH_ALL_HIDDEN]], 40)).not.toMatch(/[\u202a-\u202e]/);
    expect(renderTable(['name'], [['\u2067שלום\u2069']], { width: 40 })).toContain('\u2067שלום\u2069');
  });

  it('has its total under a separate rule', () => {
    const lines = renderTable(['day', 'n'], [['a', 1]], { width: 80, total: ['total', 1] }).split('\n');
    expect(lines).toEqual(['day    n', '─────  ─', 'a      1', '─────  ─', 'total  1']);
  });

  it('has a heading even without rows', () => {
    expect(renderTable(['a', 'b'], [], { width: 80 })).toBe('a  b\n─  ─');
  });

  it('is never wider than the terminal, except for columns that must not be shortened', () => {
    const cell = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.nat());
    const table = fc
      .integer({ min: 1, max: 8 })
      .chain((n) =>
        fc.tuple(
          fc.array(fc.string({ maxLength: 20 }), { minLength: n, maxLength: n }),
          fc.array(fc.array(cell, { minLength: n, maxLength: n }), { maxLength: 5 }),
        ),
      );
    fc.assert(
      fc.property(table, fc.integer({ min: 80, max: 200 }), ([heads, rows], width) => {
        const texts = rows.map((row) => row.map((each) => (typeof each === 'number' ? each : `${each}.`)));
        for (const line of renderTable(heads, texts, { width }).split('\n')) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('a shortened text', () => {
  it('ends between characters as a reader sees them', () => {
    expect(shortened('👩‍🚀👩‍🚀👩‍🚀', 6)).toBe('👩‍🚀👩‍🚀👩‍🚀');
    expect(shortened('👩‍🚀👩‍🚀👩‍🚀', 5)).toBe('👩‍🚀👩‍🚀…');
    expect(shortened('宇宙開発', 7)).toBe('宇宙開…');
    expect(shortened('abc', 3)).toBe('abc');
  });
});

describe('fields', () => {
  it('wrap long values', () => {
    expect(renderFields('t', [['a', 'one two three']], 13).split('\n')).toEqual([
      't',
      '  a  one two',
      '     three',
    ]);
  });

  it('have a title and a line each, within the width', () => {
    const text = renderFields(
      'acme: Acme',
      [
        ['plan', 'growth'],
        ['keys in use', 3],
        ['note', 'x'.repeat(90)],
      ],
      40,
    );
    expect(text.split('\n')).toEqual([
      'acme: Acme',
      '  plan         growth',
      '  keys in use  3',
      `  note         ${'x'.repeat(24)}…`,
    ]);
  });
});

describe('the width of the terminal', () => {
  it('is the terminal’s, and has no end without one', () => {
    const endless = Number.POSITIVE_INFINITY;
    expect(terminalWidth({ isTTY: true, columns: 120 })).toBe(120);
    expect(terminalWidth({ columns: 200 }, undefined)).toBe(endless);
    expect(terminalWidth({ isTTY: true }, '100')).toBe(80);
    expect(terminalWidth({}, '100')).toBe(100);
    for (const bad of ['0', '-1', '1e3', 'wide', '']) expect(terminalWidth({}, bad)).toBe(endless);
  });
});
