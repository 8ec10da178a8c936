import type pg from 'pg';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Queryable } from '../../src/kernel/postgres/pool.ts';
import { activeBuild, createBuild } from '../../src/projections/builds/builds.ts';
import { holders } from '../../src/projections/views/holders/projection.ts';
import { openWriter, type Writer } from '../../src/projections/writer.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { type HolderEvent, holderStream } from '../../src/write/holders/holder.ts';
import { type Plan, type Plans, plansOf, SCOPES } from '../../src/write/holders/plans.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { type Admission, createAdmission } from '../../src/write/metering/admission.ts';
import { type AdmissionRequest, METERING_SETTINGS } from '../../src/write/metering/entitlements.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A plan with the figures that a test sets. */
export const testPlan = (name: string, figures: Partial<Plan> = {}): Plan => ({
  name,
  price_micro_usd: 0,
  units: 1_000,
  requests_per_minute: 1_000_000,
  live_per_minute: 1_000_000,
  keys: 100,
  overage_micro_usd: 1_000,
  weights: { catalog: 1, live: 10 },
  scopes: [...SCOPES],
  ip_allowlist: true,
  support: null,
  ...figures,
});

/** The log, the holders' read model and the metering, on a database of their own. */
export interface MeteringWorld {
  readonly database: TestDatabase;
  readonly db: pg.Pool;
  readonly log: EventLog;
  readonly schema: string;
  readonly plans: Plans;
  /** The time that the metering uses; null: the database's clock. */
  time: string | null;
  /** Appends to a holder's stream and folds it. */
  tell(holder: string, ...events: HolderEvent[]): Promise<void>;
  /** Registers a holder on a plan, from a time on. */
  register(holder: string, plan: string, at?: string): Promise<void>;
  admission(db?: Queryable): Admission;
  account(holder: string): Promise<Record<string, number | string | Date | null>>;
  close(): Promise<void>;
}

export const catalogRead = (holder: string, more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  holder,
  keyId: 'key_1',
  operation: 'getDirectoryEntry',
  catalog: 1,
  live: 0,
  ...more,
});

export const liveCall = (holder: string, live = 1): AdmissionRequest =>
  catalogRead(holder, { operation: 'checkAccountLive', catalog: 0, live, reserve: true });

export const createMeteringWorld = async (all: readonly Plan[], max = 10): Promise<MeteringWorld> => {
  const database = await createTestDatabase(max);
  const { db } = database;
  const metering = createPool(database.url, {
    max: 4,
    logger: silentLogger,
    name: 'test metering',
    settings: METERING_SETTINGS,
  });
  const log = withValidation(createPostgresLog(db, database.url, silentLogger), eventTypes);
  await createBuild(db, holders, 'active');
  const schema = (await activeBuild(db, holders.name, holders.version))?.schema ?? '';
  const plans = plansOf('test', all);
  let writer: Writer | undefined;

  const world: MeteringWorld = {
    database,
    db,
    log,
    schema,
    plans,
    time: null,
    tell: async (holder, ...events) => {
      const batch = events.map((event) => ({ id: uuidV7(Date.now()), ...event }));
      await log.append(holderStream(holder), batch, 'any');
      writer ??= await openWriter(db, holders, schema);
      for await (const page of log.readAll(writer.position(), { types: holders.types }))
        await writer.write(page);
    },
    register: (holder, plan, at = '2026-11-01T00:00:00.000Z') =>
      world.tell(
        holder,
        { type: 'HolderRegistered', data: { at, holder, name: holder } },
        { type: 'PlanChosen', data: { at, plan } },
      ),
    admission: (on: pg.Pool = metering) =>
      createAdmission(
        on,
        () => schema,
        plans,
        () => world.time,
      ),
    account: async (holder) => {
      const { rows } = await db.query('select * from metering.accounts where holder = $1', [holder]);
      return Object.fromEntries(
        Object.entries(rows[0] ?? {}).map(([name, value]) => [
          name,
          typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
        ]),
      ) as Record<string, number | string | Date | null>;
    },
    close: async () => {
      await metering.end();
      await log.close();
      await database.drop();
    },
  };
  return world;
};
