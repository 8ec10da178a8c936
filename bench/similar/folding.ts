import { type Db, inTransaction } from '../../src/kernel/postgres/pool.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { handles } from '../../src/projections/views/handles/projection.ts';
import { accountStream } from '../../src/write/accounts/events.ts';
import type { Named } from './workload.ts';

const BATCH = 1_000;

const event = (handle: string, type: string, data: object): AppliedEvent =>
  ({ stream: accountStream('tiktok', handle), type, data }) as unknown as AppliedEvent;

const perSecond = async (db: Db, schema: string, events: readonly AppliedEvent[]): Promise<number> => {
  const fold = handles.open(schema);
  const began = performance.now();
  for (let from = 0; from < events.length; from += BATCH) {
    const part = events.slice(from, from + BATCH);
    await inTransaction(db, async (client) => {
      await fold.load(client, part);
      for (const each of part) fold.apply(each);
      await fold.store(client);
    });
  }
  return events.length / ((performance.now() - began) / 1_000);
};

/** Events folded a second, commits included: first readings, then readings of which one in twenty moves the followers by a bin. */
export const measureFolding = async (db: Db, schema: string, names: readonly Named[]) => ({
  found: await perSecond(
    db,
    schema,
    names.map(({ handle, followers }) => event(handle, 'AccountSighted', { profile: { followers } })),
  ),
  read: await perSecond(
    db,
    schema,
    names.map(({ handle, followers }, n) =>
      event(handle, 'AccountUnchanged', {
        moved: { followers: n % 20 === 0 ? Math.round(followers * 1.03) : followers },
      }),
    ),
  ),
});
