import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCredentials } from '../../../src/cli/commands/sessions.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-credentials-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('credentials from a file', () => {
  it('are the text of the file', async () => {
    const file = join(folder, 'session.txt');
    await writeFile(file, 'bearer_token=b\n');
    expect(await readCredentials(file)).toBe('bearer_token=b\n');
  });

  it('are refused if the file is missing, and the refusal says what to give', async () => {
    const missing = join(folder, 'missing.txt');
    await expect(readCredentials(missing)).rejects.toMatchObject({
      code: 'file_unusable',
      message: expect.stringMatching(/missing\.txt.*ENOENT.*Give --file/),
    });
    await expect(readCredentials(folder)).rejects.toMatchObject({ code: 'file_unusable' });
  });

  it('are refused beyond 64 KiB, even from an endless file', async () => {
    const file = join(folder, 'large.txt');
    await writeFile(file, 'x'.repeat(64 * 1024 + 1));
    await expect(readCredentials(file)).rejects.toMatchObject({ code: 'session_invalid' });
    await expect(readCredentials('/dev/zero')).rejects.toMatchObject({ code: 'session_invalid' });
  });
});
