import { isoOf, systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Phases } from '../../kernel/start-phases.ts';
import { print } from '../../kernel/terminal.ts';

/** What is printed at an interval. */
export interface ProgressLine {
  readonly everyMs: number;
  line(): string | Promise<string>;
}

/** Lines that show a newcomer what the demo is doing. */
export interface Progress {
  /** Prints this line at its interval, instead of the one before. */
  show(progress: ProgressLine): void;
  print(line: string): void;
  /** Prints no more. */
  stop(): Promise<void>;
}

/** The phases of the start that are running. */
export const progressOfStart = (phases: Phases): ProgressLine => ({
  everyMs: TICK_MS,
  line: () => `start  ${phases.running().join(', ')}`,
});

/** @param logger logs what prevents a line. */
export const createProgress = (logger: Pick<Logger, 'warn'>): Progress => {
  let shown: ProgressLine | undefined;
  let timer: NodeJS.Timeout | undefined;
  let printing = Promise.resolve();

  const say = (line: string): void => print(`${isoOf(systemClock.now()).slice(11, 19)}  ${line}`);
  const tick = async (progress: ProgressLine): Promise<void> => {
    try {
      const line = await progress.line();
      if (progress === shown) say(line);
    } catch (error) {
      if (progress === shown) logger.warn({ err: errorMessage(error) }, 'progress could not be read');
    }
    if (progress === shown) timer = setTimeout(run, progress.everyMs, progress);
  };
  const run = (progress: ProgressLine): void => {
    printing = tick(progress);
  };

  return {
    show: (progress) => {
      clearTimeout(timer);
      shown = progress;
      timer = setTimeout(run, progress.everyMs, progress);
    },
    print: say,
    stop: async () => {
      clearTimeout(timer);
      shown = undefined;
      await printing;
    },
  };
};

const TICK_MS = 1_000;
