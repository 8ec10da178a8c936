import { isUtf8 } from 'node:buffer';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { OperatorError } from '../../kernel/errors.ts';
import { trimmedEnd } from '../../kernel/text.ts';
import { parseRecords } from '../../write/marketplace/read-record.ts';

/**
 * Records of a CSV file (RFC 4180) with a header, as objects. An invalid record is rejected. If quotes joined several lines
 * into it, each line is tried as a record, so that a stray quote costs only its own line.
 * @throws {OperatorError} `source_unusable` if the header has no column `id`, or lines end in CR alone.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FileRecord[], void, undefined> {
  const reader = new CsvReader();
  for await (const lines of linesOf(chunks)) yield reader.read(lines);
  const rest = reader.end();
  if (rest.length > 0) yield rest;
}

/** Cuts lines of a CSV file into records. */
class CsvReader {
  #header: readonly string[] | null = null;
  /** Lines whose quotes do not match yet. */
  #open: Draft | null = null;

  /** The records that a batch of lines completes, in the order of the file. */
  read(lines: readonly Line[]): readonly FileRecord[] {
    const groups: Group[] = [];
    const records: FileRecord[] = [];
    for (const line of lines) {
      if (line.text === null) records.push({ line: line.number, text: '', reason: line.reason });
      else if (this.#open !== null || line.text.trim() !== '') this.#add(line, groups, records);
    }
    if (groups.length > 0) records.push(...this.#recordsOf(groups));
    return records.sort((a, b) => a.line - b.line);
  }

  /** The records of lines that are open when the file ends. */
  end(): readonly FileRecord[] {
    const last = this.#open;
    if (last === null) return [];
    if (this.#header !== null) return this.#singly(last.lines);
    this.#readHeader(groupOf(last.lines));
    return [];
  }

  /** Adds a line to the open record. A record that is complete goes to `groups`, one that is too long to `records`. */
  #add(line: TextLine, groups: Group[], records: FileRecord[]): void {
    const draft: Draft = this.#open ?? { lines: [], quotes: 0, length: 0 };
    // Each line is looked at once, however many of them a quote joins.
    draft.lines.push(line);
    draft.quotes += quotesIn(line.text);
    draft.length += line.text.length + 1;
    const isComplete = draft.quotes % 2 === 0;
    if (!isComplete && draft.lines.length < MAX_LINES && draft.length < MAX_LINE_BYTES) {
      this.#open = draft;
      return;
    }
    this.#open = null;
    if (this.#header === null) this.#readHeader(groupOf(draft.lines));
    else if (isComplete) groups.push(groupOf(draft.lines));
    if (!isComplete) records.push(...this.#singly(draft.lines));
  }

  #readHeader(group: Group): void {
    const [cells] = parseAll([group]);
    const names = (cells ?? []).map((name) => name.trim().toLowerCase());
    if (names.some((name) => name.includes('\r')))
      throw new OperatorError('source_unusable', 'The lines of the CSV end in CR alone, not in LF or CRLF.');
    if (!names.includes('id'))
      throw new OperatorError('source_unusable', 'The first line of the CSV names no column "id".');
    this.#header = names;
  }

  #recordsOf(groups: readonly Group[]): readonly FileRecord[] {
    const parsed = parseAll(groups);
    return groups.flatMap((group, i) => this.#recordOf(group, parsed[i] ?? null));
  }

  #recordOf({ lines, text }: Group, cells: string[] | null): readonly FileRecord[] {
    const line = lines[0]?.number ?? 0;
    if (cells === null) {
      if (lines.length > 1) return this.#singly(lines);
      return [{ line, text, reason: 'not CSV: quotes do not match' }];
    }
    const names = this.#header as readonly string[];
    if (cells.length !== names.length)
      return [{ line, text, reason: `${cells.length} fields, but the header has ${names.length}` }];
    return [{ line, text, value: Object.fromEntries(names.map((name, i) => [name, cells[i]])) }];
  }

  /** Each line as a record of its own. */
  #singly(lines: Group['lines']): readonly FileRecord[] {
    return this.#recordsOf(lines.map((line) => ({ lines: [line], text: line.text })));
  }
}

type TextLine = Extract<Line, { readonly text: string }>;

/** A record of a file, or why it can't be read; with its line number and text. */
export type FileRecord =
  | { readonly line: number; readonly text: string; readonly value: unknown; readonly reason?: undefined }
  | { readonly line: number; readonly text: string; readonly reason: string };

/** Records of an NDJSON file: one JSON value per line; empty lines are skipped. */
export async function* ndjsonRecords(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FileRecord[], void, undefined> {
  for await (const lines of linesOf(chunks)) yield lines.flatMap((line) => recordOf(line) ?? []);
}

/**
 * Cuts bytes into lines, a batch for each chunk. A line beyond the maximum is dropped as it arrives, so memory is
 * bounded by a chunk and a line.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[], void, undefined> {
  let number = 0;
  let rest: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  const end = (last: Buffer): Line => {
    number += 1;
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last]);
    const line: Line =
      isTooLong || whole.length > maxBytes
        ? { number, text: null, reason: `longer than ${maxBytes} bytes` }
        : lineOf(number, whole);
    rest = [];
    size = 0;
    isTooLong = false;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = number === 0 && size === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    for (let at = chunk.indexOf(LINE_FEED, from); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      lines.push(end(isTooLong ? NOTHING : chunk.subarray(from, at)));
      from = at + 1;
    }
    if (from < chunk.length) {
      size += chunk.length - from;
      if (size > maxBytes) {
        isTooLong = true;
        rest = [];
      } else rest.push(Buffer.from(chunk.subarray(from)));
    }
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [end(NOTHING)];
}

/** The lines of one record, which contains quoted line ends. */
interface Group {
  readonly lines: Extract<Line, { readonly text: string }>[];
  readonly text: string;
}

/** A record whose quotes are not closed yet. */
interface Draft {
  readonly lines: Group['lines'];
  quotes: number;
  length: number;
}

const groupOf = (lines: Group['lines']): Group => ({
  lines,
  text: lines.map(({ text }) => text).join('\n'),
});

/** Maximum lines of a record, so that an unclosed quote does not consume the rest of the file. */
const MAX_LINES = 1_000;

const quotesIn = (text: string): number => {
  let n = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) n += 1;
  return n;
};

/** @throws {CsvError} if the text is no CSV. */
const cellsOf = (text: string): string[][] =>
  parse(text, { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true });

const parseOne = ({ text }: Group): string[] | null => {
  try {
    const rows = cellsOf(text);
    return rows.length === 1 ? (rows[0] as string[]) : null;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
};

/** The cells of each record, parsed together; one by one if any of them is no CSV. */
const parseTogether = (groups: readonly Group[]): readonly (string[] | null)[] => {
  try {
    const rows = cellsOf(groups.map(({ text }) => text).join('\n'));
    if (rows.length === groups.length) return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return groups.map(parseOne);
};

/** The cells of each record; null if it is not valid CSV, such as a record with an unmatched quote. */
const parseAll = (groups: readonly Group[]): readonly (string[] | null)[] => {
  const closed = groups.map(({ text }) => quotesIn(text) % 2 === 0);
  const parsed = parseTogether(groups.filter((_, i) => closed[i]));
  let next = 0;
  return closed.map((isClosed) => (isClosed ? (parsed[next++] ?? null) : null));
};

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

/** A line of a file, or why it can't be read. */
type Line =
  | { readonly number: number; readonly text: string; readonly reason?: undefined }
  | { readonly number: number; readonly text: null; readonly reason: string };

/** Maximum bytes of a line. */
const MAX_LINE_BYTES = 256 * 1_024;

const LINE_FEED = 0x0a;

const lineOf = (number: number, bytes: Buffer): Line =>
  isUtf8(bytes)
    ? { number, text: trimmedEnd(bytes.toString('utf8'), '\r') }
    : { number, text: null, reason: 'not UTF-8' };

const NOTHING = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
