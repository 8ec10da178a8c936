import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds and returns what it gave; fails, saying what was waited for, after the limit. */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 30_000,
): Promise<Exclude<NonNullable<T>, false>> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<NonNullable<T>, false>;
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await sleep(20);
  }
};
