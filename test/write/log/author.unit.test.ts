import { expect, it } from 'vitest';
import { withAuthor } from '../../../src/write/log/author.ts';
import type { EventLog, NewEvent } from '../../../src/write/log/port.ts';

const author = { actor: 'local:ann', reason: 'a test' };
const event = (more: Partial<NewEvent> = {}): NewEvent => ({ id: '1', type: 'Noted', data: {}, ...more });

it('a signed log signs what it appends, to one stream or to many, and leaves metadata that events bring', async () => {
  const taken: NewEvent[] = [];
  const log = withAuthor(
    {
      append: async (_: string, events: readonly NewEvent[]) => void taken.push(...events),
      appendMany: async (appends: readonly { events: readonly NewEvent[] }[]) =>
        void taken.push(...appends.flatMap(({ events }) => events)),
    } as unknown as EventLog,
    author,
  );
  const events = [event(), event({ metadata: {} }), event({ metadata: { request_id: 'req_1' } })];
  await log.append('notes-1', events, 'any');
  await log.appendMany([{ stream: 'notes-1', events, expected: 'any' }]);
  const expected = [author, {}, { request_id: 'req_1' }];
  expect(taken.map(({ metadata }) => metadata)).toEqual([...expected, ...expected]);
});
