import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { SightlineOptions } from '../../clients/typescript/src/index.ts';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  startScriptedServer,
} from '../support/scripted-server.ts';

/** What every client has to do: a call, the answers that it gets, and what comes of it. */
export interface Case {
  readonly name: string;
  readonly call: { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> };
  readonly client?: Pick<SightlineOptions, 'maxUnits' | 'maxWaitS' | 'retries' | 'timeoutMs'>;
  readonly answers: readonly ScriptedAnswer[];
  readonly expect: {
    readonly data?: unknown;
    readonly items?: readonly unknown[];
    /** The code of an error of the service, or the name of another. */
    readonly error?: string;
    readonly isAnswer?: boolean;
    readonly detail?: object;
    readonly requests?: readonly Partial<ScriptedRequest>[];
    readonly sends?: number;
    readonly keys?: number;
    readonly units?: number;
    readonly waits?: readonly number[];
  };
}

/** What came of a call. */
export interface Found {
  readonly data?: unknown;
  readonly items?: readonly unknown[];
  readonly error?: {
    readonly name: string;
    readonly isAnswer?: boolean;
    readonly details?: readonly object[];
    /** What `orNull` makes of it. */
    readonly orNull: null | 'thrown';
  };
  readonly units: number;
  readonly waits: readonly number[];
}

export const CASES: readonly Case[] = JSON.parse(
  await readFile(new URL('cases.json', import.meta.url), 'utf8'),
);

export const KEY = 'slk_00000000000000000000000000000000000000';

/** Makes the call of a case against a server of its answers, and compares what came of it. */
export const expectCase = async (
  { answers, expect: wanted }: Case,
  call: (url: string) => Promise<Found>,
): Promise<void> => {
  const script = [...answers];
  const server = await startScriptedServer(() => script.shift() ?? { status: 500, body: {} });
  const { data, items, error, units, waits } = await call(server.url).finally(() => server.close());
  expect(error?.name).toBe(wanted.error);
  if (wanted.data !== undefined) expect(data).toEqual(wanted.data);
  if (wanted.items !== undefined) expect(items).toEqual(wanted.items);
  if (wanted.isAnswer !== undefined) {
    expect(error?.isAnswer).toBe(wanted.isAnswer);
    expect(error?.orNull).toBe(wanted.isAnswer ? null : 'thrown');
  }
  if (wanted.detail !== undefined) expect(error?.details?.[0]).toMatchObject(wanted.detail);
  if (wanted.requests !== undefined) expect(server.requests).toMatchObject(wanted.requests);
  if (wanted.sends !== undefined) expect(server.requests).toHaveLength(wanted.sends);
  if (wanted.keys !== undefined)
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(wanted.keys);
  if (wanted.units !== undefined) expect(units).toBe(wanted.units);
  if (wanted.waits !== undefined) expect(waits).toHaveLength(wanted.waits.length);
  for (const [i, least] of (wanted.waits ?? []).entries()) {
    expect(waits[i]).toBeGreaterThan(least);
    expect(waits[i]).toBeLessThanOrEqual(least * 1.25);
  }
  expect(script).toEqual([]);
};
