import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A clone with what is not committed yet. */
const clone = mkdtempSync(join(tmpdir(), 'sightline-release-'));
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
    cwd: clone,
    encoding: 'utf8',
    stdio: 'pipe',
  });
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '--depth', '1', `file://${ROOT}`, clone], {
  stdio: 'pipe',
});
git('config', 'user.name', 'Test');
git('config', 'user.email', 'test@localhost');
for (const path of ['infra/package/build.ts', 'infra/package/release.ts', 'package.json', '.gitignore'])
  writeFileSync(join(clone, path), readFileSync(join(ROOT, path)));
symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
appendFileSync(join(clone, '.git/info/exclude'), '/node_modules\n');
writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.0\n\nThe first release.\n');
if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--all', '--message', 'What is released');
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const release = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['infra/package/release.ts', ...args], { cwd: clone, encoding: 'utf8' });

it('refuses what is no version, what is not committed, and what the changelog does not tell of', () => {
  expect(release('next').stderr).toContain('give a version');
  writeFileSync(join(clone, 'LICENSE'), 'changed');
  expect(release('9.9.9').stderr).toContain('commit your changes');
  git('checkout', '--quiet', 'LICENSE');
  expect(release('9.9.9').stderr).toContain('## Unreleased');
  expect(git('status', '--porcelain')).toBe('');
});

it('names the version in changelog, package and tag, and writes what its checksums confirm', () => {
  const changelog = join(clone, 'CHANGELOG.md');
  writeFileSync(
    changelog,
    readFileSync(changelog, 'utf8').replace('\n## ', '\n## Unreleased\n\nNews.\n\n## '),
  );
  git('commit', '--quiet', '--all', '--message', 'News');
  const { status, stderr } = release('9.9.9');
  expect(status, stderr).toBe(0);
  expect(git('show', 'v9.9.9:CHANGELOG.md')).toContain('\n## 9.9.9\n\nNews.');
  expect(JSON.parse(git('show', 'v9.9.9:package.json')).version).toBe('9.9.9');
  const folder = join(clone, 'release/9.9.9');
  expect(readdirSync(folder).sort()).toEqual([
    'SHA256SUMS',
    'sightline-9.9.9-source.tar.gz',
    'sightline-9.9.9.cdx.json',
    'sightline-9.9.9.tgz',
  ]);
  expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder }).status).toBe(0);
  const parts = JSON.parse(readFileSync(join(folder, 'sightline-9.9.9.cdx.json'), 'utf8'));
  expect(parts).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version: '9.9.9' } } });
  expect(parts.components.map(({ name }: { name: string }) => name)).toContain('fastify');
  const listed = (file: string) => execFileSync('tar', ['tzf', join(folder, file)], { encoding: 'utf8' });
  expect(listed('sightline-9.9.9-source.tar.gz')).toContain('Dockerfile');
  expect(listed('sightline-9.9.9.tgz')).toContain('package/dist/src/cli/bin.js');
  expect(existsSync(join(clone, 'dist/src/cli/bin.js'))).toBe(true);
});
