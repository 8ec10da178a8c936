import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CONTRACT = new URL('../../../../infra/checks/contract/', import.meta.url);
const HANDLE = 'GET /directory: status 200: data[].shoe_size: removed';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-contract-'));
  for (const name of ['openapi.yaml', 'breaking-changes.yaml'])
    await cp(new URL(name, CONTRACT), join(folder, name));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const run = async (...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [new URL('check.ts', CONTRACT).pathname, '--folder', folder, ...args],
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });

const edit = async (name: string, change: (text: string) => string): Promise<void> => {
  const text = await readFile(join(folder, name), 'utf8');
  const after = change(text);
  expect(after).not.toBe(text);
  await writeFile(join(folder, name), after);
};

/** The snapshot as if entries had had one more field once. */
const withShoeSize = (text: string): string =>
  text.replace(
    /( {4}DirectoryEntry:\n(?:.*\n)*?)( {8}display_name:\n)/,
    '$1        shoe_size:\n          type: integer\n$2',
  );

describe('the check of the HTTP contract', () => {
  it('passes for the committed snapshot', async () => {
    expect(await run()).toEqual({ code: 0, text: '' });
  });

  it('fails on a breaking change and says how to record its reason', async () => {
    await edit('openapi.yaml', withShoeSize);
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain(HANDLE);
    expect(text).toContain(`- change: "${HANDLE}"\n    reason: `);
    expect(text).toContain('npm run contract:accept');
  });

  it('accepts a breaking change only with its reason, and keeps the reason', async () => {
    await edit('openapi.yaml', withShoeSize);
    const { text: refusal, code: refused } = await run('--accept');
    expect(refused).toBe(1);
    const changes = refusal.split('\n').filter((line) => /^ {2}[A-Z]+ \//.test(line));
    expect(changes.length).toBeGreaterThan(0);
    const entries = changes.map(
      (change) => `- change: ${JSON.stringify(change.trim())}\n  reason: Nobody has any.\n`,
    );
    await edit('breaking-changes.yaml', (text) => text + entries.join(''));
    expect(await run()).toMatchObject({ code: 1, text: expect.stringContaining('out of date') });
    expect(await run('--accept')).toMatchObject({ code: 0 });
    expect(await run()).toEqual({ code: 0, text: '' });
    const record = await readFile(join(folder, 'breaking-changes.yaml'), 'utf8');
    expect(record).toMatch(/^# Breaking changes/);
    const before = await readFile(new URL('breaking-changes.yaml', CONTRACT), 'utf8');
    const accepted = (text: string) => text.match(/accepted: "?\d{4}-\d{2}-\d{2}/g)?.length ?? 0;
    expect(accepted(record)).toBe(accepted(before) + changes.length);
    expect(await readFile(join(folder, 'openapi.yaml'), 'utf8')).toBe(
      await readFile(new URL('openapi.yaml', CONTRACT), 'utf8'),
    );
  });

  it('fails on a reason that matches no change, however similar', async () => {
    await edit(
      'breaking-changes.yaml',
      (text) => `${text}- change: "${HANDLE}"\n  reason: Nobody has any.\n`,
    );
    for (const args of [[], ['--accept']]) {
      expect(await run(...args)).toMatchObject({ code: 1, text: expect.stringContaining(HANDLE) });
    }
  });

  it('fails on an outdated snapshot until it is written again', async () => {
    await edit('openapi.yaml', (text) => text.replace('title: Sightline', 'title: Sightlines'));
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain('out of date');
    expect(text).toContain('npm run contract:accept');
    expect(await run('--accept')).toMatchObject({ code: 0 });
    expect(await run()).toEqual({ code: 0, text: '' });
  });
});
