import { describe, expect, it } from 'vitest';
import { catchUpFromLog } from '../../../src/projections/consumer/partition-applier.ts';
import type { Parking } from '../../../src/projections/dead-letters/parking.ts';
import { ApplyEventError } from '../../../src/projections/stalls.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import type { PartitionBatch } from '../../../src/projections/writer.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { type EventDeserializationError, withValidation } from '../../../src/write/log/codec.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { partitionFor, partitionKey } from '../../../src/write/messaging/message.ts';
import { emptyControl } from '../../../src/write/projection-control.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

const PAGE = 2_000;

const placeOfHandle = (handle: string): string => {
  const partition = partitionFor(`account-x:${handle}`);
  return partitionKey(String(partition?.topic.name), partition?.partition ?? -1);
};

const [own, other] = ['nasa', 'esa'].map(placeOfHandle) as [string, string];

const event = (position: number, handle = 'nasa', more: Partial<RecordedEvent> = {}): RecordedEvent =>
  decodeEvent(position, { stream: `account-x:${handle}`, ...more });

/** Nothing can be parked: what can't be applied or read stalls its partition. */
const stalling: Parking = {
  control: () => emptyControl,
  reload: async () => emptyControl,
  isOutdated: async () => false,
  park: async () => false,
  retryAfterUpgrade: async () => undefined,
};

/** Pages that are read ahead of what is applied. */
const READ_AHEAD = 1;

/** Brings partitions on from the start, and says what was taken in, and what stopped. */
const caughtUp = async (events: readonly RecordedEvent[], partitions: readonly string[], fails?: bigint) => {
  const { log, counted } = memoryLog(events);
  const taken: PartitionBatch[] = [];
  const stopped = await catchUpFromLog(new Map(partitions.map((partition) => [partition, 0n])), {
    log: withValidation(log, eventTypes),
    projection: accounts,
    parking: stalling,
    isParked: () => false,
    isOver: () => false,
    apply: async (runs) => {
      const failures = new Map<string, ApplyEventError>();
      for (const run of runs) {
        const bad = run.events.find(({ position }) => position === fails);
        if (bad === undefined) taken.push(run);
        else failures.set(run.partition, new ApplyEventError('accounts', bad, 'poison'));
      }
      return failures;
    },
  });
  return { taken, stopped, pages: counted.pages };
};

describe('what is read from the log in place of Kafka', () => {
  it('is each partition’s own, up to the end', async () => {
    expect(own).not.toBe(other);
    const { taken } = await caughtUp([event(1), event(2, 'esa'), event(3)], [own]);
    expect(
      taken.map(({ partition, endPosition, events }) => [
        partition,
        endPosition,
        events.map((e) => e.position),
      ]),
    ).toEqual([[own, 3n, [1n, 3n]]]);
  });

  it('ends once all of its partitions have stopped', async () => {
    const events = Array.from({ length: 5 * PAGE }, (_, i) => event(i + 1));
    const { stopped, pages } = await caughtUp(events, [own], 1n);
    expect([...stopped.keys()]).toEqual([own]);
    expect(pages).toBe(1 + READ_AHEAD);
  });

  it('comes in pieces, so that other partitions get their turn', async () => {
    const events = Array.from({ length: 25 * PAGE }, (_, i) => event(i + 1));
    const { taken, pages } = await caughtUp(events, [own]);
    expect(pages).toBe(20 + READ_AHEAD);
    expect(taken.at(-1)?.endPosition).toBe(BigInt(20 * PAGE));
  });

  it('stops a partition at its own unreadable event, and no other partition', async () => {
    const unreadable = { data: { observed_at: 'soon' } };
    const events = [event(1), event(2, 'esa', unreadable), event(3), event(4, 'nasa', unreadable), event(5)];
    const { stopped, taken } = await caughtUp(events, [own]);
    expect([...stopped.keys()]).toEqual([own]);
    expect((stopped.get(own) as EventDeserializationError).event.position).toBe(4n);
    expect(taken.at(-1)?.endPosition).toBe(3n);
  });
});
