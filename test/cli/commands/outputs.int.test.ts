import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandGroups } from '../../../src/cli/groups.ts';
import { publishedPlans } from '../../../src/write/holders/plans.ts';
import { parseCsv } from '../../support/csv.ts';
import { catalogRead, createMeteringWorld, type MeteringWorld } from '../../support/metering.ts';

const START = '2026-09-01T00:00:00.000Z';
const LONG = 'a name of a holder that is longer than any line of a terminal '.repeat(4).trim();

let world: MeteringWorld;
let out = '';
beforeAll(async () => {
  world = await createMeteringWorld(publishedPlans('A').all);
  await world.register('acme', 'growth', START);
  await world.tell('acme', {
    type: 'WalletCredited',
    data: { at: START, amount_micro_usd: '25000000', reference: LONG },
  });
  for (const day of ['2026-09-10', '2026-09-11']) {
    world.time = `${day}T12:00:00.000Z`;
    await world.admission().admit(catalogRead('acme', { operation: 'getDirectoryEntry', keyId: 'key_1' }));
  }
  vi.stubEnv('DATABASE_URL', world.database.url);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('COLUMNS', '');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
});
afterEach(() => {
  vi.stubEnv('COLUMNS', '');
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await world.close();
});

const run = async (command: string, output: string): Promise<string> => {
  out = '';
  const args = [...command.split(' '), '--output', output];
  const program = new Command('sightline').exitOverride();
  for (const group of await commandGroups(args)) program.addCommand(group);
  await program.parseAsync(args, { from: 'user' });
  return out;
};

type Row = Readonly<Record<string, unknown>>;

const lines = (text: string): readonly Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Commands, and the rows of what they print as JSON. */
const COMMANDS: readonly (readonly [string, (text: string) => readonly Row[]])[] = [
  ['config', JSON.parse],
  ['plans show', (text) => (JSON.parse(text) as { plans: Row[] }).plans],
  ['usage show acme --period all', (text) => (JSON.parse(text) as { periods: Row[] }).periods],
  ['usage show acme --period all --by-day', (text) => (JSON.parse(text) as { usage: Row[] }).usage],
  ['events read --stream holder-acme', lines],
];

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

describe.each(COMMANDS)('%s', (command, rowsOf) => {
  it('prints as CSV the rows that it prints as JSON', async () => {
    const rows = rowsOf(await run(command, 'json'));
    expect(rows.length).toBeGreaterThan(0);
    const csv = await run(command, 'csv');
    // Each command ends its last line as its terminal does.
    const [head = [], ...records] = parseCsv(csv.replaceAll(/\r?\n$/g, '\r\n'));
    expect([...head].sort()).toEqual([...new Set(rows.flatMap((row) => Object.keys(row)))].sort());
    expect(records).toEqual(rows.map((row) => head.map((name) => cell(row[name]))));
  });

  it('is whole where nobody looks, and in its wide form', async () => {
    const piped = await run(command, 'table');
    expect(piped).not.toContain('…');
    vi.stubEnv('COLUMNS', '80');
    const wide = await run(command, 'wide');
    expect(wide).toBe(piped);
    expect(await run(command, 'table')).not.toBe(wide);
  });
});
