import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait that hangs; far longer than any wait takes on a busy machine. */
const LIMIT_MS = 240_000;

/** Waits until a condition holds and returns its value. After the limit, fails and names the condition. */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = LIMIT_MS,
): Promise<Exclude<NonNullable<T>, false>> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<NonNullable<T>, false>;
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await sleep(20);
  }
};
