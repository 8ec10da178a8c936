import stringWidth from 'string-width';
import { print, printJson } from '../../kernel/terminal.ts';
import { shown } from '../../kernel/text.ts';

export type Cell = string | number | bigint;

/** A column of a table. */
export interface Column {
  readonly head: string;
  /** Never shortened, for values that readers copy, such as the ID of a key. Numbers are never shortened anyway. */
  readonly keep?: boolean;
  /** Left out if the terminal is too narrow; the last such column first. */
  readonly optional?: boolean;
}

/** Options of commands that can print JSON. */
export interface Json {
  readonly json?: boolean;
}

/** Prints data as JSON if asked to, otherwise as text. */
export const printResult = ({ json }: Json, data: unknown, text: () => string): void =>
  json === true ? printJson(data, 2) : print(text());

/** `1,000 rows`, `1 row`. */
export const plural = (n: number | bigint, noun: string): string =>
  `${n.toLocaleString('en-US')} ${noun}${Number(n) === 1 ? '' : 's'}`;

/** Width of the terminal in columns. What goes elsewhere is as wide as it is, unless COLUMNS says otherwise. */
export const terminalWidth = (
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
  columns: string | undefined = process.env.COLUMNS,
): number => {
  if (stream.isTTY === true) return stream.columns ?? DEFAULT_WIDTH;
  return /^[1-9]\d{1,3}$/.test(columns ?? '') ? Number(columns) : Number.POSITIVE_INFINITY;
};

/** Shortens a text to a width in terminal columns, at a boundary of visible characters. */
export const shortened = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return shown(kept).trimEnd() + ELLIPSIS;
};

/** A text broken into lines at its spaces; a word that is longer than a line has a line of its own. */
export const wrapped = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && stringWidth(line) + 1 + stringWidth(word) <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
};

/**
 * Rows for people, within the width of the terminal: numbers flush right, other texts shortened with an ellipsis, the longest
 * first. Columns for which there is no room are named below the table: first those that are optional, then the last ones.
 */
export const renderTable = (
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  { width = terminalWidth(), total }: TableOptions = {},
): string => {
  const all = total === undefined ? rows : [...rows, total];
  const layouts = columns.map((column, i): Layout => {
    const { head, keep = false, optional = false } = typeof column === 'string' ? { head: column } : column;
    const cells = all.map((row) => oneLine(row[i] ?? ''));
    const filled = cells.filter((cell) => !NO_NUMBER.has(cell));
    const isNumeric = filled.length > 0 && filled.every((cell) => NUMBER.test(cell));
    return { head: oneLine(head), cells, isNumeric, isKept: keep || isNumeric, isOptional: optional };
  });
  for (let shown = layouts; ; ) {
    const widths = widthsWithin(shown, width);
    if (widths !== null) {
      const left = layouts.filter((layout) => !shown.includes(layout)).map(({ head }) => head);
      const table = drawn(shown, widths, total !== undefined);
      return left.length === 0
        ? table
        : [table, '', ...wrapped(`Not shown at this width: ${left.join(', ')}`, width)].join('\n');
    }
    const optional = shown.findLastIndex(({ isOptional }) => isOptional);
    const last = optional < 0 ? shown.findLastIndex(({ isKept }, i) => i > 0 && !isKept) : optional;
    if (last < 0) return records(layouts, width);
    shown = shown.filter((_, i) => i !== last);
  }
};

/** Labelled values under a title. Long values wrap. */
export const renderFields = (
  title: string,
  fields: readonly (readonly [name: string, value: Cell])[],
  width = terminalWidth(),
): string => {
  const label = widest(fields.map(([name]) => name));
  return [
    shortened(oneLine(title), width),
    ...fields.flatMap(([name, value]) => {
      const room = Math.max(MIN_VALUE, width - label - 2 * GAP.length);
      return wrapped(oneLine(value), room).map((line, i) =>
        `${GAP}${padded(i === 0 ? name : '', label, false)}${GAP}${shortened(line, room)}`.trimEnd(),
      );
    }),
  ].join('\n');
};

