import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const SOURCE = new URL('../', import.meta.url);

const digest = async (): Promise<string> => {
  const entries = await readdir(SOURCE, { recursive: true });
  const hash = createHash('sha256');
  for (const name of entries.filter((entry) => /(?<!\.d)\.[jt]s$/.test(entry)).sort()) {
    hash
      .update(name)
      .update('\0')
      .update(await readFile(new URL(name, SOURCE)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
};

let found: Promise<string> | undefined;

/**
 * ID of this release: a digest of its source, 16 hexadecimal digits. Every upgrade changes it, even if the version stays the same.
 */
export const releaseId = (): Promise<string> => {
  found ??= digest();
  return found;
};
