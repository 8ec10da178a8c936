import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { platformOfSource, type Source } from '../../kernel/source.ts';
import { changeEngine, engineDecider } from '../../write/engines/decide.ts';
import { type EngineEvent, engineEvent, engineStream } from '../../write/engines/events.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';

/**
 * Appends an event when an engine becomes degraded, and one when it recovers. The engine's stream decides: an alarm
 * that another worker raised, or this one before a restart, is neither raised again nor left without an end.
 */
export interface Alarms {
  raise(reason: string, detail: string): Promise<void>;
  /** Ends the alarm, if there is one. The stream is read once after `recheck`. */
  end(): Promise<void>;
  /** The state may have been changed by another worker. */
  recheck(): void;
}

/** @param keep repeats work while the log is unavailable. */
export const createAlarms = (
  engine: Source,
  worker: string,
  logger: Logger,
  clock: Clock,
  log: EventLog,
  keep: <T>(work: () => Promise<T>) => Promise<T>,
): Alarms => {
  /** As far as this worker knows; null before it has asked. */
  let isDegraded: boolean | null = null;

  /** @returns whether the event was news. */
  const change = async (type: 'EngineDegraded' | 'EngineRecovered', more: object): Promise<boolean> => {
    const nowMs = clock.now();
    const event = engineEvent(
      type,
      { at: isoOf(nowMs), platform: platformOfSource(engine), worker, ...more },
      nowMs,
    );
    const { events } = await keep(() =>
      handleCommand(log, engineDecider, engineStream(engine), changeEngine(event as unknown as EngineEvent), {
        nowMs,
        idOf: () => event.id,
      }),
    );
    return events.length > 0;
  };

  return {
    raise: async (reason, detail) => {
      if (isDegraded === true) return;
      isDegraded = true;
      if (await change('EngineDegraded', { reason, detail }))
        logger.warn({ reason, detail }, 'engine degraded');
    },
    end: async () => {
      if (isDegraded === false) return;
      isDegraded = false;
      if (await change('EngineRecovered', {})) logger.info('engine recovered');
    },
    recheck: () => {
      isDegraded = null;
    },
  };
};
