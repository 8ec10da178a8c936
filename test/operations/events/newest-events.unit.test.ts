import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newestEvents } from '../../../src/operations/events/newest-events.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

const event = fc.record({
  gap: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30_000 })),
  isWanted: fc.boolean(),
});

it('looking further back shows every event that matches once, the newest first, however many fit on a page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      async (drawn, limit) => {
        let position = 0;
        const events = drawn.map(({ gap, isWanted }) => {
          position += gap;
          return decodeEvent(position, { stream: isWanted ? 'engine-x' : 'engine-y' });
        });
        const { log } = memoryLog(events);
        const shown: string[] = [];
        let before: bigint | null | undefined;
        while (before !== null) {
          const newest = await newestEvents(
            { log },
            { filter: {}, limit, nowMs: 0, before, matches: ({ stream }) => stream === 'engine-x' },
          );
          expect(newest.events.length).toBeLessThanOrEqual(limit);
          shown.push(...newest.events.map(({ id }) => id));
          before = newest.before;
        }
        const wanted = events.filter(({ stream }) => stream === 'engine-x').toReversed();
        expect(shown).toEqual(wanted.map(({ id }) => id));
      },
    ),
  );
});
