import type { EventFilter, RecordedEvent } from '../port.ts';

/** A server-side filter: EventStoreDB filters by streams or by types, not by both. */
export type ServerFilter =
  | { readonly on: 'stream' | 'type'; readonly prefixes: readonly string[] }
  | { readonly on: 'type'; readonly regex: string };

/** Excludes system events, whose types begin with a dollar sign. */
export const NO_SYSTEM: ServerFilter = { on: 'type', regex: '^[^$].*' };

export interface SplitFilter {
  /** Null if no event can match. */
  readonly server: ServerFilter | null;
  /** The client-side rest of the filter. */
  readonly wants: (event: Pick<RecordedEvent, 'type' | 'stream'>) => boolean;
}

/**
 * Splits a filter. If both are given, streams are filtered by the server: it matches prefixes, which is exact for
 * streams, while for types `AccountSighted` would also match `AccountSightedAgain`.
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
