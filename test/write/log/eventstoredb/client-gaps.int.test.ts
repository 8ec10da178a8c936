import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterEach, describe, expect, it } from 'vitest';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';

/** What the adapter needs of a client, in the client's own calls. */
interface Client {
  /** @param ms after which the append is abandoned, and those over other calls are not. */
  append(stream: string, id: string, ms?: number): Promise<unknown>;
  /** @returns how many events of a type the log has. The node is asked for no others, if the client can. */
  count(type: string): Promise<number>;
  close(): Promise<void>;
}

/** Add a client to see whether it does what the adapter does by itself (ADR 8). */
const CLIENTS: Readonly<Record<string, (node: TestNode) => Client>> = {
  '@eventstore/db-client': ({ endpoint }) => {
    const client = new EventStoreDBClient({ endpoint }, { insecure: true });
    return {
      append: (stream, id, ms) =>
        client.appendToStream(stream, jsonEvent({ id, type: 'Numbered', data: {} }), {
          ...(ms === undefined ? {} : { deadline: ms }),
        }),
      count: async (type) => {
        let n = 0;
        for await (const { event } of client.readAll()) n += event?.type === type ? 1 : 0;
        return n;
      },
      close: () => client.dispose(),
    };
  },
};

const proposed = (type: string) => [
  {
    ...{ id: randomUUID(), type, contentType: 'application/json' },
    data: Buffer.from('{}'),
    metadata: Buffer.from(''),
  },
];

const LIMIT_MS = 2_000;
const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

// A test that passes tells that the adapter can do without its own way.
describe.each(Object.entries(CLIENTS))('%s lacks', (_, open) => {
  const serve = async () => {
    const node = await openNode();
    const client = open(node);
    closers.unshift(
      () => client.close().catch(() => undefined),
      () => node.close(),
    );
    return { node, client };
  };
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      sleep(LIMIT_MS).then(() => {
        throw new Error('no answer in time');
      }),
    ]);

  it.fails('a filter of reads of the whole log', async () => {
    const { node, client } = await serve();
    for (let n = 0; n < 20; n++) node.store.append(`account-x:${n}`, 'no_stream', proposed('Other'));
    node.store.append('account-x:wanted', 'no_stream', proposed('Wanted'));
    expect(await client.count('Wanted')).toBe(1);
    expect(node.sent.events).toBe(1);
  });

  it.fails('appends that are abandoned one by one', async () => {
    const { node, client } = await serve();
    node.faults.mute = true;
    await expect(inTime(client.append('account-x:mute', randomUUID(), 200))).rejects.toThrow(/deadline/i);
  });

  it.fails('appends that outlive a failure of another connection', async () => {
    const [slow, broken] = [await serve(), await serve()];
    let answer: () => void = () => undefined;
    slow.node.faults.answersAfter = new Promise((resolve) => {
      answer = resolve;
    });
    const pending = slow.client.append('account-x:slow', randomUUID());
    pending.catch(() => undefined);
    broken.node.faults.breakAfterAppend = 1;
    await broken.client.append('account-x:broken', randomUUID()).catch(() => undefined);
    answer();
    await inTime(pending);
  });
});
