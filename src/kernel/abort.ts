/** Runs interruptible work. An AbortError after the signal has fired is not a failure. */
export const unlessAborted = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error;
  }
};

/**
 * Waits for work that can't be cancelled. Once the signal fires, it waits for a grace period only: abandoned work continues, and
 * its result is dropped.
 * @param graceMs milliseconds from the signal, or from now if it has fired.
 * @throws {Error} when the grace period is over.
 */
export const withGracePeriod = <T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const hurry = () => {
      timer = setTimeout(() => reject(new Error(`abandoned after a grace period of ${graceMs} ms`)), graceMs);
    };
    if (signal.aborted) hurry();
    else signal.addEventListener('abort', hurry, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', hurry);
    };
    work.finally(done).then(resolve, reject);
  });
