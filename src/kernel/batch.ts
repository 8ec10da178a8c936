/** A call that takes longer stops blocking later calls: its connection may hang. */
const LATE_MS = 1_000;

/**
 * Batches single look-ups: those of one event-loop tick are fetched in one call. The number of calls in flight is limited, so that
 * batches grow with the load while a single look-up is sent at once. A late call delays only its own keys.
 * @param fetch returns the values for keys, in the order of the keys.
 */
export const createBatcher = <Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { inFlight = 2, max = 200 }: { readonly inFlight?: number; readonly max?: number } = {},
): ((key: Key) => Promise<Value>) => {
  let keys: Key[] = [];
  let waiting: { resolve: (value: Value) => void; reject: (error: unknown) => void }[] = [];
  let running = 0;
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    while (keys.length > 0 && running < inFlight) {
      const asked = keys.length > max ? keys.splice(0, max) : keys;
      const askers = waiting.length > max ? waiting.splice(0, max) : waiting;
      if (asked === keys) {
        keys = [];
        waiting = [];
      }
      running += 1;
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        running -= 1;
        schedule();
      }, LATE_MS);
      const ended = () => {
        clearTimeout(late);
        if (!isLate) running -= 1;
      };
      fetch(asked).then(
        (values) => {
          ended();
          for (let i = 0; i < askers.length; i++) askers[i]?.resolve(values[i] as Value);
          schedule();
        },
        (error: unknown) => {
          ended();
          for (const asker of askers) asker.reject(error);
          schedule();
        },
      );
    }
  };

  const schedule = (): void => {
    if (scheduled || keys.length === 0 || running >= inFlight) return;
    scheduled = true;
    // With nothing in flight, a look-up is sent at once. Under load, each tick forms a batch.
    if (running === 0) queueMicrotask(flush);
    else setImmediate(flush);
  };

  return (key) =>
    new Promise((resolve, reject) => {
      keys.push(key);
      waiting.push({ resolve, reject });
      schedule();
    });
};
