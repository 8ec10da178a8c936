import { randomUUID } from 'node:crypto';
import type { Platform } from '../../src/kernel/platform.ts';
import { type FollowDirection, type FollowsMember, recordFollows } from '../../src/write/follows.ts';
import type { EventLog } from '../../src/write/log/port.ts';

export const atHour = (hour: number): string =>
  new Date(Date.UTC(2026, 9, 1) + hour * 3_600_000).toISOString();

/** A member of X by number, with a handle. */
export const memberOf = (n: number): FollowsMember => ({ id: String(n), handle: `fan${n}` });

export interface SweepOptions {
  readonly platform?: Platform;
  readonly handle?: string;
  readonly owner?: string;
  readonly direction?: FollowDirection;
  readonly hour: number;
  /** How the sweep ends; `open` if it does not. */
  readonly end?: 'done' | 'capped' | 'open';
  /** First page to record; a sweep that lacks earlier ones has a gap. */
  readonly firstPage?: number;
}

/** Records a sweep of a list, a page per group of members and hour. */
export const sweep = async (
  log: EventLog,
  pages: readonly (readonly FollowsMember[])[],
  options: SweepOptions,
): Promise<void> => {
  const {
    platform = 'x',
    handle = 'star',
    owner = '1',
    direction = 'followers',
    hour,
    end = 'done',
  } = options;
  const id = randomUUID();
  let page = options.firstPage ?? 0;
  for (const [n, members] of pages.entries()) {
    const isLast = n === pages.length - 1;
    const recorded = await recordFollows(
      log,
      platform,
      handle,
      {
        observed_at: atHour(hour + n),
        source: 'crawler',
        surface: 'graphql',
        direction,
        owner,
        sweep: id,
        members,
        order: 'newest_first',
        done: isLast && end === 'done',
        capped: isLast && end === 'capped',
      },
      page,
      randomUUID,
    );
    page = recorded.pages;
  }
};
