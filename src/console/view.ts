/** What screens are made of: tables, facts and charts, as HTML; the tables also as CSV and NDJSON. */

import { ageText } from '../kernel/clock.ts';
import { type Html, html, type Part } from '../kernel/html.ts';

export type Value = string | number | boolean | null;

export interface Column<Row> {
  readonly head: string;
  /** What is exported and sorted by. Null is unknown. */
  readonly value: (row: Row) => Value;
  /** What is shown; the value by default. */
  readonly cell?: (row: Row) => Part;
  /** An instant is shown as how long ago it was. */
  readonly is?: 'instant';
}

/** Rows of a screen. */
export interface Table {
  readonly id: string;
  readonly caption: string;
  readonly heads: readonly string[];
  readonly values: readonly (readonly Value[])[];
  readonly cells: readonly (readonly Part[])[];
  /** What stands in place of no rows. */
  readonly empty: string;
  /** Where the next rows are, if these are not all. */
  readonly next?: string | undefined;
}

/** Lines of a chart over time. Null is a gap. */
export interface Chart {
  readonly id: string;
  readonly caption: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** Each line stands on the one before it. */
  readonly isStacked?: true;
}

export type Piece = Html | Table | Chart;

/** What is unknown. */
export const UNKNOWN = '–';

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export const valueText = (value: Value): string => {
  if (value === null) return UNKNOWN;
  if (typeof value === 'number') return number.format(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
};

/** An instant, which a script shows as how long ago it was. */
export const instant = (at: string | null): Part =>
  at === null
    ? UNKNOWN
    : html`<time datetime="${at}" title="${at.replace('T', ' ')}">${at.slice(0, 19).replace('T', ' ')}</time>`;

export const link = (href: string, text: Part): Html => html`<a href="${href}">${text}</a>`;

/** A path of segments that may hold any text. */
export const pathOf = (...segments: readonly string[]): string =>
  `/${segments.map(encodeURIComponent).join('/')}`;

/** A duration in seconds. */
export const duration = (s: number | null): string => (s === null ? UNKNOWN : ageText(s));

export const bytes = (n: number | null): string => {
  if (n === null) return UNKNOWN;
  const steps = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = n < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log2(n) / 10));
  return `${number.format(Math.round((n / 1_024 ** step) * 10) / 10)} ${steps[step]}`;
};

export const percent = (share: number | null): string =>
  share === null ? UNKNOWN : `${(share * 100).toFixed(1)} %`;

/** A state, colored and written out. */
export const badge = (state: string, kind: 'good' | 'warn' | 'bad' | 'plain'): Html =>
  html`<span class="badge ${kind}">${state}</span>`;

/** Characters of a cell; an export has all of a value. */
const CELL_CHARS = 300;
/** Texts up to here are not broken within words. */
const SHORT_CHARS = 32;

/** A text in a cell: a long one is broken wherever it must be, and cut. */
const textCell = (text: string): Part => {
  if (text.length <= SHORT_CHARS) return text;
  const shown = text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
  return html`<span class="long">${shown}</span>`;
};

