import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { isInDirectory } from '../../../src/platforms/index.ts';
import type { AppliedEvent, Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { subscribes } from '../../../src/projections/subscription.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { platformOf } from '../../../src/write/stream-platform.ts';
import { differences, sizes } from '../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type ErasedHistory, erasedHistory } from '../../support/erased-histories.ts';

let database: TestDatabase;
let history: ErasedHistory;
let schemas = 0;

beforeAll(async () => {
  database = await createTestDatabase(undefined, 'migrated');
  history = erasedHistory(seededRandom(49));
});
afterAll(() => database.drop());

/** Names what is being erased, as long as a build is to forget it. */
const open = async (): Promise<void> => {
  for (const { subject, account } of history.erasures)
    await database.db.query(sql`
      insert into erasure.open (subject, platform, native_id, handles, tenures)
      values (${subject}, ${account.platform}, ${account.native_id}, ${account.handles}::text[], '[]')`);
};

const close = () => database.db.query(sql`delete from erasure.open`);

const forgetting = projections.filter(({ forgets }) => forgets !== 'no accounts');

/** Groups of events, in the order of each, drawn into one order. */
const interleaved = <Event>(
  events: readonly Event[],
  groupOf: (event: Event) => unknown,
): readonly Event[] => {
  const random = seededRandom(7);
  const groups = [...Map.groupBy(events, groupOf).values()].map((group) => ({ group, next: 0 }));
  const drawn: Event[] = [];
  while (groups.length > 0) {
    const n = random.int(groups.length);
    const chosen = groups[n] as (typeof groups)[number];
    drawn.push(chosen.group[chosen.next] as Event);
    chosen.next += 1;
    if (chosen.next === chosen.group.length) groups.splice(n, 1);
  }
  return drawn;
};

/** Another order in which a view may get events: of each stream where it shares out topics, of each platform where these. */
const otherOrder = <Event>(
  { order }: Projection,
  events: readonly Event[],
  streamOf: (event: Event) => string,
): readonly Event[] => {
  if (order === 'stream') return interleaved(events, streamOf);
  const isOfPools = (event: Event) => platformOf(streamOf(event)) === null;
  if (order === 'global') return events;
  const rest = events.filter((event) => !isOfPools(event));
  return [...events.filter(isOfPools), ...interleaved(rest, (event) => platformOf(streamOf(event)))];
};

/** A build that has events applied, in transactions of a few or, as one without readers, written once at the end. */
const built = async (
  projection: Projection,
  events: readonly AppliedEvent[],
  isWrittenOnce: boolean,
): Promise<string> => {
  const schema = `erased_${projection.name}_${schemas++}`;
  await database.db.query(sql`create schema ${ident(schema)}`);
  await database.db.query(raw(projection.tables(schema)));
  const fold = projection.open(schema);
  const random = seededRandom(3);
  const wanted = events.filter((event) => subscribes(projection, event));
  for (let from = 0; from < wanted.length; ) {
    const batch = wanted.slice(from, from + 1 + random.int(60));
    from += batch.length;
    const isLast = from === wanted.length;
    await inTransaction(database.db, async (client) => {
      await fold.load(client, batch);
      for (const event of batch) fold.apply(event);
      if (!isWrittenOnce || fold.building === undefined || isLast) await fold.store(client);
    });
  }
  return schema;
};

/** The canaries that rows of a build have, by table. */
const shownIn = async (schema: string): Promise<readonly string[]> => {
  const canaries = history.erasures.flatMap((erasure) => erasure.canaries);
  const shown: string[] = [];
  for (const table of Object.keys(await sizes(database.db, schema))) {
    const { rows } = await database.db.query<{ canary: string }>(sql`
      select distinct canary from unnest(${canaries}::text[]) canary
        join ${ident(schema)}.${ident(table)} t on strpos(to_jsonb(t)::text, canary) > 0`);
    shown.push(...rows.map(({ canary }) => `${table}: ${canary}`));
  }
  return shown;
};

describe('a history in which accounts are erased', () => {
  it('has handles that others took over before and after, and that nobody did', () => {
    const erased = history.told.flatMap(({ event }) =>
      event.type === 'AccountErased' ? [event.data as { from: number; since: string | null }] : [],
    );
    expect(history.erasures).toHaveLength(16);
    expect(erased.filter(({ since }) => since !== null).length).toBeGreaterThan(5);
    expect(erased.filter(({ since, from }) => since === null && from >= 0).length).toBeGreaterThan(30);
  });
});

describe.each(forgetting.map((projection) => [projection.name, projection] as const))(
  'of erased accounts, the view %s',
  (_, projection) => {
    it('has exactly what a rebuild makes of the log without them, and names none', async () => {
      const { told } = history;
      await open();
      const live = await built(projection, history.throughFence(told), false);
      const other = await built(
        projection,
        history.throughFence(otherOrder(projection, told, ({ event }) => event.stream)),
        false,
      );
      await close();
      const rebuilt = await built(projection, history.left, true);
      expect(await differences(database.db, live, rebuilt)).toEqual([]);
      expect(await differences(database.db, other, rebuilt)).toEqual([]);
      expect(await shownIn(live)).toEqual([]);
      expect(Object.values(await sizes(database.db, live)).some((n) => n > 0)).toBe(true);
    });
  },
);

it('the feed of the directory tells of each erasure once, and names nobody', async () => {
  const schema = await built(directory, history.left, true);
  const { rows } = await database.db.query(sql`
    select platform, entry, native_id, handle, before, after from ${ident(schema)}.changes
      where kind = 'erased' order by position`);
  const nobody = { entry: null, native_id: null, handle: null, before: null, after: null };
  expect(rows).toEqual(
    history.erasures
      .filter(({ account }) => isInDirectory(account.platform))
      .map(({ account }) => ({ platform: account.platform, ...nobody })),
  );
});

it('each view that has a handler of an erasure subscribes to it, and no other does', () => {
  for (const { name, types, forgets } of projections)
    expect(types.includes('AccountErased'), name).toBe(forgets !== 'no accounts');
});
