import { describe, expect, it } from 'vitest';
import { accounts } from '../../../src/projections/accounts.ts';
import { nothingSaid } from '../../../src/projections/dead-letters/control.ts';
import type { Parking } from '../../../src/projections/dead-letters/parking.ts';
import type { Run } from '../../../src/projections/steps.ts';
import { UnhandledEvent } from '../../../src/projections/unhandled.ts';
import { fromLog } from '../../../src/projections/worker/from-log.ts';
import { eventCatalog } from '../../../src/write/catalog.ts';
import { placeName, placeOf } from '../../../src/write/fanout/topics.ts';
import { openDoor } from '../../../src/write/log/door.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import type { UnreadableEvent } from '../../../src/write/log/read-door.ts';
import { memoryLog, recordedEvent } from '../../support/memory-log.ts';

const PAGE = 2_000;

const placeOfHandle = (handle: string): string => {
  const place = placeOf(`account-x:${handle}`);
  return placeName(String(place?.topic.name), place?.partition ?? -1);
};

const [own, other] = ['nasa', 'esa'].map(placeOfHandle) as [string, string];

const event = (position: number, handle = 'nasa', more: Partial<RecordedEvent> = {}): RecordedEvent =>
  recordedEvent(position, { stream: `account-x:${handle}`, ...more });

/** Nothing can be parked: what can't be applied or read stalls its place. */
const stalling: Parking = {
  control: () => nothingSaid,
  reload: async () => nothingSaid,
  isOutdated: async () => false,
  park: async () => false,
  retryAfterUpgrade: async () => undefined,
};

/** Brings places on from the start, and says what was taken in, and what stopped. */
const caughtUp = async (events: readonly RecordedEvent[], places: readonly string[], fails?: bigint) => {
  const { log, counted } = memoryLog(events);
  const taken: Run[] = [];
  const stopped = await fromLog(new Map(places.map((place) => [place, 0n])), {
    log: openDoor(log, eventCatalog),
    projection: accounts,
    parking: stalling,
    isParked: () => false,
    isOver: () => false,
    take: async (runs) => {
      const failures = new Map<string, UnhandledEvent>();
      for (const run of runs) {
        const bad = run.events.find(({ position }) => position === fails);
        if (bad === undefined) taken.push(run);
        else failures.set(run.place, new UnhandledEvent('accounts', bad, 'poison'));
      }
      return failures;
    },
  });
  return { taken, stopped, pages: counted.pages };
};

describe('what is read from the log instead of Kafka', () => {
  it('is each place’s own, up to the end', async () => {
    expect(own).not.toBe(other);
    const { taken } = await caughtUp([event(1), event(2, 'esa'), event(3)], [own]);
    expect(
      taken.map(({ place, through, events }) => [place, through, events.map((e) => e.position)]),
    ).toEqual([[own, 3n, [1n, 3n]]]);
  });

  it('is read no further once all its places have stopped', async () => {
    const events = Array.from({ length: 5 * PAGE }, (_, i) => event(i + 1));
    const { stopped, pages } = await caughtUp(events, [own], 1n);
    expect([...stopped.keys()]).toEqual([own]);
    expect(pages).toBe(1);
  });

  it('comes in pieces, so that other places get their turn', async () => {
    const events = Array.from({ length: 25 * PAGE }, (_, i) => event(i + 1));
    const { taken, pages } = await caughtUp(events, [own]);
    expect(pages).toBe(20);
    expect(taken.at(-1)?.through).toBe(BigInt(20 * PAGE));
  });

  it('stops a place at what can’t be read there, and no place for what is another’s', async () => {
    const unreadable = { data: { observed_at: 'soon' } };
    const events = [event(1), event(2, 'esa', unreadable), event(3), event(4, 'nasa', unreadable), event(5)];
    const { stopped, taken } = await caughtUp(events, [own]);
    expect([...stopped.keys()]).toEqual([own]);
    expect((stopped.get(own) as UnreadableEvent).event.position).toBe(4n);
    expect(taken.at(-1)?.through).toBe(3n);
  });
});
