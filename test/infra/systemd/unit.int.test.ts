import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/kernel/config.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const unit = await readFile(join(ROOT, 'infra/systemd/sightline.service'), 'utf8');
const given = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

const hasLinter = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasLinter) console.log('skipped, as there is no systemd-analyze: the systemd unit passes it');

describe('the systemd unit', () => {
  it.skipIf(!hasLinter)('passes the linter of systemd', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-unit-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'sightline.service');
    // The linter looks for the program, which is here and not where it is installed.
    await writeFile(file, unit.replaceAll('/opt/sightline', ROOT.replace(/\/$/, '')));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', file], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('starts the program that npm brings, with settings that it takes', () => {
    const [node = '', ...args] = given('ExecStart').split(' ');
    for (const path of [node, args.at(-2) ?? '']) {
      expect(existsSync(path.replace('/opt/sightline/', ROOT)), path).toBe(true);
    }
    expect(args.at(-1)).toBe('start');
    const environment = Object.fromEntries(
      given('Environment')
        .split(' ')
        .map((pair) => pair.split('=')),
    ) as Record<string, string>;
    const { SIGHTLINE_CONFIG: file, ...env } = environment;
    expect(file).toBe('/etc/sightline.yaml');
    expect(parseConfig(env).SIGHTLINE_HOME).toBe(`/var/lib/${given('StateDirectory')}`);
  });

  it('does not repeat what is refused, and waits for an orderly stop', () => {
    expect(given('RestartPreventExitStatus')).toBe('2');
    expect(given('KillMode')).toBe('mixed');
    expect(Number(given('TimeoutStopSec'))).toBeGreaterThan(10);
  });
});
