import { SQL } from '@event-driven-io/dumbo';
import { postgreSQLRawSQLProjection, rebuildPostgreSQLProjections } from '@event-driven-io/emmett-postgresql';
import { type AccountEvent, accountOf } from '../../src/write/accounts/account.ts';
import { serve } from '../support/child.ts';

export interface EmmettQuestion {
  readonly url: string;
  readonly batchSize: number;
}

interface Positioned {
  readonly metadata: { readonly streamName: string; readonly globalPosition: bigint };
}

/** The directory as a projection of Emmett's: one statement an event, which is a call of a function (peer-fold.sql). */
const projection = postgreSQLRawSQLProjection<AccountEvent>({
  name: 'directory',
  canHandle: ['AccountSighted', 'AccountUnchanged', 'AccountUnavailable'],
  evolve: (event) => {
    const { streamName, globalPosition } = (event as unknown as Positioned).metadata;
    const { platform, handle } = accountOf(streamName);
    const { type, data } = event;
    const at = data.observed_at;
    switch (type) {
      case 'AccountSighted':
        return SQL`select peer.see(${platform}, ${handle}, ${globalPosition}, ${at}, ${data.status}, ${JSON.stringify(data.profile)})`;
      case 'AccountUnchanged':
        return SQL`select peer.see_moved(${platform}, ${handle}, ${globalPosition}, ${at}, ${JSON.stringify(data.moved)})`;
      case 'AccountUnavailable':
        return SQL`select peer.lose(${platform}, ${handle}, ${globalPosition}, ${at}, ${data.status})`;
      default:
        return [];
    }
  },
});

/** Milliseconds of a whole rebuild by Emmett's own consumer. */
const run = async ({ url, batchSize }: EmmettQuestion): Promise<number> => {
  const consumer = rebuildPostgreSQLProjections({
    connectionString: url,
    projections: [projection],
    pulling: { batchSize, pullingFrequencyInMs: 1 },
  });
  const began = performance.now();
  await consumer.start();
  const ms = performance.now() - began;
  await consumer.close();
  return ms;
};

if (import.meta.main) serve(run);
