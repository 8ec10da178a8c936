import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../errors.ts';
import { Client } from './client.ts';
import { withSettings } from './pool.ts';
import { sql } from './statement.ts';

/** How long one attempt waits for a response on an idle machine, and how many failed attempts in a row count as unresponsive. */
const ANSWER_MS = 2_000;
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;
/** Maximum factor by which a wait is prolonged. */
const MAX_LOAD = 8;

/** A server that waits for a processor responds late. With four runnable processes per processor, it gets four times as long. */
const answerMs = (): number => {
  const [load = 0] = loadavg();
  return ANSWER_MS * Math.min(MAX_LOAD, Math.max(1, load / availableParallelism()));
};

/** Whether the server responds. A refusal is a response. */
const responds = async (url: string): Promise<boolean> => {
  const timeoutMs = answerMs();
  const client = new Client({
    connectionString: withSettings(url),
    application_name: 'sightline probe',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql`select 1`);
    return true;
  } catch (error) {
    return !/timeout/i.test(errorMessage(error));
  } finally {
    // A connection to a server that hangs never ends.
    client.end().catch(() => undefined);
  }
};

/**
 * Watches whether Postgres responds to new connections.
 * @returns a promise that resolves once several attempts in a row got no response, after seven seconds at the earliest.
 */
export const unresponsive = async (url: string, signal: AbortSignal): Promise<void> => {
  let silent = 0;
  while (silent < ATTEMPTS) {
    await sleep(silent === 0 ? PAUSE_MS : 0, undefined, { signal });
    silent = (await responds(url)) ? 0 : silent + 1;
  }
};
