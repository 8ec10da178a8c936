/** Members of answers that are ages in seconds, as of the time that an answer is sent. */
const AGES: ReadonlySet<string> = new Set(['stale_s', 'cache_age_s']);

interface StoredBody {
  readonly meta: { readonly generated_at: string };
}

/** JSON whose ages are so much higher. */
const older = (value: unknown, passedS: number): string =>
  JSON.stringify(value, (name, each) => (AGES.has(name) && typeof each === 'number' ? each + passedS : each));

/**
 * A stored response as of now: what it says was read is as much older. All else is as it was first sent.
 */
export const agedBody = (body: string, nowMs: number): string => {
  const stored = JSON.parse(body) as StoredBody;
  const passedS = Math.floor((nowMs - Date.parse(stored.meta.generated_at)) / 1_000);
  return passedS < 1 ? body : older(stored, passedS);
};

/** Serialized data that waited to be sent, as for its admission: its ages are as of now, to the second. */
export const agedData = (data: string, waitedMs: number): string =>
  waitedMs < 1_000 || !data.includes('"stale_s":')
    ? data
    : older(JSON.parse(data), Math.ceil(waitedMs / 1_000));
