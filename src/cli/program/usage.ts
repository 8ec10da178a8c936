import { UsageError } from '../../kernel/errors.ts';
import { inSnapshot } from '../../kernel/postgres/snapshot.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import { findHolder, type HolderTerms } from '../../read/holders.ts';
import { readLedger } from '../../read/ledger.ts';
import { differencesOf, type Ledger, type SettledEvent } from '../../read/ledger-differences.ts';
import {
  chargedOf,
  listPeriods,
  listUsage,
  type PeriodUsage,
  type Reserved,
  reservedOf,
  type UsageBy,
  type UsageLine,
} from '../../read/usage.ts';
import { type HolderEvent, holderStream } from '../../write/holders/events.ts';
import type { EventFilter, RecordedEvent } from '../../write/log/port.ts';
import { currentSchema } from './holders.ts';
import type { Program } from './open.ts';

/** Micro-dollars. */
export interface Wallet {
  readonly credited: bigint;
  readonly charged: bigint;
  readonly balance: bigint;
}

export interface HolderUsage {
  readonly holder: HolderTerms;
  readonly wallet: Wallet;
  readonly periods: readonly PeriodUsage[];
  readonly reserved: Reserved;
  readonly lines: readonly UsageLine[];
}

/** What a wallet holds. */
export const readWallet = async (program: Program, holder: HolderTerms): Promise<Wallet> => {
  const credited = BigInt(holder.credit_micro_usd);
  const charged = await chargedOf(program.db, holder.holder);
  return { credited, charged, balance: credited - charged };
};

/**
 * All that a holder used, of one moment.
 * @param period of the lines: one of its periods, the running one, or all.
 * @throws {UsageError} where there is no such holder or period.
 */
export const readUsage = async (
  program: Program,
  id: string,
  period: number | 'running' | 'all',
  by: readonly UsageBy[],
): Promise<HolderUsage> => {
  const schema = await currentSchema(program);
  return inSnapshot(program.db, async (db) => {
    const holder = await findHolder(db, schema, id);
    if (holder === null)
      throw new UsageError(`There is no holder ${id}. List them with: sightline holders list`);
    const periods = await listPeriods(db, id);
    const wanted = period === 'running' ? periods.find((one) => one.state === 'running')?.period : period;
    if (typeof wanted === 'number' && !periods.some((one) => one.period === wanted)) {
      const last = periods.at(-1)?.period;
      throw new UsageError(
        `${id} has no period ${wanted}: ${last === undefined ? 'it has never called' : `they are 1 to ${last}, or all`}`,
      );
    }
    const credited = BigInt(holder.credit_micro_usd);
    const charged = await chargedOf(db, id);
    return {
      holder,
      wallet: { credited, charged, balance: credited - charged },
      periods,
      reserved: await reservedOf(db, id),
      lines:
        by.length === 0 || wanted === undefined
          ? []
          : await listUsage(db, id, wanted === 'all' ? null : wanted, by),
    };
  });
};

const FAMILY = holderStream('');

/** A holder's events of the log's, or all holders', up to a position. */
async function* holderEvents(
  { log }: Program,
  holder: string | null,
  to: bigint,
  onProgress: (done: bigint, total: bigint) => void,
): AsyncGenerator<RecordedEvent> {
  if (holder !== null) {
    for (const event of await log.readStream(holderStream(holder))) if (event.position <= to) yield event;
    return;
  }
  const filter: EventFilter = { streamPrefixes: [FAMILY], types: ['WalletCredited', 'UsageSettled'] };
  for await (const page of log.readAll(0n, { ...filter, to })) {
    yield* page.events;
    onProgress(page.through < to ? page.through : to, to);
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
 * Everything that has to add up, of one moment: tables in one snapshot, the log as far as they have come.
 * @param onProgress how far the log is read, in positions.
 */
const collect = async (
  program: Program,
  holder: string | null,
  onProgress: (done: bigint, total: bigint) => void,
): Promise<Ledger> => {
  const schema = await currentSchema(program);
  // What settled before the snapshot has its row in it; what is told in the snapshot has its event before the end.
  const head = await program.log.head();
  const { rows, through } = await inSnapshot(program.db, async (db) => ({
    through: await checkpointOf(db, schema),
    rows: await readLedger(db, schema, holder),
  }));
  const credits = new Map<string, bigint>();
  const settled: SettledEvent[] = [];
  const end = await program.log.head();
  for await (const { stream, position, ...event } of holderEvents(program, holder, end, onProgress)) {
    const of = stream.slice(FAMILY.length);
    const { type, data } = event as HolderEvent;
    if (type === 'UsageSettled') settled.push(settledOf(of, position, data));
    if (type === 'WalletCredited' && position <= through)
      credits.set(of, (credits.get(of) ?? 0n) + BigInt(data.amount_micro_usd));
  }
  return { ...rows, credits, settled, head };
};

export interface Audit {
  readonly ledger: Ledger;
  readonly differences: ReturnType<typeof differencesOf>;
}

/**
 * Whether what holders were charged adds up, of one or of all.
 * @throws {UsageError} where there is no such holder.
 */
export const auditLedger = async (
  program: Program,
  holder: string | null,
  onProgress: (done: bigint, total: bigint) => void,
): Promise<Audit> => {
  const ledger = await collect(program, holder, onProgress);
  if (holder !== null && ledger.holders.length === 0)
    throw new UsageError(`There is no holder ${holder}. List them with: sightline holders list`);
  return { ledger, differences: differencesOf(ledger) };
};