interface TableOptions {
  /** Columns of the terminal. */
  readonly width?: number;
  /** A last row, under a rule. */
  readonly total?: readonly Cell[];
}

const GAP = '  ';
const ELLIPSIS = '…';
const DEFAULT_WIDTH = 80;
/** To how many characters a column may be shortened: with fewer it says too little, and is left out. */
const MIN_WIDTH = 14;
/** The same for the value of a field. */
const MIN_VALUE = 8;
/** A number as tables show it: with a sign, separators, a unit, or a mark of a footnote. */
const NUMBER = /^(?:about )?[+-]?\d[\d,]*(?:\.\d+)?(?:\*| ?%|\/s| s| min| h)?$/;
/** Placeholders in a column of numbers. */
const NO_NUMBER = new Set(['', 'none', '?']);

/** A text on one line: line breaks and the control characters of strangers' texts become spaces. */
const oneLine = (cell: Cell): string => shown(String(cell).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));

const graphemes = new Intl.Segmenter();

const padded = (text: string, width: number, right: boolean): string => {
  const fill = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? fill + text : text + fill;
};

interface Layout {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  readonly isKept: boolean;
  readonly isOptional: boolean;
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((max, text) => Math.max(max, stringWidth(text)), 0);

/** Widths that fit together, in the order of the columns; null where the columns can't be made that narrow. */
const widthsWithin = (columns: readonly Layout[], width: number): readonly number[] | null => {
  const room = width - GAP.length * (columns.length - 1);
  const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);
  const natural = columns.map(({ head, cells }) => Math.max(stringWidth(head), widest(cells)));
  if (sum(natural) <= room) return natural;
  // Heads break into lines before any cell is shortened.
  const widths = columns.map(({ head, cells }) => Math.max(widest(head.split(' ')), widest(cells)));
  const least = columns.map(({ head, isKept }, i) => {
    const now = widths[i] ?? 0;
    return isKept ? now : Math.min(now, Math.max(MIN_WIDTH, widest(head.split(' '))));
  });
  if (sum(least) > room) return null;
  while (sum(widths) > room) {
    const shrinkable = widths.map((each, i) => (each > (least[i] ?? 0) ? each : 0));
    const at = shrinkable.indexOf(Math.max(...shrinkable));
    widths[at] = (widths[at] ?? 0) - 1;
  }
  // Spare width goes to the heads that wrap into most lines.
  for (let left = room - sum(widths); left > 0; left -= 1) {
    const lines = columns.map(({ head }, i) => wrapped(head, widths[i] ?? 0).length);
    const tallest = Math.max(...lines);
    if (tallest === 1) break;
    const at = lines.indexOf(tallest);
    widths[at] = (widths[at] ?? 0) + 1;
  }
  return widths;
};

const drawn = (columns: readonly Layout[], widths: readonly number[], hasTotal: boolean): string => {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) =>
        padded(shortened(cell, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.isNumeric === true),
      )
      .join(GAP)
      .trimEnd();
  const heads = columns.map(({ head }, i) => wrapped(head, widths[i] ?? 0));
  const height = Math.max(...heads.map((lines) => lines.length));
  const headLines = Array.from({ length: height }, (_, n) =>
    line(heads.map((lines) => lines[n - (height - lines.length)] ?? '')),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  const rows = (columns[0]?.cells ?? []).map((_, n) => line(columns.map(({ cells }) => cells[n] ?? '')));
  const total = hasTotal ? rows.splice(-1) : [];
  return [...headLines, rule, ...rows, ...(hasTotal ? [rule, ...total] : [])].join('\n');
};

/** One row after the other, a line a column: for terminals that are too narrow for a table. */
const records = (columns: readonly Layout[], width: number): string => {
  const label = widest(columns.map(({ head }) => head));
  return (columns[0]?.cells ?? [])
    .map((_, n) =>
      columns
        .filter(({ cells }) => cells[n] !== '')
        .map(({ head, cells, isKept }) => {
          const value = cells[n] ?? '';
          return `${padded(head, label, false)}${GAP}${isKept ? value : shortened(value, Math.max(MIN_VALUE, width - label - GAP.length))}`;
        })
        .join('\n'),
    )
    .join('\n\n');
};
