import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { OperatorError } from '../../kernel/errors.ts';
import { migrationSchemas } from '../../kernel/postgres/migrate.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { SEALED, type Step } from './age.ts';
import type { SavedFile, SavedTable } from './manifest.ts';

/** Durable tables with their columns: those of the migrations' schemas, except `LEFT_OUT`. */
export const tablesToSave = async (
  db: Queryable,
): Promise<readonly (TableName & { readonly columns: readonly string[] })[]> => {
  const schemas = (await migrationSchemas()).filter((schema) => LEFT_OUT[schema] === undefined);
  const { rows } = await db.query<TableName & { columns: string[] }>(sql`
    select n.nspname as schema, c.relname as table,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${schemas}) and c.relkind in ('r', 'p') and not c.relispartition order by 1, 2`);
  return rows;
};

/** Saves all tables of a snapshot. Rows go from Postgres to the file as text, so that no number loses precision. */
export const saveTables = async (
  db: Queryable,
  folder: string,
  seal: Step | null,
): Promise<readonly SavedTable[]> => {
  const saved: SavedTable[] = [];
  for (const { schema, table, columns } of await tablesToSave(db)) {
    const rows = rowsOf(db, { schema, table }, columns);
    const file = await saveLines(folder, `${schema}.${table}.ndjson.zst`, rows, seal);
    saved.push({ schema, table, columns: [...columns], file });
  }
  return saved;
};

/** Locks the tables for the transaction. @returns those that are not empty. */
export const claimTables = async (db: Queryable): Promise<readonly string[]> => {
  const filled: string[] = [];
  for (const { schema, table } of await tablesToSave(db)) {
    await db.query(sql`lock table ${ident(schema)}.${ident(table)} in exclusive mode`);
    const { rowCount } = await db.query(sql`select from ${ident(schema)}.${ident(table)} limit 1`);
    if (rowCount !== 0) filled.push(`${schema}.${table}`);
  }
  return filled;
};

/** Fills a table with its saved rows. */
export const loadTable = async (
  db: Queryable,
  folder: string,
  { schema, table, columns, file }: SavedTable,
  open: Step | null,
): Promise<void> => {
  const names = columns.map((name) => `"${name}"`).join(', ');
  for await (const rows of loadLines(folder, file, open)) {
    await db.query(sql`
      insert into ${ident(schema)}.${ident(table)} (${raw(names)}) overriding system value
      select ${raw(names)} from json_populate_recordset(null::${ident(schema)}.${ident(table)},
        ${`[${rows.join(',')}]`}::json)`);
  }
};

/**
 * Writes lines into a compressed file that only its owner may read. Memory is bounded, since lines are pulled as
 * written.
 * @param seal encrypts it; null if it is not to be.
 */
export const saveLines = async (
  folder: string,
  name: string,
  batches: AsyncIterable<readonly string[]>,
  seal: Step | null,
): Promise<SavedFile> => {
  let lines = 0;
  async function* text() {
    for await (const batch of batches) {
      lines += batch.length;
      if (batch.length > 0) yield `${batch.join('\n')}\n`;
    }
  }
  const { stream, counted, digest } = counting();
  const file = seal === null ? name : `${name}${SEALED}`;
  const target = createWriteStream(join(folder, file), { mode: 0o600, flags: 'wx', flush: true });
  const plain = Readable.from(text());
  if (seal === null) await pipeline(plain, createZstdCompress(), stream, target);
  else await pipeline(plain, createZstdCompress(), seal, stream, target);
  return { name: file, sha256: digest(), bytes: counted.bytes, lines };
};

/** @throws {OperatorError} `backup_damaged` if the file is missing or differs from what was saved. */
export const checkFile = async (folder: string, { name, sha256, bytes }: SavedFile): Promise<void> => {
  const found = await stat(join(folder, name)).catch(() => null);
  if (found === null) throw damaged(name, 'is missing');
  if (found.size !== bytes) throw damaged(name, `has ${found.size} bytes, and had ${bytes}`);
  const hash = createHash('sha256');
  const handle = await open(join(folder, name));
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== sha256) throw damaged(name, 'does not have the checksum that it had');
};

/**
 * The lines of a file in chunks, with bounded memory. The checksum is verified again while they are read, so the caller
 * must not commit any of them before the end.
 * @param open decrypts it; null if nobody has the identity.
 * @throws {OperatorError} `backup_sealed` if it is encrypted and `open` does not fit; `backup_damaged` at the end, if the file
 * differs from what was saved.
 */
export async function* loadLines(
  folder: string,
  file: SavedFile,
  open: Step | null,
): AsyncGenerator<readonly string[], void, undefined> {
  const { stream, digest } = counting();
  const plain = createZstdDecompress();
  const sealed = createReadStream(join(folder, file.name));
  const isSealed = file.name.endsWith(SEALED);
  if (isSealed && open === null)
    throw new OperatorError('backup_sealed', `${folder} is encrypted, and no identity was given.`);
  const reading =
    isSealed && open !== null ? pipeline(sealed, stream, open, plain) : pipeline(sealed, stream, plain);
  // Handled when it is awaited below.
  reading.catch(() => undefined);
  let count = 0;
  for await (const lines of linesOf(plain)) {
    count += lines.length;
    for (let from = 0; from < lines.length; from += CHUNK_LINES) yield lines.slice(from, from + CHUNK_LINES);
  }
  await reading;
  if (digest() !== file.sha256 || count !== file.lines) throw damaged(file.name, 'changed while it was read');
}

/** Schemas that a backup leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  log: 'its events are saved through the log’s port',
  projections: 'read models are built from the log',
  erasure:
    'the names of accounts that are being erased, of which the log has digests, and what visitors of /privacy do',
  service: 'what is known of running processes',
  relay: 'relay checkpoints: a restored log has a new ID and is published from scratch',
};

interface TableName {
  readonly schema: string;
  readonly table: string;
}

const CHUNK = 2_000;

async function* rowsOf(db: Queryable, { schema, table }: TableName, columns: readonly string[]) {
  const names = columns.map((name) => `"${name}"`).join(', ');
  await db.query(sql`
    declare saved no scroll cursor for
    select row_to_json("whole row")::text as row from (select ${raw(names)}
      from ${ident(schema)}.${ident(table)}) "whole row"`);
  for (;;) {
    const { rows } = await db.query<{ row: string }>(sql`fetch ${raw(CHUNK)} from saved`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await db.query(sql`close saved`);
}

const CHUNK_LINES = 1_000;

/** A stream that counts and hashes what passes through it. */
const counting = () => {
  const hash = createHash('sha256');
  const counted = { bytes: 0 };
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      counted.bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, counted, digest: () => hash.digest('hex') };
};

const damaged = (name: string, why: string): OperatorError =>
  new OperatorError('backup_damaged', `The backup is damaged: ${name} ${why}. Nothing was changed.`);

/** Cuts text into lines at line feeds only: JSON may hold other characters that end lines elsewhere. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}
