import { parseCount, unwrap32 } from './parse-count.ts';
import { parseInstant } from './parse-date.ts';

const MAX_WARNINGS = 20;

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

  /** A figure whose word is not known: it is unknown what it counts. */
  unknownLabel(text: string): void {
    this.warn(`unknown label: ${shown(text)}`);
  }

  private unread(name: string, raw: unknown): void {
    this.unreadable.add(name);
    this.warn(`${name} can't be read: ${shown(raw)}`);
  }
}

const shown = (raw: unknown): string => (JSON.stringify(raw) ?? String(raw)).slice(0, 80);

/** An absolute http(s) URL, with the scheme added if it starts with a host; null otherwise. */
export const webUrl = (raw: string): string | null => {
  const text = raw.trim();
  const full = text.startsWith('//') ? `https:${text}` : text;
  if (full.length > 4000 || /[\s<>"]/.test(full) || !URL.canParse(full)) return null;
  const url = new URL(full);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.') ? full : null;
};
