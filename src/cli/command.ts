import { parseConfig } from '../kernel/config.ts';
import { createLogger } from '../kernel/logger.ts';
import { openProgram, type Program } from './program/open.ts';

/** Runs a command on the home's database, whether Sightline runs there or not, and closes what it opened. */
export const withProgram = async (work: (program: Program) => Promise<void>): Promise<void> => {
  const config = parseConfig(process.env);
  const logger = createLogger(config);
  const program = await openProgram(config, 'command', logger);
  try {
    await work(program);
  } finally {
    await program.close();
  }
};

/** A signal that fires at the first Ctrl-C or SIGTERM; the second ends the process at once. */
export const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    });
  }
  return stop.signal;
};

/** Does what a signal may interrupt: that it did is no failure. */
export const unlessStopped = async (stop: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!stop.aborted || (error as Error).name !== 'AbortError') throw error;
  }
};
