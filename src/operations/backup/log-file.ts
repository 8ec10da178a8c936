import { z } from 'zod';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { EventLog, Metadata, RecordedEvent } from '../../write/log/port.ts';

/** Lines of a log file, in batches. */
export type Lines = AsyncIterable<readonly string[]>;

export const eventOf = (text: string): RecordedEvent => line.parse(JSON.parse(text));

/**
 * IDs of settlements that are in the log but not in a snapshot of the metering, since they were published after it. The
 * backup leaves them out, so that the restored metering publishes them again.
 * @param after the log's head before the snapshot; the snapshot contains every settlement up to it.
 */
export const settledSince = async (
  snapshot: Queryable,
  log: EventLog,
  after: bigint,
  to: bigint,
): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  const wanted = { types: ['UsageSettled'], streamPrefixes: ['holder-'], to };
  for await (const page of log.readAll(after, wanted)) {
    for (const { id, stream, data } of page.events) {
      const { rowCount } = await snapshot.query(sql`
        select from metering.periods where holder = ${stream.slice('holder-'.length)}
          and period = ${(data as { period: number }).period} and settled_at is not null`);
      if (rowCount === 0) ids.add(id);
    }
  }
  return ids;
};

/** The log's events up to a position, as they are stored, a page at a time. */
export async function* logLines(
  log: EventLog,
  to: bigint,
  excludeIds: ReadonlySet<string>,
  signal: AbortSignal,
  onProgress: (done: bigint, total: bigint) => void,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const page of log.readAll(0n, { to, excludeIds, raw: true, pageSize: 2_000 })) {
    signal.throwIfAborted();
    yield page.events.map(lineOf);
    onProgress(page.endPosition, to);
  }
}

/** An event as one line. Positions and revisions are text: a JSON number holds no 64 bits. */
const lineOf = (event: RecordedEvent): string =>
  JSON.stringify({ ...event, position: String(event.position), revision: String(event.revision) });

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
