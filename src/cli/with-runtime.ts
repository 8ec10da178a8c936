import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Runtime } from '../runtime/open-runtime.ts';

/** Why the user runs the command, if it was said. */
let reason: string | undefined;

/**
 * A command that changes something: its option `--reason` stands in the metadata of the events that it causes.
 * @param need whether the reason must be given.
 */
export const recorded = (command: Command, need: 'required' | 'optional' = 'optional'): Command => {
  const text = 'the reason, recorded with the events';
  if (need === 'required') command.requiredOption('--reason <text>', text);
  else command.option('--reason <text>', text);
  return command.hook('preAction', (_, action) => {
    reason = action.opts<{ reason?: string }>().reason;
  });
};

/** Runs a command with the database and the log, whether or not Sightline is running, and closes them afterwards. */
export const withRuntime = async (work: (runtime: Runtime) => Promise<void>): Promise<void> => {
  // Loaded when a command runs, since `--help` does not need it.
  const [{ parseConfig }, { createLogger }, { runInBackground }, { openRuntime }] = await Promise.all([
    import('../kernel/config.ts'),
    import('../kernel/logger.ts'),
    import('../kernel/process-settings.ts'),
    import('../runtime/open-runtime.ts'),
  ]);
  const config = parseConfig(process.env);
  const logger = createLogger(config);
  const author = { actor: `local:${localUser()}`, ...(reason === undefined ? {} : { reason }) };
  const runtime = await openRuntime(config, 'command', logger, { author });
  // A rebuild or a backup beside a running service yields to its responses.
  runInBackground();
  try {
    await work(runtime);
  } finally {
    await runtime.close();
  }
};

/** The user of the system that runs the command; the number of a user who has no name, as in a container. */
export const localUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
};

const PARENT_MS = 1_000;

/**
 * A signal that fires at the first Ctrl-C or SIGTERM; the second ends the process at once. It fires too when the npm that ran the
 * process is gone, which could not pass on SIGKILL.
 */
export const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) {
    const npm = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === npm) return;
      clearInterval(watch);
      stop.abort();
    }, PARENT_MS);
    watch.unref();
  }
  return stop.signal;
};
