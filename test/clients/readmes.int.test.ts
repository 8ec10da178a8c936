import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { memberOf, sweep } from '../support/follows.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { offered, plainRecorder } from '../support/market.ts';
import { sighted } from '../support/program.ts';
import { PYTHON_BIN, runPython } from '../support/python-client.ts';
import { packTypescriptClient } from '../support/typescript-client.ts';

const LANGUAGES = [
  { language: 'typescript', fence: 'ts', file: 'program.mts' },
  { language: 'python', fence: 'python', file: 'program.py' },
] as const;

interface Program {
  readonly title: string;
  readonly source: string;
}

const programsOf = async ({ language, fence }: (typeof LANGUAGES)[number]): Promise<readonly Program[]> => {
  const text = await readFile(new URL(`../../clients/${language}/README.md`, import.meta.url), 'utf8');
  const sections = text.split(/^##+ /m).slice(1);
  return sections.flatMap((section) =>
    [...section.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'))].map(([, source = '']) => ({
      title: section.slice(0, section.indexOf('\n')),
      source,
    })),
  );
};

const [typescript = [], python = []] = await Promise.all(LANGUAGES.map(programsOf));

describe('the READMEs of the clients', () => {
  it('have the same ten programs, of at most 15 lines each', () => {
    const titlesOf = (programs: readonly Program[]) => programs.slice(-10).map(({ title }) => title);
    expect(titlesOf(typescript)).toEqual(titlesOf(python));
    expect(new Set(titlesOf(typescript)).size).toBe(10);
    for (const { title, source } of [...typescript, ...python].filter(
      ({ title }) => title !== 'A first call',
    ))
      expect(source.trimEnd().split('\n').length, title).toBeLessThanOrEqual(15);
  });
});

