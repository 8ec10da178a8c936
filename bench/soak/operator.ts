import { ensureSeedPool, recruitSeeds, type SeedTuning } from '../../src/crawlers/pools/choose-pool.ts';
import { isoOf, systemClock } from '../../src/kernel/clock.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { addHolder } from '../../src/operations/holders/holders.ts';
import { issueKey, rotateKey } from '../../src/operations/holders/keys.ts';
import { verifyProjection } from '../../src/operations/projections/builds.ts';
import { listProjections } from '../../src/operations/projections/lag.ts';
import { auditLedger } from '../../src/operations/usage/usage.ts';
import { projections } from '../../src/projections/registry.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { serve } from '../support/child.ts';
import type { Handles } from './load.ts';

/** What an operator does before and after a soak, in a process with the clock of the service. */
export type OperatorQuestion =
  | {
      readonly does: 'prepare';
      readonly url: string;
      readonly home: string;
      readonly seeds: Handles;
      readonly lengthS: number;
    }
  | { readonly does: 'remaining' }
  | { readonly does: 'audit' }
  | { readonly does: 'verify'; readonly projection: string }
  | { readonly does: 'activity' };

export interface Keys {
  /** Of a holder whose reads fit into its plan. */
  readonly reader: string;
  /** Of a holder that asks for more than its plan has, and whose period ends in the middle of the soak. */
  readonly small: string;
  /** Replaced; it expires in the first half of the soak. */
  readonly replaced: string;
}

/** What is not done yet. */
export interface Remaining {
  readonly reservations: number;
  /** Events that a projection has not processed, by its name; stalled ones are Infinity. */
  readonly behind: Readonly<Record<string, number>>;
}

export interface AuditAnswer {
  readonly differences: readonly string[];
  readonly holders: number;
  readonly periods: number;
  readonly settled: number;
  readonly lines: number;
}

export interface VerifyAnswer {
  readonly equal: number;
  readonly different: number;
  readonly examples: readonly string[];
}

/** Counts of what a soak is to have done. */
export interface Activity {
  readonly events: Readonly<Record<string, number>>;
  readonly gaps: number;
  readonly parked: number;
  readonly expiredResponses: number;
  readonly deadlocks: number;
  readonly builds: number;
  readonly projections: readonly string[];
}

/** However seldom an account changes, it is read every six hours: the crawl is as fast throughout. */
const TUNING: SeedTuning = { refreshMinS: 6 * 3_600, refreshMaxS: 6 * 3_600, sizeCap: 1_000_000 };

const MONTH_MS = 30 * 86_400_000;

let runtime: Runtime | undefined;

const opened = (): Runtime => {
  if (runtime === undefined) throw new Error('the database was not opened');
  return runtime;
};

const prepare = async ({
  url,
  home,
  seeds,
  lengthS,
}: OperatorQuestion & { does: 'prepare' }): Promise<Keys> => {
  const config = parseConfig({
    SIGHTLINE_HOME: home,
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '4',
  });
  runtime = await openRuntime(config, 'command', silentLogger);
  const nowMs = systemClock.now();
  for (const platform of PLATFORMS) {
    await ensureSeedPool(runtime.log, platform, nowMs, TUNING);
    await recruitSeeds(runtime.log, platform, seeds[platform], nowMs);
  }
  await addHolder(runtime, { name: 'Reader', id: 'reader', plan: 'enterprise' });
  const { key: reader } = await issueKey(runtime, { holder: 'reader', scopes: null, label: null });
  const { key: replaced, keyId } = await issueKey(runtime, { holder: 'reader', scopes: null, label: null });
  const clockMs = lengthS * 48_000;
  await rotateKey(runtime, { keyId, graceMs: Math.round(clockMs / 2) });
  const at = isoOf(Math.round(nowMs - MONTH_MS + clockMs / 2));
  await runtime.log.append(
    holderStream('small'),
    [
      { id: uuidV7(nowMs), type: 'HolderRegistered', data: { at, holder: 'small', name: 'Small' } },
      { id: uuidV7(nowMs), type: 'PlanChosen', data: { at, plan: 'free' } },
    ],
    'no_stream',
  );
  const { key: small } = await issueKey(runtime, { holder: 'small', scopes: null, label: null });
  return { reader, small, replaced };
};

const remaining = async (): Promise<Remaining> => {
  const { db } = opened();
  const { rows } = await db.query<{ n: number }>(sql`select count(*)::int as n from metering.reservations`);
  const listed = (await listProjections(opened())).filter(({ status }) => status === 'active');
  return {
    reservations: rows[0]?.n ?? 0,
    behind: Object.fromEntries(
      listed.map(({ projection, behind, stalledAt }) => [
        projection,
        stalledAt.length > 0 ? Number.POSITIVE_INFINITY : Number(behind?.events ?? 0),
      ]),
    ),
  };
};

const audit = async (): Promise<AuditAnswer> => {
  const { ledger, differences } = await auditLedger(opened(), null, () => undefined);
  return {
    differences: differences.map(
      ({ holder, what, expected, found }) => `${holder}: ${what} is ${found}, expected ${expected}`,
    ),
    holders: ledger.holders.length,
    periods: ledger.periods.length,
    settled: ledger.settled.length,
    lines: ledger.periods.reduce((sum, { lines }) => sum + lines, 0),
  };
};

const verify = async (projection: string): Promise<VerifyAnswer> => {
  const { equal, different, differences } = await verifyProjection(opened(), projection, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onRow: () => undefined,
    writers: 1,
    max: 5,
  });
  return { equal, different, examples: differences.map((difference) => JSON.stringify(difference)) };
};

const activity = async (): Promise<Activity> => {
  const { db } = opened();
  const { rows: types } = await db.query<{ type: string; n: number }>(
    sql`select type, count(*)::int as n from log.events group by type`,
  );
  const { rows } = await db.query<Omit<Activity, 'events' | 'projections'>>(sql`
    select (select (coalesce(max(position), 0) - count(*))::int from log.events) as gaps,
    (select count(*)::int from projections.parked) as parked,
    (select count(*)::int from metering.idempotent_responses
     where created_at < clock_timestamp() - interval '25 hours') as "expiredResponses",
    (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks,
    (select count(*)::int from projections.builds) as builds`);
  return {
    ...(rows[0] as Omit<Activity, 'events' | 'projections'>),
    events: Object.fromEntries(types.map(({ type, n }) => [type, n])),
    projections: projections.map(({ name }) => name),
  };
};

const answer = (question: OperatorQuestion): Promise<unknown> => {
  switch (question.does) {
    case 'prepare':
      return prepare(question);
    case 'remaining':
      return remaining();
    case 'audit':
      return audit();
    case 'verify':
      return verify(question.projection);
    case 'activity':
      return activity();
  }
};

if (import.meta.main) serve(answer, async () => runtime?.close());
