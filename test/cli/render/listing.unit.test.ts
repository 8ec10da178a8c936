import type { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadAllGroups } from '../../../src/cli/groups.ts';
import { listText } from '../../../src/cli/render/listing.ts';
import { renderTable } from '../../../src/cli/render/table.ts';
import { parseCsv } from '../../support/csv.ts';

/** Names of commands that print a list of things of one kind. */
const LISTS = new Set([
  'list',
  'runs',
  'findings',
  'members',
  'history',
  'schedule',
  'tables',
  'table',
  'lag',
]);

/** Commands that print a list too, whatever their names say. */
const OTHERS = ['config', 'events archive', 'events read', 'events tail', 'plans show', 'usage show'];

const all = (command: Command, parent = ''): readonly (readonly [string, Command])[] => {
  const name = `${parent} ${command.name()}`.trim();
  return [[name, command], ...command.commands.flatMap((each) => all(each, name))];
};

it('every command that lists prints a table, a wide one, JSON and CSV', async () => {
  const commands = (await loadAllGroups())
    .flatMap((group) => all(group))
    .filter(([name, command]) => LISTS.has(command.name()) || OTHERS.includes(name));
  expect(commands.length).toBeGreaterThan(15 + OTHERS.length);
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(OTHERS));
  for (const [names, command] of commands) {
    const output = command.options.find(({ long }) => long === '--output');
    expect([names, output?.argChoices]).toEqual([names, ['table', 'wide', 'json', 'csv']]);
    expect(command.options.some(({ long }) => long === '--json')).toBe(true);
  }
});

const ROWS = [
  { name: 'a', note: 'x'.repeat(200), n: 1_000, at: null, flags: ['one', 'two'], is: true },
  { name: '=b', note: 'say "hi",\nthen', n: 0, at: '2026-11-22', flags: [], is: false },
];
const people = {
  table: (width: number) =>
    renderTable(
      ['name', 'note', 'n'],
      ROWS.map(({ name, note, n }) => [name, note, n]),
      { width },
    ),
  empty: 'Nothing.',
};

describe('a list', () => {
  it('is whole in each form but the table of a terminal', () => {
    expect(listText({ output: 'wide' }, ROWS, people)).toContain('x'.repeat(200));
    expect(people.table(80)).toContain('…');
    for (const output of ['table', 'wide', 'json', 'csv'] as const)
      expect([output, listText({ output }, ROWS, people)]).toEqual([
        output,
        expect.not.stringContaining('…'),
      ]);
  });

  it('is the same as JSON by either option, in the form that the command has', () => {
    expect(JSON.parse(listText({ json: true }, ROWS, people))).toEqual(ROWS);
    expect(listText({ output: 'json' }, ROWS, people)).toBe(listText({ json: true }, ROWS, people));
    const lines = listText({ json: true }, ROWS, people, 'lines').split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS);
    expect(listText({ json: true }, ROWS, people, 'line').split('\n')).toHaveLength(1);
  });

  it('has in CSV what it has in JSON, whatever the values are', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const row = fc.record(
      { name: fc.string({ minLength: 1 }), one: value, other: value },
      { requiredKeys: ['name'] },
    );
    const textOf = (cell: unknown) =>
      cell === null || cell === undefined
        ? ''
        : typeof cell === 'object'
          ? JSON.stringify(cell)
          : String(cell);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const [head = [], ...records] = parseCsv(`${listText({ output: 'csv' }, rows, people)}\r\n`);
        expect(new Set(head)).toEqual(new Set(rows.flatMap((each) => Object.keys(each))));
        expect(records).toEqual(
          rows.map((each) => head.map((name) => textOf((each as Record<string, unknown>)[name]))),
        );
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('says that it is empty to people only', () => {
    expect(listText({}, [], people)).toBe('Nothing.');
    expect(listText({ output: 'csv' }, [], people)).toBe('');
    expect(listText({ json: true }, [], people)).toBe('[]');
    expect(listText({ json: true }, [], people, 'lines')).toBe('');
  });
});
