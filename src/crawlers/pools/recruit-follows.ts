import { PLATFORMS } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { Builds } from '../../read/active-builds.ts';
import { readMemberships } from '../../read/frontier.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import { followsOwner } from '../../write/follows.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { Recruiter } from '../recruiter.ts';
import type { Find } from './choose-pool.ts';
import type { CurrentPools } from './current-pools.ts';

/**
 * Recruits members of follower lists for the pools whose rule is follow: each reads all lists of the log once, from its
 * beginning on, and remembers how far it came. A pool that is full or paused continues from there.
 * @returns how many accounts were new.
 */
export const recruitFollows = async (
  { db, builds, log, pools, recruiter }: Follows,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> => {
  let recruited = 0;
  const following = PLATFORMS.flatMap((platform) =>
    pools.recruiting(platform).filter(({ rule }) => rule === 'follow'),
  );
  for (const { pool, platform } of following) {
    const after = await positionOf(db, pool);
    const filter = { types: ['FollowsSighted'], streamPrefixes: [`follows-${platform}:`], pageSize: PAGE };
    for await (const { events, endPosition } of log.readAll(after, filter)) {
      if (signal.aborted) return recruited;
      const lists = events.map(({ stream, data }) => ({
        owner: followsOwner(stream),
        members: (data as EventDataOf<'FollowsSighted'>).members,
      }));
      const memberships = await readMemberships(
        db,
        builds,
        platform,
        lists.map(({ owner }) => owner),
      );
      const finds = lists.flatMap(({ owner, members }): Find[] => {
        const membership = memberships.get(owner);
        if (membership === undefined) return [];
        const { pool: source, depth } = membership;
        const from = accountStream(platform, owner);
        return members.flatMap(({ handle }) =>
          handle === null
            ? []
            : [
                {
                  platform,
                  handle,
                  via: 'follow' as const,
                  from,
                  source,
                  depth: depth === null ? null : depth + 1,
                },
              ],
        );
      });
      const { recruited: fresh, refused } = await recruiter.take(finds, nowMs);
      recruited += fresh;
      // No capacity: the rest of the log is read when there is some.
      if (finds.some(({ handle }) => refused.has(handle))) break;
      await savePosition(db, pool, endPosition);
    }
  }
  return recruited;
};

/** Events of a page: 500 members each at most. */
const PAGE = 50;

interface Follows {
  readonly db: Queryable;
  readonly builds: Builds;
  readonly log: EventLog;
  readonly pools: Pick<CurrentPools, 'recruiting'>;
  readonly recruiter: Pick<Recruiter, 'take'>;
}

const positionOf = async (db: Queryable, pool: string): Promise<bigint> => {
  const { rows } = await db.query<{ position: string }>(
    sql`select position from crawl.follow_positions where pool = ${pool}`,
  );
  return BigInt(rows[0]?.position ?? 0);
};

const savePosition = (db: Queryable, pool: string, position: bigint): Promise<unknown> =>
  db.query(sql`
    insert into crawl.follow_positions (pool, position) values (${pool}, ${String(position)})
    on conflict (pool) do update set position = greatest(crawl.follow_positions.position, excluded.position)`);
