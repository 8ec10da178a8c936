import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { platformOfSource, type Source } from '../../kernel/source.ts';
import { changeEngine, engineDecider, recoverEngine } from '../../write/engines/decide.ts';
import { type EngineEvent, engineEvent, engineStream } from '../../write/engines/events.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';

/**
 * Appends an event when an engine becomes degraded, and one when it recovers. The engine's stream decides, so that an
 * alarm raised by another worker, or before a restart, is not raised twice and is ended all the same.
 */
export interface Alarms {
  raise(reason: string, detail: string): Promise<void>;
  /**
   * Ends the alarm, if there is one. The stream is read once after `recheck`.
   * @param except reasons of alarms that this success does not end, whichever worker raised them; none by default.
   */
  end(except?: ReadonlySet<string>): Promise<void>;
  /** Forgets the known state, which another worker may have changed. */
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
  /** Reason of the alarm as far as this worker knows, null without one; undefined before it has asked. */
  let known: string | null | undefined;

  /** @returns whether the event was news. */
  const change = async (
    type: 'EngineDegraded' | 'EngineRecovered',
    more: object,
    expected: string | null,
    except: ReadonlySet<string> = NONE,
  ): Promise<boolean> => {
    // Readings in flight don't ask the stream too.
    known = expected;
    const nowMs = clock.now();
    const event = engineEvent(
      type,
      { at: isoOf(nowMs), platform: platformOfSource(engine), worker, ...more },
      nowMs,
    );
    const decided = event as unknown as EngineEvent;
    const decide = type === 'EngineRecovered' ? recoverEngine(decided, except) : changeEngine(decided);
    const { state, events } = await keep(() =>
      handleCommand(log, engineDecider, engineStream(engine), decide, { nowMs, idOf: () => event.id }),
    );
    known = state.alarm?.reason ?? null;
    return events.length > 0;
  };

  return {
    raise: async (reason, detail) => {
      if (typeof known === 'string') return;
      if (await change('EngineDegraded', { reason, detail }, reason))
        logger.warn({ reason, detail }, 'engine degraded');
    },
    end: async (except = NONE) => {
      if (known === null || (known !== undefined && except.has(known))) return;
      if (await change('EngineRecovered', {}, null, except)) logger.info('engine recovered');
    },
    recheck: () => {
      known = undefined;
    },
  };
};

const NONE: ReadonlySet<string> = new Set();
