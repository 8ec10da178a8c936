import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import { projections } from '../../projections/registry.ts';
import type { Check, Health } from '../services.ts';

/** A projection that is further behind than this makes the process not ready. */
const MAX_LAG_EVENTS = 50_000n;
/** Nor is one whose checkpoint stands still for so long while there is something to fold. */
const MAX_STILL_MS = 60_000;
/** A replica that is further behind than this serves answers that nobody expects. */
const MAX_REPLICA_S = 60;
const ASK_MS = 3_000;

/** What is asked of others, and given up where nobody answers. */
export const within = async <T>(promise: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${ASK_MS} ms`)), ASK_MS).unref();
  });
  return Promise.race([promise, late]);
};

export const lagOf = async (
  health: Health,
  projection: string,
  head: bigint,
): Promise<Check & { readonly lag: bigint | null }> => {
  const progress = health.builds.progress(projection);
  const name = `projection ${projection}`;
  if (progress === null) return { name, ok: false, detail: 'not built yet', lag: null };
  const count = await within(health.eventsBetween(progress.position, head));
  const lag = count.events;
  const still = lag > 0n && Date.now() - progress.movedAtMs > MAX_STILL_MS;
  const detail = `${count.isEstimate ? 'about ' : ''}${lag} events behind`;
  // That all of it stands is a check of its own.
  const ok = progress.stalled || (lag <= MAX_LAG_EVENTS && !still);
  return { name, ok, detail, lag };
};

/** A check, and whether the process is not ready where it fails. */
interface ReadinessCheck extends Check {
  readonly needed: boolean;
}

/**
 * What stands before an event. Answers are merely older then, and the processes that give them stay ready; but those
 * of `holders`, whose keys may have been revoked since. Those who keep the read models are not ready.
 */
const stalledChecks = async (health: Health): Promise<readonly ReadinessCheck[]> =>
  (await within(health.stalls())).map(({ projection, partition, position }) => ({
    name: `projection ${projection} at ${partition}`,
    ok: false,
    needed: health.serves ? projection === 'holders' : health.projects,
    detail: `stands before position ${position}: its log says why, and how to go on`,
  }));

/** A check that asks, and what it says where nobody answers. */
const asked = async (
  name: string,
  logger: Logger,
  ask: () => Promise<Omit<Check, 'name'>>,
  needed = true,
): Promise<ReadinessCheck> => {
  try {
    return { name, needed, ...(await within(ask())) };
  } catch (error) {
    // What is degraded is said where the failure is met.
    if (needed) logger.warn({ err: errorMessage(error) }, `not ready: the ${name} does not answer`);
    return { name, ok: false, needed, detail: 'does not answer' };
  }
};

/** Streams that wait in dead-letter queues: answers about them are older, and everybody goes on. */
const parkedChecks = async (health: Health): Promise<readonly ReadinessCheck[]> =>
  (await within(health.parked())).map(({ projection, streams }) => ({
    name: `dead letters of ${projection}`,
    ok: false,
    needed: false,
    detail: `${streams} stream${streams === 1 ? ' is' : 's are'} parked: see \`sightline projections parked list\``,
  }));

export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly ReadinessCheck[];
}

/** Asks all that the process needs. */
export const readinessOf = async (health: Health, logger: Logger): Promise<Readiness> => {
  let head: bigint | null = null;
  const { replica } = health;
  const checks = [
    await asked('database', logger, async () => {
      await health.refresh();
      return { ok: true, detail: 'answers' };
    }),
    // The catalog is in Postgres: whoever answers callers is of use without the log, but for live reads.
    await asked(
      'event log',
      logger,
      async () => {
        head = await health.head();
        return { ok: true, detail: `at position ${head}` };
      },
      !health.serves,
    ),
  ];
  if (replica !== undefined) {
    const check = await asked('read replica', logger, async () => {
      await health.builds.refresh();
      const { bytes, seconds } = await replica();
      const detail =
        bytes === 0n ? 'up to date' : `${bytes} bytes and ${seconds?.toFixed(1) ?? 'unknown'} s behind`;
      return { ok: bytes === 0n || (seconds !== null && seconds <= MAX_REPLICA_S), detail };
    });
    checks.push(check);
  }
  for (const { name } of projections) {
    // Without a head nothing is known to be behind.
    const { lag: _, ...check } = await lagOf(
      health,
      name,
      head ?? health.builds.progress(name)?.position ?? 0n,
    );
    checks.push({ ...check, needed: true });
  }
  // Where the database does not answer, that is said already.
  checks.push(...(await stalledChecks(health).catch(() => [])));
  checks.push(...(await parkedChecks(health).catch(() => [])));
  for (const part of health.parts) checks.push({ ...part(), needed: !health.serves });
  return { ready: checks.every(({ ok, needed }) => ok || !needed), checks };
};
