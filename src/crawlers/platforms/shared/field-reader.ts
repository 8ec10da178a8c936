import { parseCount, unwrap32 } from './parse-count.ts';

/** Reads values of a page and records warnings for unreadable ones. */
export class Fields {
  readonly warnings: string[] = [];
  /** Names of unreadable values: unknown, not empty. */
  readonly unreadable = new Set<string>();

  warn(message: string): void {
    if (this.warnings.length < MAX_WARNINGS && !this.warnings.includes(message)) this.warnings.push(message);
  }

  /** A count; null if absent or, with a warning, unreadable. */
  count(name: string, raw: unknown): number | null {
    if (raw === undefined || raw === null || raw === '') return null;
    const value = parseCount(raw);
    if (value === null) this.unread(name, raw);
    return value;
  }

  /** A count that may have overflowed a signed 32-bit field. */
  wrapped(name: string, raw: unknown): number | null {
    return this.count(name, unwrap32(raw));
  }

  /** A time; platforms write 0 or '' for none. */
  instant(name: string, raw: unknown): string | null {
    if (raw === undefined || raw === null || raw === '' || raw === 0 || raw === '0') return null;
    const value = parseInstant(raw);
    if (value === null) this.unread(name, raw);
    return value;
  }

  /** An absolute http(s) URL. */
  url(name: string, raw: unknown): string | null {
    if (typeof raw !== 'string' || raw === '') return null;
    const value = webUrl(raw);
    if (value === null) this.unread(name, raw);
    return value;
  }

  /** A figure with an unknown label, so that it is unknown what it counts. */
  unknownLabel(text: string): void {
    this.warn(`unknown label: ${shown(text)}`);
  }

  private unread(name: string, raw: unknown): void {
    this.unreadable.add(name);
    this.warn(`${name} can't be read: ${shown(raw)}`);
  }
}

/** An absolute http(s) URL, with the scheme added if it starts with a host; null otherwise. */
export const webUrl = (raw: string): string | null => {
  const text = raw.trim();
  const full = text.startsWith('//') ? `https:${text}` : text;
  if (full.length > 4000 || /[\s<>"]/.test(full) || !URL.canParse(full)) return null;
  const url = new URL(full);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') ? full : null;
};

/**
 * Parses a time to ISO 8601 UTC with milliseconds, from seconds or milliseconds since 1970 (numbers or text), ISO
 * 8601 or X's format. Null otherwise, or outside of 1990–2200.
 */
export const parseInstant = (value: unknown): string | null => {
  const ms = msOf(value);
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null;
};

const MAX_WARNINGS = 20;

const shown = (raw: unknown): string => (JSON.stringify(raw) ?? String(raw)).slice(0, 80);

/** Plausible range of dates on these platforms. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

const TWEET = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2}) (\d{4})$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

const msOf = (value: unknown): number => {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  if (/^\d{1,16}(\.\d+)?$/.test(text)) return msOf(Number(text));
  const tweet = TWEET.exec(text);
  if (tweet !== null) {
    const [, month, day, time, hours, minutes, year] = tweet;
    return Date.parse(`${day} ${month} ${year} ${time} GMT${hours}${minutes}`);
  }
  const iso = ISO.exec(text);
  if (iso === null) return Number.NaN;
  const [, date, time = '00:00:00', zone = 'Z'] = iso;
  // Without a zone it is UTC: the crawler's zone must not affect data.
  return Date.parse(`${date}T${time}${zone.toUpperCase()}`);
};