/** A table of rows. */
export const table = <Row>(
  { id, caption, empty, next }: Pick<Table, 'id' | 'caption' | 'empty' | 'next'>,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Table => ({
  id,
  caption,
  empty,
  next,
  heads: columns.map(({ head }) => head),
  values: rows.map((row) => columns.map(({ value }) => value(row))),
  cells: rows.map((row) =>
    columns.map(({ value, cell, is }) => {
      if (cell !== undefined) return cell(row);
      const found = value(row);
      return is === 'instant' && typeof found === 'string' ? instant(found) : textCell(valueText(found));
    }),
  ),
});

/** Names with values. */
export const facts = (entries: readonly (readonly [string, Part])[]): Html => html`<dl class="facts">
${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;

export const heading = (text: string): Html => html`<h2>${text}</h2>`;

export const note = (text: Part): Html => html`<p class="note">${text}</p>`;

/** Records of a table for an export. */
export const recordsOf = ({ heads, values }: Table): readonly Readonly<Record<string, Value>>[] =>
  values.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i] ?? null])));

const isTable = (piece: Piece): piece is Table => 'heads' in piece;
const isChart = (piece: Piece): piece is Chart => 'lines' in piece;

export const tablesOf = (pieces: readonly Piece[]): readonly Table[] => pieces.filter(isTable);

/** How a screen is asked: its address, in which filters and order stand. */
export interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The address with other values of some of its fields; null leaves one out. */
export const addressOf = (
  { path, query }: Asked,
  changed: Readonly<Record<string, string | null>>,
): string => {
  const fields = Object.entries({ ...query, ...changed }).filter(
    (each): each is [string, string] => each[1] !== null,
  );
  const search = new URLSearchParams(fields).toString();
  return search === '' ? path : `${path}?${search}`;
};

/** Rows on a page of a table. */
export const PAGE_ROWS = 100;

const compare = (a: Value, b: Value): number => {
  // What is unknown comes last.
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
};

/** The numbers of a table's rows in the order that the address asks for: `sort` is `table.head` or `-table.head`. */
const orderOf = ({ id, heads, values }: Table, sort: string | undefined): readonly number[] => {
  const all = values.map((_, i) => i);
  const column = heads.findIndex((head) => sort?.replace(/^-/, '') === `${id}.${head}`);
  if (column === -1) return all;
  const ordered = all.toSorted((a, b) => compare(values[a]?.[column] ?? null, values[b]?.[column] ?? null));
  return sort?.startsWith('-') ? ordered.toReversed() : ordered;
};

const headOf = (shown: Table, head: string, asked: Asked): Html => {
  const name = `${shown.id}.${head}`;
  const isUp = asked.query.sort === name;
  const isDown = asked.query.sort === `-${name}`;
  const order = isUp ? 'ascending' : isDown ? 'descending' : 'none';
  return html`<th scope="col" aria-sort="${order}"><a href="${addressOf(asked, { sort: isUp ? `-${name}` : name })}">${head}</a></th>`;
};

const tableHtml = (shown: Table, asked: Asked): Html => {
  const { id, caption, heads, cells, empty, next } = shown;
  const start = Number(asked.query[`${id}.from`] ?? 0) || 0;
  const order = orderOf(shown, asked.query.sort);
  const rows = order.slice(start, start + PAGE_ROWS);
  const more =
    start + PAGE_ROWS < order.length ? addressOf(asked, { [`${id}.from`]: String(start + PAGE_ROWS) }) : next;
  const body =
    rows.length === 0
      ? html`<tr><td colspan="${heads.length}" class="empty">${empty}</td></tr>`
      : rows.map(
          (i) => html`<tr>${cells[i]?.map((cell) => html`<td>${cell}</td>`) ?? null}</tr>
`,
        );
  const exports =
    rows.length === 0
      ? null
      : html`<p class="more">Export ${['csv', 'ndjson'].map((format) => html`${link(addressOf(asked, { export: format, table: id }), format.toUpperCase())} `)}${
          more === undefined ? null : html`· ${link(more, 'next rows')}`
        }${start === 0 ? null : html` · ${link(addressOf(asked, { [`${id}.from`]: null }), 'first rows')}`}</p>`;
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table id="${id}">
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => headOf(shown, head, asked))}</tr></thead>
<tbody>
${body}</tbody>
</table></div>
${exports}`;
};

const chartHtml = ({
  id,
  caption,
  times,
  lines,
  isStacked,
}: Chart): Html => html`<figure class="chart" id="${id}">
<figcaption>${caption}</figcaption>
<div class="plot" data-chart="${JSON.stringify({ times, lines, isStacked })}" aria-hidden="true"></div>
<details><summary>The figures</summary>
<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr><th scope="col">time (UTC)</th>${lines.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${times.map(
  (
    time,
    i,
  ) => html`<tr><td>${new Date(time * 1_000).toISOString().slice(0, 16).replace('T', ' ')}</td>${lines.map(
    ({ values }) => html`<td>${valueText(values[i] ?? null)}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div></details>
</figure>`;

export const pieceHtml = (piece: Piece, asked: Asked): Html => {
  if (isTable(piece)) return tableHtml(piece, asked);
  return isChart(piece) ? chartHtml(piece) : piece;
};
