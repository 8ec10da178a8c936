import { afterAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import type { AccountEvent } from '../../../src/write/accounts/account.ts';
import { doorOf } from '../../../src/write/erasure/cleanse.ts';
import { Ledger } from '../../../src/write/erasure/fence.ts';
import { createMarker, markOf, SUBJECTS_STREAM } from '../../../src/write/erasure/subject.ts';
import { truncateInLog } from '../../../src/write/erasure/truncate-log.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder, withValidation } from '../../../src/write/log/codec.ts';
import type { EventStoreLog } from '../../../src/write/log/eventstoredb/index.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { collect, openTestLog } from '../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';
import { posted, sighted, unchanged } from '../../support/program.ts';

const marker = createMarker(Buffer.alloc(32, 5));
const ID = '990017001';
const STREAM = 'account-x:ada';
const FRIEND = 'account-x:friend';
const OPTIONS = { signal: new AbortController().signal, onProgress: () => undefined };
const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString();

const hers = (minute: number) => [
  sighted('ada', at(minute), { id: ID, bio: 'biocanary' }),
  posted(at(minute + 1), { id: `${minute}`, text: 'postcanary', at: at(minute) }),
  unchanged(at(minute + 2)),
];
const others = (id: string, minute: number) => [
  sighted('ada', at(minute), { id, bio: `of ${id}` }),
  posted(at(minute + 1), { id: `${minute}`, text: `by ${id}`, at: at(minute) }),
];

/** Whose events a stream has, in order. */
const HISTORIES = {
  'her own alone': [hers(1)],
  'hers, and then another’s': [hers(1), others('41', 10)],
  'another’s, and then hers': [others('41', 1), hers(10)],
  'another’s on both sides of hers': [others('41', 1), hers(10), others('42', 20)],
  'hers twice': [hers(1), others('41', 10), hers(20), others('42', 30)],
} satisfies Record<string, readonly (readonly AccountEvent[])[]>;

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

interface World {
  readonly node: TestNode;
  readonly raw: EventStoreLog;
  readonly log: EventLog;
  readonly fence: Ledger;
  readonly subject: string;
  /** Follows the ledger. */
  refresh(): Promise<void>;
}

/** A log that has a history, and a friend who names her, in which she was just erased. */
const erased = async (history: readonly (readonly AccountEvent[])[]): Promise<World> => {
  const node = await openNode();
  const raw = openTestLog(node.url);
  closing.push(node.close, raw.close);
  const fence = new Ledger(marker);
  const log = withValidation(raw, eventTypes, doorOf(fence));
  for (const event of history.flat()) await append(raw, STREAM, event);
  await append(raw, FRIEND, sighted('friend', at(5), { id: '7', bio: 'with @ada' }));
  const id = markOf(marker, 'x', 'id', ID);
  const handles = [markOf(marker, 'x', 'handle', 'ada')];
  const data = { at: at(50), platform: 'x', subject: id.digest, id, handles };
  await append(raw, SUBJECTS_STREAM, { type: 'SubjectErased', data });
  const refresh = async () => {
    for (const event of await raw.readStream(SUBJECTS_STREAM, { from: fence.revision + 1n }))
      fence.apply(event);
  };
  await refresh();
  return { node, raw, log, fence, subject: id.digest, refresh };
};

const append = (log: EventLog, stream: string, event: { type: string; data: unknown }) =>
  log.append(stream, [{ id: uuidV7(Date.now()), ...event }], 'any');

/** The same world, whose process is gone from a write on. */
const dying = (log: EventStoreLog, after: number) => {
  let writes = 0;
  const step = () => {
    if (writes++ >= after) throw new Error('the process is gone');
  };
  const dead: EventStoreLog = {
    ...log,
    append: async (...args) => {
      step();
      return log.append(...args);
    },
    truncate: async (...args) => {
      step();
      return log.truncate(...args);
    },
  };
  return { dead, writes: () => writes };
};

const truncate = ({ fence, subject }: World, log: EventStoreLog) =>
  truncateInLog(
    { log, ledger: log, decoder: createDecoder(eventTypes), fence, marker },
    new Set([subject]),
    OPTIONS,
  );

const shown = (events: readonly { readonly type: string; readonly data: unknown }[]) =>
  events.map(({ type, data }) => ({ type, data }));

/** What readers of the whole log and of the stream get, before and after a scavenge. */
const expectForgotten = async (world: World, history: readonly (readonly AccountEvent[])[]) => {
  const { node, log, refresh } = world;
  await refresh();
  const left = shown(history.filter(([first]) => !JSON.stringify(first).includes(ID)).flat());
  for (const step of ['truncated', 'scavenged']) {
    if (step === 'scavenged') node.store.scavenge();
    const all = await collect(log.readAll(0n));
    expect(shown(all.filter(({ stream }) => stream === STREAM)), step).toMatchObject(left);
    expect(all.filter(({ stream }) => stream === STREAM)).toHaveLength(left.length);
    expect(shown(await log.readStream(STREAM)), step).toMatchObject(left);
    expect(await log.readStream(FRIEND)).toMatchObject([{ data: { profile: { bio: 'with @…' } } }]);
  }
  const records = node.store.records.map(({ data }) => Buffer.from(data).toString()).join('');
  expect(['biocanary', 'postcanary', ID].filter((canary) => records.includes(canary))).toEqual([]);
};

describe.each(Object.entries(HISTORIES))('of a stream that has %s', (_, history) => {
  it('what is not hers is left in its order, wherever a run of the eraser ended', async () => {
    const whole = await erased(history);
    const counting = dying(whole.raw, Number.POSITIVE_INFINITY);
    const { events, references } = await truncate(whole, counting.dead);
    expect({ events, references }).toEqual({
      events:
        history.flat().length -
        history.filter(([first]) => !JSON.stringify(first).includes(ID)).flat().length,
      references: 1,
    });
    await expectForgotten(whole, history);
    for (let after = 0; after < counting.writes(); after++) {
      const world = await erased(history);
      await expect(truncate(world, dying(world.raw, after).dead)).rejects.toThrow('the process is gone');
      await world.refresh();
      await truncate(world, world.raw);
      await expectForgotten(world, history);
    }
  });

  it('a later owner begins where its writer expects, and what he has is read', async () => {
    const world = await erased(history);
    await truncate(world, world.raw);
    await world.refresh();
    const [last] = await world.log.readStream(STREAM, { direction: 'backwards', limit: 1 });
    const event = { id: uuidV7(Date.now()), ...sighted('ada', at(55), { id: '43' }) };
    const outcome = await world.log.append(STREAM, [event], last?.revision ?? 'no_stream');
    expect(outcome.status).toBe('appended');
    expect(await world.log.append(STREAM, [event], last?.revision ?? 'no_stream')).toEqual(outcome);
    const read = await world.log.readStream(STREAM);
    expect(read.at(-1)).toMatchObject({ id: event.id, revision: (outcome as { revision: bigint }).revision });
  });
});

it('what named an account before its handle was another’s stays masked, and what does later is not', async () => {
  const world = await erased(HISTORIES['her own alone']);
  const { log, subject, refresh } = world;
  const handle = marker.digest('x', 'handle', 'ada');
  await append(log, SUBJECTS_STREAM, { type: 'SubjectHandleLifted', data: { at: at(60), subject, handle } });
  await refresh();
  await append(log, FRIEND, sighted('friend', at(61), { id: '7', bio: 'now with @ada' }));
  const bios = (await log.readStream(FRIEND)).map(
    ({ data }) => (data as { profile: { bio: string } }).profile.bio,
  );
  expect(bios).toEqual(['with @…', 'now with @ada']);
});

it('other settings of a stream stay when it is truncated', async () => {
  const { raw, node } = await erased(HISTORIES['her own alone']);
  await append(raw, `$$${STREAM}`, { type: '$metadata', data: { $maxCount: 1_000 } });
  await raw.truncate(STREAM, 2n);
  await raw.truncate(STREAM, 1n);
  expect((await raw.readStream(`$$${STREAM}`)).at(-1)?.data).toEqual({ $maxCount: 1_000, $tb: 2 });
  expect(node.store.beginOf(STREAM)).toBe(2n);
});
