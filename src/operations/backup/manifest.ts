import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';

/** What a backup holds. */
export type Manifest = z.output<typeof content>;
export type SavedFile = z.output<typeof savedFile>;
export type SavedTable = Manifest['tables'][number];

/** Writes the manifest. It is written last, so that a folder without one is no finished backup. */
export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> => {
  const whole: Manifest = content.parse({ format: FORMAT, ...manifest });
  const text = JSON.stringify({ ...whole, sha256: digest(whole) }, null, 2);
  return writeFile(join(folder, FILE), `${text}\n`, { mode: 0o600, flush: true });
};

/** @throws {OperatorError} `backup_invalid` if there is no manifest, it has another format, or it was changed. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const refuse = (why: string, cause?: unknown) =>
    new OperatorError('backup_invalid', `${folder} can't be restored: ${why}`, { cause });
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: unknown) => {
    throw refuse(`it is no backup that was finished (there is no ${FILE})`, error);
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw refuse(`its ${FILE} is damaged`, error);
  }
  const { sha256, ...rest } = parsed as { readonly sha256?: unknown; readonly format?: unknown };
  if (typeof rest.format === 'number' && rest.format !== FORMAT) {
    throw refuse(`it is of format ${rest.format}, and this version of Sightline reads format ${FORMAT}`);
  }
  const result = content.safeParse(rest);
  if (!result.success || sha256 !== digest(result.data))
    throw refuse(`its ${FILE} was changed or is damaged`);
  return result.data;
};

/** Incremented when the layout of the files changes. */
const FORMAT = 1;
const FILE = 'manifest.json';

const savedFile = z.strictObject({
  /** Within the backup's folder. */
  name: z.string().regex(/^[a-z0-9_.-]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int(),
  /** Events or rows. */
  lines: z.int(),
});

const position = z.string().regex(/^\d+$/);

const content = z.strictObject({
  format: z.literal(FORMAT),
  made_at: z.string(),
  /** Migrations that were applied to the durable tables. */
  migrations: z.array(z.string()),
  log: z.strictObject({
    file: savedFile,
    /** The kind of log that the events come from, since positions are meaningful in that kind only. */
    kind: z.enum(['postgres', 'eventstoredb']),
    /** Last position of the log that the backup contains. */
    head: position,
    /** The last event before which nothing was left out; null if there is none. The next incremental backup begins after it. */
    tip: z.strictObject({ position, id: z.uuid() }).nullable(),
    /** The events are those after this position, and the backup with this digest has the others; null for a full backup. */
    since: z.strictObject({ position, backup: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
  }),
  tables: z.array(
    z.strictObject({
      schema: z.string().regex(/^[a-z_]+$/),
      table: z.string().regex(/^[a-z_]+$/),
      columns: z.array(z.string().regex(/^[a-z_0-9]+$/)),
      file: savedFile,
    }),
  ),
});

/** Identifies a backup. */
export const digest = (manifest: Manifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
