import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../support/child.ts';
import { openWire } from '../support/wire.ts';

/** A caller with a steady rate, in a process of its own. */
export interface ReadQuestion {
  readonly url: string;
  readonly key: string;
  readonly perSecond: number;
  readonly ms: number;
  readonly paths: readonly string[];
}

/** Connections, so that a late response delays no later request. */
const CONNECTIONS = 32;

/** Milliseconds from when each request was due until its response was there. */
const read = async ({ url, key, perSecond, ms, paths }: ReadQuestion): Promise<readonly number[]> => {
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => openWire(url, key)));
  const all = [...free];
  const taken: number[] = [];
  const asked: Promise<void>[] = [];
  const waiting: (() => void)[] = [];
  const ask = async (path: string, from: number) => {
    while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const wire = free.pop() as (typeof all)[number];
    const status = await wire.ask(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    taken.push(performance.now() - from);
    free.push(wire);
    waiting.shift()?.();
  };
  const began = performance.now();
  for (let due = began, i = 0; due < began + ms; due += 1_000 / perSecond, i++) {
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    // A timer that comes late is this process's, not the service's.
    asked.push(ask(paths[i % paths.length] as string, wait > 0 ? performance.now() : due));
  }
  await Promise.all(asked);
  for (const wire of all) wire.close();
  return taken;
};

if (import.meta.main) serve(read);
