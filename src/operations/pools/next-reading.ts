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

/** What keeps all accounts of a pool from being read, as far as it is known; null if nothing does. */
const obstacle = (
  pool: string,
  reader: PoolListing | undefined,
  engine: EngineState | null,
  nowMs: number,
): string | null => {
  const told = (why: string | null | undefined) => (why == null ? '' : `: ${why}`);
  if (reader === undefined) return `Nothing reads it: its pool ${pool} is retired and has no heir.`;
  if (engine?.row?.paused_at != null)
    return `It waits until the engine is resumed, which an operator paused${told(engine.row.paused_why)}.`;
  if (reader.status === 'paused')
    return `It waits until the pool ${reader.pool} is resumed${told(reader.why)}.`;
  if (engine?.pause != null)
    return `It waits until the engine has rested, at ${engine.pause.until.slice(11, 19)} UTC${told(engine.pause.why)}.`;
  if (!isScheduled(reader.schedule, new Date(nowMs)))
    return `It waits for the schedule of the pool ${reader.pool}, ${reader.schedule} in UTC.`;
  return engine?.workers === 0 ? 'No process has read accounts of the platform for an hour.' : null;
};

/**
 * Tells why an account is due or not, and when it is read next.
 * @param engine what reads the platform; null if its state is unknown.
 */
export const nextReading = async (
  context: OperationsContext & { readonly builds: Builds },
  engine: EngineState | null,
  { platform, handle }: { readonly platform: Platform; readonly handle: string },
  nowMs: number,
): Promise<NextReading> => {
  const name = `${platform}:${handle}`;
  const known = (await readMembers(context.db, context.builds, [{ platform, handle }])).get(name);
  if (known === undefined || known.isRemoved) {
    const because = known?.isRemoved
      ? 'An operator removed it from its pool: only an operator brings it back.'
      : 'No pool has it, or it was absent too often: it is read when somebody asks for it.';
    return { pool: null, member: null, because };
  }
  const { pool } = known;
  const [member = null] = await listMembers(context, pool, { handles: [handle], limit: 1, why: true });
  if (member === null) return { pool, member, because: 'The crawl schedule does not have it yet.' };
  const pools = await listPools(context);
  const readerName = readersOf(pools).get(pool);
  const reader = pools.find((each) => each.pool === readerName);
  const stopped = obstacle(pool, reader, engine, nowMs);
  const dueS = (nowMs - Date.parse(member.due_at)) / 1_000;
  if (dueS < 0) {
    const notDue = `It is not due: it is read again in ${ageText(-dueS)}.`;
    return { pool, member, because: stopped === null ? notDue : `${notDue} ${stopped}` };
  }
  const waits = `It is due since ${ageText(dueS)} and waits for its turn: ${reader?.due ?? 'some'} accounts of the pool are due.`;
  return { pool, member, because: stopped ?? waits };
};
