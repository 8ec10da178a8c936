import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportEvents, ndjsonWriter } from '../../../src/operations/events/export.ts';
import { intoFile } from '../../../src/operations/events/output-sink.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

const TARGET = fileURLToPath(new URL('../../../src/operations/events/output-sink.ts', import.meta.url));

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-target-'));
  file = join(folder, 'out.ndjson');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('an output file', () => {
  it('has its name only when complete', async () => {
    await intoFile(file, async (target) => {
      await target.write('one ');
      await target.write(Buffer.from('two'));
      expect(await readdir(folder)).toEqual([expect.stringMatching(/^out\.ndjson\.\d+\.partial$/)]);
    });
    expect(await readdir(folder)).toEqual(['out.ndjson']);
    expect(await readFile(file, 'utf8')).toBe('one two');
    // For its owner's eyes only: it is what the log holds of people.
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('replaces its predecessor, or leaves it if the work fails', async () => {
    await writeFile(file, 'old');
    const failed = intoFile(file, async (target) => {
      await target.write('new');
      throw new Error('the disk is full');
    });
    await expect(failed).rejects.toThrow('the disk is full');
    expect(await readdir(folder)).toEqual(['out.ndjson']);
    expect(await readFile(file, 'utf8')).toBe('old');
    await intoFile(file, (target) => target.write('new'));
    expect(await readFile(file, 'utf8')).toBe('new');
  });

  it('does not exist after an interrupted export', async () => {
    const events = Array.from({ length: 100 }, (_, i) => decodeEvent(i + 1));
    const stop = new AbortController();
    let passed = 0;
    const onProgress = (done: number) => {
      passed = done;
      if (done >= 30) stop.abort();
    };
    const interrupted = intoFile(file, async (target) => {
      const reading = { signal: stop.signal, onProgress, pageSize: 10 };
      await exportEvents(
        memoryLog(events).log,
        { after: 0n, to: 100n, filter: {} },
        ndjsonWriter(target),
        reading,
      );
    });
    await expect(interrupted).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(passed).toBe(30);
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not exist if the process ends at once', async () => {
    const script = `
      import { intoFile } from ${JSON.stringify(TARGET)};
      await intoFile(${JSON.stringify(file)}, async (target) => {
        await target.write('half');
        process.exit(130);
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });

  it('replaces the target of a link, and the link stays', async () => {
    const link = join(folder, 'link');
    await writeFile(file, 'old');
    await symlink(file, link);
    await intoFile(link, (target) => target.write('new'));
    expect((await readdir(folder, { withFileTypes: true })).map((e) => [e.name, e.isSymbolicLink()])).toEqual(
      [
        ['link', true],
        ['out.ndjson', false],
      ],
    );
    expect(await readFile(file, 'utf8')).toBe('new');
  });

  it('that is impossible is refused before any work', async () => {
    const work = () => Promise.reject(new Error('there was work'));
    await mkdir(join(folder, 'sub'));
    await expect(intoFile(join(folder, 'sub'), work)).rejects.toThrow(/is no regular file/);
    await expect(intoFile('/dev/null', work)).rejects.toThrow(/is no regular file/);
    await expect(intoFile(join(folder, 'none', 'x'), work)).rejects.toThrow(/its folder does not exist/);
    await writeFile(file, '');
    await expect(intoFile(join(file, 'x'), work)).rejects.toThrow(/its folder is no folder/);
  });
});
