import { expect, it } from 'vitest';
import { uuidV7 } from '../../../../src/kernel/ids.ts';
import type { Db } from '../../../../src/kernel/postgres/pool.ts';
import { type Append, LogRequestRejectedError } from '../../../../src/write/log/port.ts';
import { createAppender } from '../../../../src/write/log/postgres.ts';

/** Statements that are answered by hand; each appends all its batches. */
const handAnswered = () => {
  const seen: string[] = [];
  const answers: (() => void)[] = [];
  const query = ({ values }: { readonly values: readonly unknown[] }) => {
    const counts = values[2] as readonly number[];
    // As the pool does, which looks for a connection first.
    process.nextTick(() => seen.push(`sent ${counts.join('+')}`));
    return new Promise((resolve) => {
      const rows = counts.map(() => ({ outcome: 'appended', last_revision: '0', last_position: '1' }));
      answers.push(() => resolve({ rows }));
    });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Answers the next statement, once it is there. */
  const answer = async () => {
    while (answers.length === 0) await turn();
    answers.shift()?.();
  };
  return { seen, appender: createAppender({ query } as unknown as Db), answer, turn };
};

const appendOf = (stream: string, events: number): Append => ({
  stream,
  expected: 'any',
  events: Array.from({ length: events }, () => ({ id: uuidV7(Date.now()), type: 'T', data: {} })),
});

it('a large waiting batch is sent before the callers of the last batch are answered', async () => {
  const { seen, appender, answer, turn } = handAnswered();
  const first = appender.append(appendOf('a', 300)).then(() => seen.push('a answered'));
  await turn();
  const second = appender.append(appendOf('b', 300)).then(() => seen.push('b answered'));
  await answer();
  await first;
  await answer();
  await second;
  expect(seen).toEqual(['sent 300', 'sent 300', 'a answered', 'b answered']);
});

it('a few waiting events share a statement with the next appends of the answered callers', async () => {
  const { seen, appender, answer, turn } = handAnswered();
  const again = appender.append(appendOf('a', 1)).then(() => appender.append(appendOf('a', 2)));
  await turn();
  const waiting = appender.append(appendOf('b', 1));
  await answer();
  await answer();
  await Promise.all([again, waiting]);
  expect(seen).toEqual(['sent 1', 'sent 1+2']);
});

it('a batch has at most 1,000 events, or one append', async () => {
  const { seen, appender, answer } = handAnswered();
  const all = ['a', 'b', 'c', 'd'].map((stream, i) =>
    appender.append(appendOf(stream, i === 3 ? 1_200 : 500)),
  );
  for (let i = 0; i < 3; i++) await answer();
  await Promise.all(all);
  expect(seen).toEqual(['sent 500+500', 'sent 500', 'sent 1200']);
});

it('an ID that is not a UUID is refused before anything is sent', async () => {
  const { seen, appender, turn } = handAnswered();
  const bad = { stream: 'a', expected: 'any' as const, events: [{ id: 'not-one', type: 'T', data: {} }] };
  await expect(appender.append(bad)).rejects.toThrow(LogRequestRejectedError);
  await turn();
  expect(seen).toEqual([]);
});
