import { isScheduled } from '../../crawlers/pools/current-pools.ts';
import { ageText } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Builds } from '../../read/active-builds.ts';
import type { EngineState } from '../../read/engines.ts';
import { readMembers } from '../../read/frontier.ts';
import { readersOf } from '../../read/pools.ts';
import type { OperationsContext } from '../context.ts';
import { listMembers, listPools, type MemberListing, type PoolListing } from './pools.ts';

/** When an account is read next, and what it waits for. */
export interface NextReading {
  /** The pool that recruited it; null if none has it. */
  readonly pool: string | null;
  /** Its place in the crawl schedule; null without one. */
  readonly member: MemberListing | null;
  /** In words. */
  readonly because: string;
}

/** What keeps all accounts of a pool from being read; null if nothing does. */
const obstacle = (
  pool: string,
  reader: PoolListing | undefined,
  engine: EngineState | undefined,
  nowMs: number,
): string | null => {
  if (reader === undefined) return `Nothing reads it: its pool ${pool} is retired and has no heir.`;
  const { row, pause, workers = 0 } = engine ?? {};
  const told = (why: string | null | undefined) => (why == null ? '' : `: ${why}`);
  if (row?.paused_at != null)
    return `It waits until the engine is resumed, which an operator paused${told(row.paused_why)}.`;
  if (reader.status === 'paused')
    return `It waits until the pool ${reader.pool} is resumed${told(reader.why)}.`;
  if (pause != null)
    return `It waits until the engine has rested, at ${pause.until.slice(11, 19)} UTC${told(pause.why)}.`;
  if (!isScheduled(reader.schedule, new Date(nowMs)))
    return `It waits for the schedule of the pool ${reader.pool}, ${reader.schedule} in UTC.`;
  return workers === 0 ? 'No process has read accounts of the platform for an hour.' : null;
};

/** Tells why an account is due or not, and when it is read next. */
export const nextReading = async (
  context: OperationsContext & { readonly builds: Builds },
  engine: EngineState | undefined,
  { platform, handle }: { readonly platform: Platform; readonly handle: string },
  nowMs: number,
): Promise<NextReading> => {
  const known = (await readMembers(context.db, context.builds, [{ platform, handle }])).get(
    `${platform}:${handle}`,
  );
  const none = (because: string): NextReading => ({ pool: null, member: null, because });
  if (known === undefined)
    return none('No pool has it, or it was absent too often: it is read when somebody asks for it.');
  if (known.isRemoved) return none('An operator removed it from its pool: only an operator brings it back.');
  const { pool } = known;
  const [member = null] = await listMembers(context, pool, { handles: [handle], limit: 1, why: true });
  const pools = await listPools(context);
  const reader = pools.find((each) => each.pool === readersOf(pools).get(pool));
  const dueS = member === null ? null : (nowMs - Date.parse(member.due_at)) / 1_000;
  const stopped = obstacle(pool, reader, engine, nowMs);
  const because =
    dueS === null
      ? 'The crawl schedule does not have it yet.'
      : dueS < 0
        ? `It is not due: it is read again in ${ageText(-dueS)}.`
        : (stopped ??
          `It is due since ${ageText(dueS)} and waits for its turn: ${reader?.due ?? 'some'} accounts of the pool are due.`);
  return {
    pool,
    member,
    because: dueS !== null && dueS < 0 && stopped !== null ? `${because} ${stopped}` : because,
  };
};
