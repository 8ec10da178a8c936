import { z } from 'zod';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { Fence } from '../../write/erasure/fence.ts';
import { lineOf } from '../../write/log/archive.ts';
import type { EventLog, EventPage, Metadata, RecordedEvent } from '../../write/log/port.ts';

/** Lines of a log file, in batches. */
export type Lines = AsyncIterable<readonly string[]>;

export const eventOf = (text: string): RecordedEvent => line.parse(JSON.parse(text));

/**
 * IDs of settlements that are in the log but not in a snapshot of the metering, since they were published after it. The
 * backup leaves them out, so that the restored metering publishes them again.
 * @param after the log's head before the snapshot; the snapshot contains every settlement up to it.
 * @returns the IDs, and the position of the first of them; null if there is none.
 */
export const settledSince = async (
  snapshot: Queryable,
  log: EventLog,
  after: bigint,
  to: bigint,
): Promise<{ readonly excludeIds: ReadonlySet<string>; readonly firstExcluded: bigint | null }> => {
  const ids = new Set<string>();
  let firstExcluded: bigint | null = null;
  const wanted = { types: ['UsageSettled'], streamPrefixes: ['holder-'], to };
  for await (const page of log.readAll(after, wanted)) {
    for (const { id, stream, data, position } of page.events) {
      const { rowCount } = await snapshot.query(sql`
        select from metering.periods where holder = ${stream.slice('holder-'.length)}
          and period = ${(data as { period: number }).period} and settled_at is not null`);
      if (rowCount !== 0) continue;
      ids.add(id);
      firstExcluded ??= position;
    }
  }
  return { excludeIds: ids, firstExcluded };
};

/** The log's events of a range, as they are stored, a page at a time: without those that EventStoreDB only shows until a scavenge. */
export async function* logLines(
  { log, fence }: { readonly log: EventLog; readonly fence: Pick<Fence, 'erased'> },
  { after, to, excludeIds }: LogRange,
  signal: AbortSignal,
  onPage: (page: EventPage) => void,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const page of log.readAll(after, {
    to,
    excludeIds,
    raw: true,
    suppressed: true,
    pageSize: 2_000,
  })) {
    signal.throwIfAborted();
    yield page.events.filter((event) => !fence.erased.isVoid(event)).map(lineOf);
    onPage(page);
  }
}

/** Lines of events that follow one another, up to a position. */
export async function* linesUpTo(
  lines: Lines,
  last: bigint,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const batch of lines) yield batch.filter((text) => eventOf(text).position <= last);
}

interface LogRange {
  readonly after: bigint;
  readonly to: bigint;
  readonly excludeIds: ReadonlySet<string>;
}

const whole = z.string().regex(/^\d+$/).transform(BigInt);

const line = z.strictObject({
  id: z.uuid(),
  stream: z.string(),
  revision: whole,
  position: whole,
  type: z.string(),
  data: z.unknown(),
  metadata: z.looseObject({}).transform((metadata) => metadata as Metadata),
  recorded_at: z.iso.datetime(),
});
