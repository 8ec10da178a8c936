import { type Logger, silentLogger } from './logger.ts';

/** The phases of a start: which are running, and how long each took. */
export interface Phases {
  /**
   * Runs a phase and logs its duration at debug level.
   * @param phase a noun, as `migrations`.
   */
  run<T>(phase: string, work: () => Promise<T>): Promise<T>;
  /** Logs the time since this process began, for phases such as the loading of modules or the whole start. */
  ended(phase: string): void;
  /** Names of the running phases, in the order in which they began. */
  running(): readonly string[];
}

export const createPhases = (logger: Pick<Logger, 'debug'> = silentLogger): Phases => {
  const running: string[] = [];
  const log = (phase: string, startedMs: number): void => {
    const nowMs = performance.now();
    // Phases overlap, so each also logs the time since the process began.
    logger.debug({ phase, ms: Math.round(nowMs - startedMs), at_ms: Math.round(nowMs) }, 'start-up phase');
  };
  return {
    run: async (phase, work) => {
      const startedMs = performance.now();
      running.push(phase);
      try {
        return await work();
      } finally {
        running.splice(running.indexOf(phase), 1);
        log(phase, startedMs);
      }
    },
    ended: (phase) => log(phase, 0),
    running: () => [...running],
  };
};
