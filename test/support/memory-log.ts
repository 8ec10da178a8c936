import type { EventLog, RecordedEvent } from '../../src/write/log/port.ts';

/** An event as the log holds it, at a position. */
export const decodeEvent = (position: number | bigint, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  stream: 'account-x:nasa',
  revision: BigInt(position),
  position: BigInt(position),
  type: 'AccountUnchanged',
  data: { observed_at: '2026-11-21T08:00:00.000Z', source: 'crawler', surface: 'page', moved: {} },
  metadata: {},
  recorded_at: '2026-11-21T08:00:00.000Z',
  ...more,
});

/** The reading side of a log with these events; `pages` counts the requested pages. */
export const memoryLog = (events: readonly RecordedEvent[]) => {
  const counted = { pages: 0 };
  const log = {
    head: async () => events.at(-1)?.position ?? 0n,
    async *readAll(after: bigint, { to, pageSize = 1_000 }: { to?: bigint; pageSize?: number } = {}) {
      const wanted = events.filter((e) => e.position > after && (to === undefined || e.position <= to));
      for (let i = 0; i < wanted.length; i += pageSize) {
        counted.pages += 1;
        const page = wanted.slice(i, i + pageSize);
        yield { events: page, endPosition: page.at(-1)?.position ?? after };
      }
    },
  } as unknown as EventLog;
  return { log, counted };
};
