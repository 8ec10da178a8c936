import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait that hangs; far longer than any wait takes on a busy machine. */
const LIMIT_MS = 600_000;

/**
 * Waits until a condition holds and returns its value. After the limit, fails and names the condition.
 * @param state what a wait in vain has to tell besides.
 */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = LIMIT_MS,
  state: () => unknown = () => '',
): Promise<Exclude<NonNullable<T>, false>> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<NonNullable<T>, false>;
    if (Date.now() > end)
      throw new Error(`waited ${limitMs} ms in vain until ${what} ${JSON.stringify(await state())}`);
    await sleep(20);
  }
};
