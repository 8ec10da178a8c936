import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHome, curlLines, type RunningProgram, sendLine, type TestHome } from '../support/cli.ts';
import { ORDINARY_USER } from '../support/ordinary-user.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST = `node-${process.platform}-${process.arch}`;
const MAX_PACKED = 6_000_000;

/** Others must reach what is installed: the user that Postgres runs as, and the one whom the folder does not belong to. */
const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'));
chmodSync(folder, 0o755);
const pack = (): string => {
  const args = ['pack', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).replace(/^[^[]*/, ''),
  );
  return join(folder, packed.filename);
};
const tarball = pack();

/** Installs the package into an empty folder as a package manager does that runs no scripts of dependencies. */
const installed = (name: string, command: readonly string[]): string | null => {
  const target = join(folder, name);
  execFileSync('mkdir', [target]);
  writeFileSync(join(target, 'package.json'), '{}');
  const [program = '', ...args] = command;
  const { status, stderr } = spawnSync(program, [...args, tarball], { cwd: target, encoding: 'utf8' });
  if (status === 0) return target;
  if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(stderr)) throw new Error(stderr);
  console.log(
    `skipped: no registry of packages is reached, the package is not tested as ${name} installs it`,
  );
  return null;
};

const npm = installed('npm', [
  'npm',
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  `${OLDEST}@24`,
]);
const pnpm = installed('pnpm', [
  'npx',
  '--yes',
  'pnpm@11',
  'add',
  '--ignore-scripts',
  '--config.minimumReleaseAge=0',
]);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const oldest = npm === null ? '' : join(npm, 'node_modules', OLDEST, 'bin/node');
const commandIn = (target: string | null): string => join(target ?? '', 'node_modules/.bin/sightline');

describe('the package', () => {
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');

  it('has the program and the simulator, and nothing that only the repository needs', () => {
    expect(statSync(tarball).size).toBeLessThan(MAX_PACKED);
    const folders = new Set(files.map((file) => file.split('/').slice(1, -1).slice(0, 3).join('/')));
    expect(
      [...folders].filter((each) => !/^dist\/(?:src|infra\/simulator|clients\/typescript)/.test(each)).sort(),
    ).toEqual(['', 'dist', 'dist/docs', 'dist/infra/functions', 'dist/infra/migrations']);
    expect(files.filter((file) => /simulator\/check|\.test\.|[^d]\.ts$/.test(file))).toEqual([]);
  });

  it.skipIf(npm === null)('lets others import what it names, and nothing else', () => {
    const target = npm as string;
    writeFileSync(
      join(target, 'fold.ts'),
      `import { Sightline } from 'sightline/client';
import type { Handler } from 'sightline/replay';
export const followersOf = async (key: string): Promise<number | null> =>
  (await new Sightline({ key }).checkAccount({ platform: 'x', handle: 'ada' })).followers;
const handler: Handler<number> = { initial: 0, apply: (count, event) => event.type === 'AccountSighted' ? count + Number(event.data.source === 'crawler') : count };
export default handler;
`,
    );
    const args = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--skipLibCheck',
      'fold.ts',
    ];
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...args], {
      cwd: target,
      stdio: 'pipe',
    });
    const imports = (name: string) =>
      spawnSync(oldest, ['-e', `import('${name}').then(() => 0, (e) => { console.log(e.code); })`], {
        cwd: target,
        encoding: 'utf8',
      }).stdout.trim();
    for (const name of ['sightline/replay', 'sightline/client']) expect(imports(name)).toBe('');
    expect(imports('sightline/dist/src/cli/main.js')).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(imports('sightline')).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

const ready = async (program: RunningProgram) => {
  await program.says(/API reference, where you can try every endpoint: (\S+)/);
  return curlLines(program.out());
};

describe.skipIf(npm === null)('a package that npm installed without scripts, on the oldest Node', () => {
  let home: TestHome;
  let demo: RunningProgram;
  beforeAll(async () => {
    home = await createTestHome({ PORT: '0' }, {}, [oldest, commandIn(npm)]);
    demo = home.start(['demo', '--size', '150']);
  });
  afterAll(() => home.remove());

  it('runs the demo: every request of its welcome and the pages of its documents are answered', async () => {
    const lines = await ready(demo);
    for (const line of lines) expect((await sendLine(line)).status, line.url).toBe(200);
    const docs = /endpoint: (\S+)/.exec(demo.out())?.[1] ?? '';
    for (const page of [docs, new URL('/v2/openapi.json', docs)])
      expect((await fetch(page)).status, String(page)).toBe(200);
    await demo.end('SIGTERM');
    expect(demo.out()).toContain('Stopped.');
  });

  it.each([
    [['--version'], /^\d+\.\d+\.\d+$/m],
    [['config'], /DATABASE_URL/],
    [['projections', 'rebuild', 'directory'], /directory/],
    [['events', 'export', '--format', 'csv', '--type', 'AccountSighted'], /AccountSighted/],
    [['replay', '--handler', join(npm ?? '', 'fold.ts')], /^\d{2,}$/m],
  ])('runs %j', async (args, says) => {
    const { code, out, err } = await home.run(args);
    expect(code, err).toBe(0);
    expect(out + err).toMatch(says);
  });

  it('says that measuring needs the repository', async () => {
    const { code, err } = await home.run(['calibrate']);
    expect(code).toBe(2);
    expect(err).toContain('repository');
  });

  it('links the libraries of Postgres beside its data, since nobody else did', () => {
    expect(readdirSync(join(home.home, 'postgres/lib')).length).toBeGreaterThan(5);
  });
});

describe.skipIf(pnpm === null)(
  'a package that pnpm installed without scripts, for somebody who can’t change it',
  () => {
    let home: TestHome;
    beforeAll(async () => {
      home = await createTestHome({ PORT: '0' }, ORDINARY_USER, [commandIn(pnpm)]);
    });
    afterAll(() => home.remove());

    it('runs the demo', async () => {
      const demo = home.start(['demo', '--size', '150']);
      const [line] = await ready(demo);
      expect((await sendLine(line as never)).status).toBe(200);
      await demo.end('SIGTERM');
      expect(demo.out()).toContain('Stopped.');
    });
  },
);
