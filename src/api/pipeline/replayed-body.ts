interface StoredBody {
  readonly data: unknown;
  readonly meta: { readonly generated_at: string };
}

/** Members of answers that are ages in seconds, at the time that the answer is sent. */
const AGES: ReadonlySet<string> = new Set(['stale_s', 'cache_age_s']);

/**
 * A stored response as of now: what it says was read is as much older. All else is as it was first sent.
 */
export const replayedBody = (body: string, nowMs: number): string => {
  const { data, meta } = JSON.parse(body) as StoredBody;
  const passedS = Math.max(0, Math.floor((nowMs - Date.parse(meta.generated_at)) / 1_000));
  return JSON.stringify({ data, meta }, (name, value) =>
    AGES.has(name) && typeof value === 'number' ? value + passedS : value,
  );
};
