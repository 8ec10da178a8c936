import { parseRecords } from '../../write/marketplace/read-record.ts';
import { type Line, linesOf } from './lines.ts';

/** A record of a file, or why it can't be read; with its line, and the text that it is of. */
export type FileRecord =
  | { readonly line: number; readonly text: string; readonly value: unknown; readonly reason?: undefined }
  | { readonly line: number; readonly text: string; readonly reason: string };

const recordOf = (line: Line): FileRecord | null => {
  const { number, text } = line;
  if (text === null) return { line: number, text: '', reason: line.reason };
  if (text.trim() === '') return null;
  try {
    return { line: number, text, value: parseRecords(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line: number, text, reason: 'not JSON' };
  }
};

/** One JSON value a line; empty lines are skipped. */
export async function* ndjsonRecords(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FileRecord[], void, undefined> {
  for await (const lines of linesOf(chunks)) yield lines.flatMap((line) => recordOf(line) ?? []);
}
