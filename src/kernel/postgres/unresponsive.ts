import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorMessage } from '../errors/error-message.ts';
import { withSettings } from './pool.ts';

/** How long one attempt waits for a response; attempts in a row that have to stay without one. */
const ANSWER_MS = 2_000;
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/** Whether the server responds, if only with a refusal. */
const responds = async (url: string): Promise<boolean> => {
  const client = new pg.Client({
    connectionString: withSettings(url),
    application_name: 'sightline probe',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return !/timeout/i.test(errorMessage(error));
  } finally {
    // A connection to a server that hangs ends never.
    client.end().catch(() => undefined);
  }
};

/**
 * Watches whether Postgres responds to new connections.
 * @returns resolves once it has left several attempts in a row without a response, after seven seconds at the earliest.
 */
export const unresponsive = async (url: string, signal: AbortSignal): Promise<void> => {
  let silent = 0;
  while (silent < ATTEMPTS) {
    await sleep(silent === 0 ? PAUSE_MS : 0, undefined, { signal });
    silent = (await responds(url)) ? 0 : silent + 1;
  }
};
