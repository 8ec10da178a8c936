import { OperatorError } from '../../kernel/errors.ts';
import { withReadSnapshot } from '../../kernel/postgres/pool.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import { findHolder, type HolderTerms } from '../../read/holders.ts';
import {
  differencesOf,
  type Ledger,
  listPeriods,
  listUsage,
  type PeriodUsage,
  type Reserved,
  readLedger,
  reservedOf,
  type SettledEvent,
  type UsageBy,
  type UsageLine,
} from '../../read/metering.ts';
import { type HolderEvent, holderStream } from '../../write/holders/holder.ts';
import type { EventFilter, RecordedEvent } from '../../write/log/port.ts';
import type { OnProgress, OperationsContext } from '../context.ts';
import { unknownHolder } from '../holders/holders.ts';
import { currentSchema } from '../projections/read-model.ts';
import { readWallet, type Wallet } from './wallet.ts';

export interface HolderUsage {
  readonly holder: HolderTerms;
  readonly wallet: Wallet;
  readonly periods: readonly PeriodUsage[];
  readonly reserved: Reserved;
  readonly lines: readonly UsageLine[];
}

/**
 * A holder's usage, read in one snapshot.
 * @param period the period of the lines: a number, the running one, or all.
 * @throws {OperatorError} `holder_unknown`, `period_unknown`
 */
export const readUsage = async (
  context: OperationsContext,
  id: string,
  period: number | 'running' | 'all',
  by: readonly UsageBy[],
): Promise<HolderUsage> => {
  const schema = await currentSchema(context, holders);
  return withReadSnapshot(context.db, async (db) => {
    const holder = await findHolder(db, schema, id);
    if (holder === null) throw unknownHolder(id);
    const periods = await listPeriods(db, id);
    const wanted = period === 'running' ? periods.find((one) => one.state === 'running')?.period : period;
    if (typeof wanted === 'number' && !periods.some((one) => one.period === wanted)) {
      const last = periods.at(-1)?.period;
      throw new OperatorError(
        'period_unknown',
        `${id} has no period ${wanted}: ${last === undefined ? 'it has never called' : `they are 1 to ${last}, or all`}`,
      );
    }
    return {
      holder,
      wallet: await readWallet(db, holder),
      periods,
      reserved: await reservedOf(db, id),
      lines:
        by.length === 0 || wanted === undefined
          ? []
          : await listUsage(db, id, wanted === 'all' ? null : wanted, by),
    };
  });
};

export interface Audit {
  readonly ledger: Ledger;
  readonly differences: ReturnType<typeof differencesOf>;
}

/**
 * Reconciles usage, charges, wallets and the log.
 * @param holder null for all holders.
 * @throws {OperatorError} `holder_unknown`
 */
export const auditLedger = async (
  context: OperationsContext,
  holder: string | null,
  onProgress: OnProgress,
): Promise<Audit> => {
  const ledger = await collect(context, holder, onProgress);
  if (holder !== null && ledger.holders.length === 0) throw unknownHolder(holder);
  return { ledger, differences: differencesOf(ledger) };
};

const CATEGORY = holderStream('');

/** Events of a holder, or of all holders if null, up to a position. */
async function* holderEvents(
  { log }: OperationsContext,
  holder: string | null,
  to: bigint,
  onProgress: OnProgress,
): AsyncGenerator<RecordedEvent> {
  if (holder !== null) {
    for (const event of await log.readStream(holderStream(holder))) if (event.position <= to) yield event;
    return;
  }
  const filter: EventFilter = { streamPrefixes: [CATEGORY], types: ['WalletCredited', 'UsageSettled'] };
  for await (const page of log.readAll(0n, { ...filter, to })) {
    yield* page.events;
    onProgress(Number(page.endPosition < to ? page.endPosition : to), Number(to));
  }
}

const settledOf = (
  holder: string,
  position: bigint,
  data: Extract<HolderEvent, { type: 'UsageSettled' }>['data'],
): SettledEvent => ({
  holder,
  position,
  period: data.period,
  plan: data.plan,
  started_at: data.started_at,
  ended_at: data.ended_at,
  figures: {
    requests: BigInt(data.requests),
    budget_units: BigInt(data.budget_units),
    overage_units: BigInt(data.overage_units),
    overage_micro_usd: BigInt(data.overage_micro_usd),
    live_calls: BigInt(data.live_calls),
  },
});

/**
 * Everything that has to add up at one moment: the tables of one snapshot, and the log up to their position.
 * @param onProgress called with the log position that was reached, and the last one.
 */
const collect = async (
  context: OperationsContext,
  holder: string | null,
  onProgress: OnProgress,
): Promise<Ledger> => {
  const schema = await currentSchema(context, holders);
  // Periods settled before the snapshot have their row in it; periods published in it have their event before the end.
  const head = await context.log.head();
  const { rows, endPosition } = await withReadSnapshot(context.db, async (db) => ({
    endPosition: await checkpointOf(db, schema),
    rows: await readLedger(db, schema, holder),
  }));
  const credits = new Map<string, bigint>();
  const settled: SettledEvent[] = [];
  const end = await context.log.head();
  for await (const { stream, position, ...event } of holderEvents(context, holder, end, onProgress)) {
    const of = stream.slice(CATEGORY.length);
    const { type, data } = event as HolderEvent;
    if (type === 'UsageSettled') settled.push(settledOf(of, position, data));
    if (type === 'WalletCredited' && position <= endPosition)
      credits.set(of, (credits.get(of) ?? 0n) + BigInt(data.amount_micro_usd));
  }
  return { ...rows, credits, settled, head };
};
