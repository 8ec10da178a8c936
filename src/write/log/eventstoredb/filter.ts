import type { EventFilter, RecordedEvent } from '../port.ts';

/** What the server leaves out: it filters by streams or by types, not by both. */
export type ServerFilter =
  | { readonly on: 'stream' | 'type'; readonly prefixes: readonly string[] }
  | { readonly on: 'type'; readonly regex: string };

/** Everything that is not the server's own: its events have types that begin with a dollar sign. */
export const NO_SYSTEM: ServerFilter = { on: 'type', regex: '^[^$].*' };

export interface SplitFilter {
  /** Null where nothing can be wanted. */
  readonly server: ServerFilter | null;
  /** What is left to be looked at here. */
  readonly wants: (event: Pick<RecordedEvent, 'type' | 'stream'>) => boolean;
}

/**
 * Streams are the server's part where both are given: prefixes are just what it knows, while of types it knows prefixes
 * too, and `AccountSighted` is not to bring an `AccountSightedAgain`.
 */
export const splitFilter = ({ streamPrefixes, types }: EventFilter): SplitFilter => {
  const known = types === undefined ? null : new Set(types);
  const wants: SplitFilter['wants'] = ({ stream, type }) =>
    !type.startsWith('$') &&
    (known === null || known.has(type)) &&
    (streamPrefixes === undefined || streamPrefixes.some((prefix) => stream.startsWith(prefix)));
  const none = types?.length === 0 || streamPrefixes?.length === 0;
  const prefixes = streamPrefixes?.every((prefix) => prefix !== '') === true ? streamPrefixes : undefined;
  if (none) return { server: null, wants };
  if (prefixes !== undefined) return { server: { on: 'stream', prefixes }, wants };
  return { server: types === undefined ? NO_SYSTEM : { on: 'type', prefixes: types }, wants };
};
