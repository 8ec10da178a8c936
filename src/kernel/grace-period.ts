/**
 * Waits for what can't be told to stop: once the signal fires, for a limited time only. What is given up goes on by
 * itself, and nobody hears how it ends.
 * @param graceMs milliseconds from the signal on, or from now where it has fired.
 * @throws {Error} when the time is over.
 */
export const withGracePeriod = <T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const hurry = () => {
      timer = setTimeout(() => reject(new Error(`given up ${graceMs} ms after it was to stop`)), graceMs);
    };
    if (signal.aborted) hurry();
    else signal.addEventListener('abort', hurry, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', hurry);
    };
    work.finally(done).then(resolve, reject);
  });
