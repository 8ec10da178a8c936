import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { eventAt } from '../../../src/projections/subscription.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog, RecordedEvent } from '../../../src/write/log/port.ts';
import { loadControl, skipEvent } from '../../../src/write/projection-control.ts';
import { collect, openTestLog } from '../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';
import { sighted } from '../../support/program.ts';

let node: TestNode;
let raw: EventLog;
let log: EventLog;
beforeAll(async () => {
  node = await openNode();
  raw = openTestLog(node.url);
  log = withValidation(raw, eventTypes);
});
afterAll(async () => {
  await log.close();
  await node.close();
});

it('an event in EventStoreDB is found by its position and skipped; between events there is none', async () => {
  const events = ['one', 'two', 'three'].map((handle) => ({
    id: uuidV7(Date.now()),
    ...sighted(handle, '2026-10-01T00:00:00.000Z'),
  }));
  for (const [i, event] of events.entries()) await log.append(`account-x:nr${i}`, [event], 'any');
  await raw.append('account-x:broken', [{ id: uuidV7(Date.now()), type: 'AccountSighted', data: {} }], 'any');
  const recorded = await collect(raw.readAll(0n));
  for (const event of recorded) {
    expect((await eventAt(log, event.position))?.id).toBe(event.id);
    expect(await eventAt(log, event.position + 7n)).toBeNull();
  }
  const broken = recorded.at(-1) as RecordedEvent;
  expect(await skipEvent(log, accounts, broken, 'a test', Date.now())).toBe(true);
  expect(await skipEvent(log, accounts, broken, 'a test', Date.now())).toBe(false);
  const { skipped: ids } = await loadControl(log, accounts);
  const seen = await collect(log.readAll(0n, { types: ['AccountSighted'], excludeIds: ids }));
  expect(seen.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});
