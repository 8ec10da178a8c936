import { Agent, request } from 'undici';
import { serve } from '../support/child.ts';

/** Somebody with one key who asks one endpoint for all that he can, from a process of his own. */
export interface AttackQuestion {
  readonly url: string;
  readonly key: string;
  readonly connections: number;
  readonly ms: number;
  /** Requests in all; null for as many as there is time for. */
  readonly most: number | null;
  /** Asked for in turn. */
  readonly requests: readonly {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: unknown;
  }[];
}

/** How many answers of each status there were. */
export type AttackAnswer = Readonly<Record<string, number>>;

/** Between two requests of a connection that was refused: an attacker who gains nothing from refusals. */
const PAUSE_MS = 1_000;

const attack = async ({
  url,
  key,
  connections,
  ms,
  most,
  requests,
}: AttackQuestion): Promise<AttackAnswer> => {
  const agent = new Agent({ connections, pipelining: 1 });
  const statuses: Record<string, number> = {};
  const until = performance.now() + ms;
  let n = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until && (most === null || n < most)) {
        const { method, path, body } = requests[n++ % requests.length] as AttackQuestion['requests'][number];
        const { statusCode, body: answer } = await request(`${url}/v2${path}`, {
          dispatcher: agent,
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        await answer.dump();
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
        if (statusCode === 429) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }),
  );
  await agent.close();
  return statuses;
};

if (import.meta.main) serve(attack);
