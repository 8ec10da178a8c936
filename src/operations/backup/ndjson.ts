import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { OperatorError } from '../../kernel/errors.ts';
import type { SavedFile } from './manifest.ts';

const CHUNK_LINES = 1_000;

/** Counts and digests what goes through. */
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

/** Writes lines into a compressed file for its owner's eyes only, in flat memory: lines are asked for as they leave. */
export const saveLines = async (
  folder: string,
  name: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<SavedFile> => {
  let lines = 0;
  async function* text() {
    for await (const batch of batches) {
      lines += batch.length;
      if (batch.length > 0) yield `${batch.join('\n')}\n`;
    }
  }
  const { stream, counted, digest } = counting();
  const target = createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(Readable.from(text()), createZstdCompress(), stream, target);
  return { name, sha256: digest(), bytes: counted.bytes, lines };
};

const damaged = (name: string, why: string): OperatorError =>
  new OperatorError('backup_damaged', `The backup is damaged: ${name} ${why}. Nothing was changed.`);

/** @throws {OperatorError} where a file is not there, or not what was saved. */
export const checkFile = async (folder: string, { name, sha256, bytes }: SavedFile): Promise<void> => {
  const found = await stat(join(folder, name)).catch(() => null);
  if (found === null) throw damaged(name, 'is missing');
  if (found.size !== bytes) throw damaged(name, `has ${found.size} bytes, and had ${bytes}`);
  const hash = createHash('sha256');
  const handle = await open(join(folder, name));
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== sha256) throw damaged(name, 'does not have the checksum that it had');
};

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

/**
 * The lines of a file in chunks, with bounded memory. The checksum is verified again while they are read, so the caller
 * must not commit any of them before the end.
 * @throws {OperatorError} at the end, where the file is not what was saved.
 */
export async function* loadLines(
  folder: string,
  file: SavedFile,
): AsyncGenerator<readonly string[], void, undefined> {
  const { stream, digest } = counting();
  const plain = createZstdDecompress();
  const reading = pipeline(createReadStream(join(folder, file.name)), stream, plain);
  // Met when the lines were read.
  reading.catch(() => undefined);
  let count = 0;
  for await (const lines of linesOf(plain)) {
    count += lines.length;
    for (let from = 0; from < lines.length; from += CHUNK_LINES) yield lines.slice(from, from + CHUNK_LINES);
  }
  await reading;
  if (digest() !== file.sha256 || count !== file.lines) throw damaged(file.name, 'changed while it was read');
}