describe('the programs of the READMEs', { tags: 'long' }, () => {
  const READ_AT = new Date(Date.now() - 2 * 86_400_000).toISOString();
  let world: LiveProgram;
  let folder: string;
  let key: string;
  /** An account that its platform shows; the READMEs call it nasa. */
  let nasa: string;

  beforeAll(async () => {
    world = await createLiveProgram();
    const account = world.account('x', isOpen);
    nasa = account.handle;
    const created = { created_at: '2019-05-04T10:00:00.000Z' };
    await world.append('x', nasa, sighted(nasa, READ_AT, { id: account.id, followers: 4_000, ...created }));
    await world.append('x', 'grace', sighted('grace', READ_AT, { id: '102', followers: 90, ...created }));
    await sweep(world.log, [[memberOf(1), memberOf(2)]], { handle: nasa, owner: account.id, hour: 30 });
    await plainRecorder(world.log).record([
      offered('cheap', 1, { price: 400_000_000 }),
      offered('dear', 1, { price: 600_000_000 }),
    ]);
    key = await world.issueKey(SCOPES);
    await world.project();
    await world.app.listen({ port: 0, host: '127.0.0.1' });
    folder = await mkdtemp(join(tmpdir(), 'sightline-readmes-'));
    const files = await packTypescriptClient(folder);
    expect(files).toEqual([
      'README.md',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/index.js.map',
      'dist/operations.d.ts',
      'dist/operations.js',
      'dist/operations.js.map',
      'package.json',
    ]);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program in a folder of its own. @returns what it printed, and the files that it left. */
  const run = async ({ file }: (typeof LANGUAGES)[number], { source }: Program, at: string) => {
    await mkdir(at, { recursive: true });
    await writeFile(join(at, 'handles.txt'), `${nasa}\nzz_nobody_zz\ngrace\n`);
    await writeFile(join(at, 'urls.txt'), `https://x.com/${nasa}\nhttps://x.com/zz_nobody_zz\n`);
    await writeFile(join(at, file), source.replaceAll(/(?<=['"])nasa(?=['"])/g, nasa));
    const before = new Set(await readdir(at));
    const { port } = world.app.server.address() as AddressInfo;
    const env = { SIGHTLINE_KEY: key, SIGHTLINE_URL: `http://127.0.0.1:${port}` };
    const printed = file.endsWith('.py')
      ? await runPython('python', [file], { cwd: at, env })
      : (await promisify(execFile)(process.execPath, [file], { cwd: at, env })).stdout;
    const left = (await readdir(at)).filter((name) => !before.has(name));
    const files = await Promise.all(
      left.map(async (name) => [name, await readFile(join(at, name), 'utf8')] as const),
    );
    // The words of the languages for the same values.
    const words = { None: 'null', True: 'true', False: 'false' };
    const said = printed.replaceAll(/\b(?:None|True|False)\b/g, (word) => words[word as keyof typeof words]);
    return { printed: said, files: Object.fromEntries(files) };
  };

  type Check = (found: Awaited<ReturnType<typeof run>>) => void;

  const expected: Readonly<Record<string, Check>> = {
    'A first call': ({ printed }) => expect(printed).toMatch(/^true \d+\n$/),
    'Check a file of handles': ({ printed }) =>
      expect(printed).toBe(`${nasa} true active\nzz_nobody_zz null unknown\ngrace true active\n`),
    'Mirror the directory': ({ files }) => {
      const rows = (files['directory.ndjson'] ?? '').trim().split('\n');
      expect(rows.map((row) => JSON.parse(row).handle).toSorted()).toEqual([nasa, 'grace'].toSorted());
    },
    'Follow changes': ({ printed, files }) => {
      expect(printed).toContain(`discovered ${nasa}\n`);
      expect(printed).toContain('discovered grace\n');
      expect(files['cursor.txt']).not.toBe('');
    },
    'Read platforms now, within a budget': ({ printed }) =>
      expect(printed).toBe(`${nasa} active\nzz_nobody_zz absent\n10 units\n`),
    'Export followers as CSV': ({ files }) =>
      expect(files['followers.csv']).toMatch(/^follower,since\nfan\d,\S+Z\nfan\d,\S+Z\n$/),
    'Run a tool on a hundred accounts': ({ printed }) =>
      expect(printed).toContain('102 2019-05-04T10:00:00.000Z\n'),
    'Look up a person': ({ printed }) => expect(printed).toMatch(new RegExp(`^x ${nasa} \\d+\\n$`)),
    'Watch an account, and read it again when it is a day old': ({ printed }) =>
      expect(printed).toMatch(/^(?:true|false) active \d+\n$/),
    'Find offers under a price': ({ printed }) =>
      expect(printed).toBe('cheap 400.00 https://market.example/listing/cheap\n'),
    'Resolve addresses of profiles': ({ printed }) =>
      expect(printed).toBe(`x ${nasa} active\nx zz_nobody_zz unknown\n`),
  };

  it('do in TypeScript what they say', async () => {
    for (const [i, program] of typescript.entries()) {
      const found = await run(LANGUAGES[0], program, join(folder, `typescript-${i}`));
      expect(Object.keys(expected)).toContain(program.title);
      (expected[program.title] as Check)(found);
    }
  });

  it('are right by the types of the package that is packed', async () => {
    for (const [i, { source }] of typescript.entries()) await writeFile(join(folder, `${i}.mts`), source);
    const tsconfig = {
      compilerOptions: {
        module: 'nodenext',
        lib: ['esnext'],
        types: ['node'],
        typeRoots: [join(process.cwd(), 'node_modules/@types')],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
      },
      include: ['*.mts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const { stdout } = await promisify(execFile)('tsc', ['-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  });

  describe.skipIf(PYTHON_BIN === null)('and', () => {
    it('do in Python what they say', async () => {
      for (const [i, program] of python.entries()) {
        const found = await run(LANGUAGES[1], program, join(folder, `python-${i}`));
        expect(Object.keys(expected)).toContain(program.title);
        (expected[program.title] as Check)(found);
      }
    });

    it('are right by the types of the client for Python, which are right themselves', async () => {
      const at = join(folder, 'types');
      await mkdir(at);
      for (const [i, { source }] of python.entries()) await writeFile(join(at, `program_${i}.py`), source);
      await cp(new URL('driver.py', import.meta.url), join(at, 'driver.py'));
      await runPython('mypy', ['--cache-dir', join(folder, 'mypy'), 'src', at]);
    });
  });
});
