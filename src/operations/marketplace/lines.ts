import { isUtf8 } from 'node:buffer';
import { trimmedEnd } from '../../kernel/text.ts';

/** A line of a file, or why it can't be read. */
export type Line =
  | { readonly number: number; readonly text: string; readonly reason?: undefined }
  | { readonly number: number; readonly text: null; readonly reason: string };

/** Maximum bytes of a line. */
export const MAX_LINE_BYTES = 256 * 1_024;

const LINE_FEED = 0x0a;

const lineOf = (number: number, bytes: Buffer): Line =>
  isUtf8(bytes)
    ? { number, text: trimmedEnd(bytes.toString('utf8'), '\r') }
    : { number, text: null, reason: 'not UTF-8' };

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

const NOTHING = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
