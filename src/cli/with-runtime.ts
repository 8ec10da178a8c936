import type { Runtime } from '../runtime/open-runtime.ts';

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
  const runtime = await openRuntime(config, 'command', logger);
  // A rebuild or a backup beside a running service yields to its responses.
  runInBackground();
  try {
    await work(runtime);
  } finally {
    await runtime.close();
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
