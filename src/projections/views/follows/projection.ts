import { versionPerPlatform } from '../../../kernel/platform.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { Batch, listOf } from './store.ts';
import { withPart } from './sweeps.ts';
import { secondsOf, tables } from './tables.ts';

const handlers: Handlers<Batch> = {
  FollowsSighted: (batch, { stream, data }) => {
    const { platform, handle } = listOf(stream);
    const { direction, owner, members, page, done, capped } = data;
    const atS = secondsOf(data.observed_at);
    const key = { platform, direction, owner };
    batch.edges(key, members, atS);
    const before = batch.sweepsOf(stream, direction);
    const { open, doneSinceS } = withPart(before, { id: data.sweep, page, atS, done, capped });
    if (open !== before) batch.setSweeps(stream, direction, open);
    batch.list(
      key,
      { handle, seenS: atS },
      { doneSinceS, doneS: doneSinceS === null ? null : atS, cappedS: capped ? atS : null },
    );
  },
};

const apply = dispatch(handlers);

/** Edges that a new build buffers. */
const MAX_BUFFERED = 200_000;

const open = (schema: string): Fold => {
  let batch = new Batch();
  return {
    load: (db, events) => batch.load(db, schema, [...new Set(events.map(({ stream }) => stream))]),
    apply: (event) => apply(batch, event),
    store: (db) => batch.write(db, schema),
    building: { flush: async () => undefined, isFull: () => batch.size > MAX_BUFFERED },
    reset: () => {
      batch = new Batch();
    },
  };
};

/** Who follows whom: the edges of the lists that were read, with the times of their first and last sighting. */
export const follows: Projection = {
  name: 'follows',
  version: versionPerPlatform(1),
  order: 'stream',
  types: typesOf(handlers),
  streamPrefixes: ['follows-'],
  parks: ['follows-'],
  tables,
  indexes: () => '',
  open,
};
