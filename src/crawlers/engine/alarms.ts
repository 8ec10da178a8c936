import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { platformOfSource, type Source } from '../../kernel/platform.ts';
import {
  changeEngine,
  type EngineEvent,
  engineDecider,
  engineEvent,
  engineStream,
  recoverEngine,
} from '../../write/engines.ts';
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

/** @param options.keep repeats work while the log is unavailable. */
export const createAlarms = (options: {
  readonly engine: Source;
  readonly worker: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly keep: <T>(work: () => Promise<T>) => Promise<T>;
}): Alarms => {
  const { engine, worker, logger, clock, log, keep } = options;
  /** The alarm of the engine as far as this worker knows; null while it has to ask the stream. */
  let known: { readonly reason: string | null } | null = null;

  /** Appends an event, unless the stream says so already. @returns whether it was appended. */
  const change = async (
    type: 'EngineDegraded' | 'EngineRecovered',
    more: object,
    expected: string | null,
    except: ReadonlySet<string> = NONE,
  ): Promise<boolean> => {
    // So that other readings in flight don't ask the stream as well.
    known = { reason: expected };
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
    known = { reason: state.alarm?.reason ?? null };
    return events.length > 0;
  };

  return {
    raise: async (reason, detail) => {
      if (known !== null && known.reason !== null) return;
      if (await change('EngineDegraded', { reason, detail }, reason))
        logger.warn({ reason, detail }, 'engine degraded');
    },
    end: async (except = NONE) => {
      if (known !== null && (known.reason === null || except.has(known.reason))) return;
      if (await change('EngineRecovered', {}, null, except)) logger.info('engine recovered');
    },
    recheck: () => {
      known = null;
    },
  };
};

const NONE: ReadonlySet<string> = new Set();
