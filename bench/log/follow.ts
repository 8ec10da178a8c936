import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../../src/kernel/logger.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import type { BenchDatabase } from '../support/database.ts';
import { progress } from '../support/targets.ts';
import { newReadings } from './events.ts';

export interface Followed {
  readonly events: number;
  readonly perSecond: number;
  /** Events that were acknowledged and that the follower did not see, or saw twice or out of order. */
  readonly skipped: number;
}

/**
 * Writers append while a follower reads along; a deferred trigger holds some transactions back at their commit,
 * after their positions are drawn, which is what makes careless readers skip events.
 */
export const follow = async (
  { db, url }: BenchDatabase,
  total: number,
  writers: number,
): Promise<Followed> => {
  await db.query(`
    create function late_commit() returns trigger language plpgsql as $$
    begin
      if random() < 0.0005 then perform pg_sleep(random() * 0.02); end if;
      return null;
    end $$;
    create constraint trigger late_commit after insert on log.events
      deferrable initially deferred for each row execute function late_commit();`);
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const start = await log.head();
  const stop = new AbortController();
  let seen = 0;
  let skipped = 0;
  const following = (async () => {
    let next = start + 1n;
    for await (const page of log.subscribe(start, { signal: stop.signal })) {
      for (const event of page.events) {
        if (event.position !== next) skipped += 1;
        next = event.position + 1n;
        seen += 1;
      }
      if (seen >= total) stop.abort();
    }
  })();
  const began = performance.now();
  let written = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      let left = Math.floor(total / writers) + (writer < total % writers ? 1 : 0);
      for (let revision: bigint | 'no_stream' = 'no_stream'; left > 0; ) {
        const count = Math.min(left, 1 + ((left * 7 + writer) % 20));
        const outcome = await log.append(
          `account-x:follow${writer}`,
          newReadings(writer, left, count),
          revision,
        );
        if (outcome.status !== 'appended') throw new Error('a lone writer met a conflict');
        revision = outcome.revision;
        left -= count;
        written += count;
        if (written % 100_000 < count)
          progress(`  ${written.toLocaleString('en-US')} appended, ${seen} seen`);
      }
    }),
  );
  const perSecond = total / ((performance.now() - began) / 1_000);
  // What is not seen a while after the last append is not seen at all.
  for (const end = Date.now() + 120_000; seen < total && Date.now() < end; ) await sleep(20);
  stop.abort();
  await following;
  await log.close();
  await db.query('drop trigger late_commit on log.events; drop function late_commit');
  return { events: total, perSecond, skipped: skipped + Math.abs(total - seen) };
};
