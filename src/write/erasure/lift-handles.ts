/** Handles of erased accounts that belong to others now. */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { type EventLog, LogUnavailableError } from '../log/port.ts';
import type { Fence } from './fence.ts';
import type { OpenFence } from './open-fence.ts';
import { SUBJECTS_STREAM } from './subject.ts';

/** What a process needs to lift handles. */
export interface Lifting {
  readonly log: Pick<EventLog, 'append'>;
  readonly fence: Fence & Pick<OpenFence, 'refresh'>;
}

/** Lifts a handle that another account was seen to have; its native ID tells the two apart. */
export type LiftHandle = (platform: Platform, handle: string) => Promise<void>;

export const createHandleLifts = ({ log, fence }: Lifting): LiftHandle => {
  const running = new Map<string, Promise<void>>();

  /** An append at a revision of the ledger: of several processes one lifts the handle. */
  const lift: LiftHandle = async (platform, handle) => {
    for (;;) {
      const of = fence.liftOf(platform, handle);
      if (of === null) return;
      const nowMs = systemClock.now();
      const data = { at: isoOf(nowMs), ...of };
      const event = { id: uuidV7(nowMs), type: 'SubjectHandleLifted', data };
      const { status } = await log.append(SUBJECTS_STREAM, [event], fence.revision);
      await fence.refresh();
      if (status === 'appended') return;
    }
  };

  return async (platform, handle) => {
    const key = `${platform}:${handle}`;
    const lifting = running.get(key) ?? lift(platform, handle).finally(() => running.delete(key));
    running.set(key, lifting);
    try {
      await lifting;
    } catch (error) {
      // The handle stays refused until it is seen again.
      if (!(error instanceof LogUnavailableError)) throw error;
    }
  };
};
