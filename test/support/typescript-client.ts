import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('../../clients/typescript', import.meta.url));

const run = promisify(execFile);

/** Packs the client for TypeScript by itself, and puts it where programs of a folder find it. @returns its files. */
export const packTypescriptClient = async (folder: string): Promise<readonly string[]> => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: FOLDER });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  const target = join(folder, 'node_modules/sightline-client');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', target]);
  return files.map(({ path }) => path);
};
