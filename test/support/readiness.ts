import { until } from './wait.ts';

export interface ReadinessAnswer {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

/** The answer of `/readyz` on an operations port. Repeats the request when it is rate-limited, since tests poll. */
export const readinessAt = (url: string): Promise<ReadinessAnswer> =>
  until('readiness is answered', async () => {
    const answer = await fetch(url);
    if (answer.status !== 429) return (await answer.json()) as ReadinessAnswer;
    await answer.body?.cancel();
    return null;
  });
