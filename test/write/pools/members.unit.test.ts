import { beforeEach, describe, expect, it } from 'vitest';
import type { Append, AppendOutcome, EventLog, NewEvent } from '../../../src/write/log/port.ts';
import { type Recruitment, type Revisions, recruitMembers } from '../../../src/write/pools/pool.ts';

let streams: Map<string, NewEvent[]>;
let appends: Append[];

/** Appends at the expected revision only, and can't be read. */
const log = {
  indexesIds: false,
  appendMany: async (batch: readonly Append[]): Promise<readonly AppendOutcome[]> =>
    batch.map((append) => {
      appends.push(append);
      const events = streams.get(append.stream) ?? [];
      const last = events.length === 0 ? null : BigInt(events.length - 1);
      if ((last ?? 'no_stream') !== append.expected) return { status: 'conflict', revision: last };
      streams.set(append.stream, [...events, ...append.events]);
      const revision = BigInt(events.length + append.events.length - 1);
      return { status: 'appended', revision, position: revision };
    }),
} as Partial<EventLog> as EventLog;

beforeEach(() => {
  streams = new Map();
  appends = [];
});

const recruitment = (name: string, pool = 'press', count = 1): Recruitment => ({
  platform: 'x',
  pool,
  observed_at: '2026-06-01T00:00:00.000Z',
  members: Array.from({ length: count }, (_, i) => ({
    handle: `${name}${i}`,
    via: 'mention',
    from: null,
    depth: 1,
  })),
});

const handlesOf = (stream: string): readonly string[] =>
  (streams.get(stream) ?? []).flatMap(({ data }) =>
    (data as { members: { handle: string }[] }).members.map(({ handle }) => handle),
  );

describe('a recruitment', () => {
  it('is one append at the known revision, without reading the stream', async () => {
    const revisions: Revisions = new Map();
    for (let n = 0; n < 20; n++) await recruitMembers(log, [recruitment(`a${n}.`)], revisions);
    expect(appends.map(({ expected }) => expected)).toEqual([
      'no_stream',
      ...Array.from({ length: 19 }, (_, n) => BigInt(n)),
    ]);
  });

  it('succeeds after one conflict if another process recruited meanwhile, or this one just started', async () => {
    const [one, other]: Revisions[] = [new Map(), new Map()];
    for (let n = 0; n < 5; n++) {
      await recruitMembers(log, [recruitment(`one${n}.`)], one);
      await recruitMembers(log, [recruitment(`other${n}.`)], other);
    }
    expect(handlesOf('members-x:press')).toHaveLength(10);
    expect(appends).toHaveLength(19);
  });

  it('is split in order if it exceeds an event, for several pools side by side', async () => {
    await recruitMembers(log, [recruitment('many', 'press', 1_100), recruitment('few', 'fans', 3)]);
    expect(appends.map(({ stream }) => stream)).toEqual([
      'members-x:press',
      'members-x:fans',
      'members-x:press',
      'members-x:press',
    ]);
    expect(handlesOf('members-x:press')).toEqual(
      recruitment('many', 'press', 1_100).members.map(({ handle }) => handle),
    );
  });

  it('is appended at any revision where the log finds IDs by an index', async () => {
    const indexed: EventLog = {
      ...log,
      indexesIds: true,
      appendMany: async (batch) => {
        appends.push(...batch);
        return batch.map(() => ({ status: 'appended', revision: 7n, position: 7n }));
      },
    };
    await recruitMembers(indexed, [recruitment('a')]);
    await recruitMembers(indexed, [recruitment('b')]);
    expect(appends.map(({ expected }) => expected)).toEqual(['any', 'any']);
  });

  it('is refused, not retried for ever, if the log rejects its own revision', async () => {
    const refusing: EventLog = {
      ...log,
      appendMany: async (batch) => batch.map(() => ({ status: 'conflict', revision: null })),
    };
    await expect(recruitMembers(refusing, [recruitment('a')])).rejects.toThrow('members-x:press');
  });
});
