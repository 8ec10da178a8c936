/**
 * `npm run release -- 1.1.0`: names the version in the changelog and the package, commits and tags that, and writes what is released
 * into `release/`: the package, its sources with the Dockerfile, the list of its parts (CycloneDX), and checksums.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const refuse = (message: string): never => {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
};

const UNRELEASED = '## Unreleased';

/** The changelog of a release: what is unreleased becomes its section, unless it has one. */
const changelogOf = (version: string): string => {
  const text = readFileSync(CHANGELOG, 'utf8');
  const heading = `## ${version}`;
  if (text.includes(`\n${heading}\n`)) return text;
  if (!text.includes(`\n${UNRELEASED}\n`))
    return refuse(`CHANGELOG.md has no section "${UNRELEASED}": write what changes in ${version} there.`);
  return text.replace(`\n${UNRELEASED}\n`, `\n${heading}\n`);
};

/** Commits the version and its tag, unless that is done. */
const tag = (version: string): void => {
  writeFileSync(CHANGELOG, changelogOf(version));
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  if (run('git', 'status', '--porcelain') !== '')
    run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--force', `v${version}`);
};

const write = (version: string): string => {
  const folder = join(ROOT, 'release', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const name = join(folder, `sightline-${version}`);
  run('npm', 'pack', '--pack-destination', folder);
  run('git', 'archive', '--format', 'tar.gz', '--output', `${name}-source.tar.gz`, `v${version}`);
  writeFileSync(
    `${name}.cdx.json`,
    run('npm', 'sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'),
  );
  const sums = readdirSync(folder).map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return folder;
};

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('give a version, as in: npm run release -- 1.1.0');
if (run('git', 'status', '--porcelain') !== '') refuse('commit your changes first.');
tag(version);
console.log(
  `Released ${version} into ${write(version)}. To publish its tag: git push origin main v${version}`,
);
