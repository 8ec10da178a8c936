import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../support/child.ts';
import { openWire } from '../support/wire.ts';

/** Somebody with one key who asks for all that he can, from a process of his own. */
export interface AttackQuestion {
  readonly url: string;
  readonly key: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly ms: number;
  /** Asked for at random. */
  readonly paths: readonly string[];
}

/** How many answers of each status there were. */
export type AttackAnswer = Readonly<Record<string, number>>;

const attack = async ({
  url,
  key,
  connections,
  perSecond,
  ms,
  paths,
}: AttackQuestion): Promise<AttackAnswer> => {
  const statuses: Record<string, number> = {};
  const until = performance.now() + ms;
  const everyMs = (1_000 * connections) / perSecond;
  const wires = await Promise.all(Array.from({ length: connections }, () => openWire(url, key)));
  await Promise.all(
    wires.map(async (wire, i) => {
      // All of them at once would be bursts of 64.
      for (let due = performance.now() + (i * everyMs) / connections; due < until; due += everyMs) {
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait);
        else due = performance.now();
        const status = await wire.ask(paths[Math.floor(Math.random() * paths.length)] as string);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      wire.close();
    }),
  );
  return statuses;
};

if (import.meta.main) serve(attack);
