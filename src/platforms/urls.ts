import type { Subject } from './descriptor.ts';

export const named = (parseHandle: (text: string) => string | null, name: string | null): Subject => {
  const handle = name === null ? null : parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

/** Parts of a profile that platforms show at an address of their own, as `/videos`. */
export const tabs = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Whether a path is a profile's, after `depth` parts that name it: bare, or with one of its tabs. */
export const isProfile = (parts: readonly string[], depth: number, names: ReadonlySet<string>): boolean =>
  parts.length === depth || (parts.length === depth + 1 && names.has((parts[depth] ?? '').toLowerCase()));

export const isHost = (url: URL, domain: string): boolean =>
  url.hostname === domain || url.hostname.endsWith(`.${domain}`);

/** A part of a path without its escapes; the part itself if they are none. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
