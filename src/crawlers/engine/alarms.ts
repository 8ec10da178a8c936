import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import { engineEvent } from '../../write/engines/events.ts';
import type { NewEvent } from '../../write/log/port.ts';

/** Logs once when an engine becomes degraded, and once when it recovers. */
export interface Alarms {
  raise(reason: string, detail: string): Promise<void>;
  end(): Promise<void>;
}

/** @param append appends an event to the engine's stream. */
export const createAlarms = (
  platform: Platform,
  logger: Logger,
  clock: Clock,
  append: (event: NewEvent) => Promise<unknown>,
): Alarms => {
  let isDegraded = false;
  return {
    raise: async (reason, detail) => {
      if (isDegraded) return;
      isDegraded = true;
      logger.warn({ reason, detail }, 'engine degraded');
      const at = clock.now();
      await append(engineEvent('EngineDegraded', { at: isoOf(at), platform, reason, detail }, at));
    },
    end: async () => {
      if (!isDegraded) return;
      isDegraded = false;
      logger.info('engine recovered');
      const at = clock.now();
      await append(engineEvent('EngineRecovered', { at: isoOf(at), platform }, at));
    },
  };
};
