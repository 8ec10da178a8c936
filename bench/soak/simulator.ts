import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { PROGRAM_FLAGS } from '../support/child.ts';
import type { Handles } from './load.ts';
import type { FaultSpell } from './plan.ts';

const MAIN = fileURLToPath(new URL('../../infra/simulator/main.ts', import.meta.url));

/** The simulated platforms, in a process of their own, with the clock of its environment. */
export interface SoakSimulator {
  readonly url: string;
  readonly pid: number;
  seeds(n: number): Promise<Handles>;
  /** Switches faults on and off until all are over, or the signal fires. @param nowS real seconds of the plan. */
  strike(spells: readonly FaultSpell[], nowS: () => number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export const startSoakSimulator = async (
  { seed, size }: { readonly seed: number; readonly size: number },
  environment: Readonly<Record<string, string>>,
): Promise<SoakSimulator> => {
  const child = spawn(
    process.execPath,
    [...PROGRAM_FLAGS, MAIN, '--port', '0', '--seed', String(seed), '--size', String(size)],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => {
      throw new Error(`the simulator ended with ${code}`);
    }),
  ])) as [string];
  const url = /http:\S+/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the simulator printed no address: ${line}`);
  const control = async (method: 'POST' | 'DELETE', query: string, body?: object): Promise<void> => {
    const answer = await request(`${url}/control/faults${query}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the simulator refused a fault: ${text}`);
  };
  return {
    url,
    pid: child.pid as number,
    seeds: async (n) => {
      const found = await Promise.all(
        PLATFORMS.map(async (platform) => {
          const { body } = await request(`${url}/seeds/${platform}?n=${n}`);
          return [platform, ((await body.json()) as { seeds: string[] }).seeds] as const;
        }),
      );
      return Object.fromEntries(found) as unknown as Handles;
    },
    strike: async (spells, nowS, signal) => {
      const changes = spells
        .flatMap(({ fromS, toS, kind, platforms, share, retryAfterS }) =>
          platforms.flatMap((platform) => [
            { atS: fromS, run: () => control('POST', '', { platform, kind, share, retryAfterS }) },
            { atS: toS, run: () => control('DELETE', `?platform=${platform}&kind=${kind}`) },
          ]),
        )
        .toSorted((a, b) => a.atS - b.atS);
      for (const { atS, run } of changes) {
        await sleep(Math.max(0, (atS - nowS()) * 1_000), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        await run();
      }
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
