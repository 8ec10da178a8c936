import { z } from 'zod';
import { FINDING_KINDS } from '../../../write/research/research.ts';
import {
  bool,
  createTables,
  defineTable,
  float8,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

export const RUN_STATUSES = ['running', 'completed', 'failed'] as const;
export const FINDING_STATUSES = ['open', 'confirmed', 'dismissed', 'superseded'] as const;

const figures = json(z.record(z.string(), z.number().nullable()));
const strings = json(z.array(z.string()) as z.ZodType<readonly string[]>);

export const runTable = defineTable(
  'runs',
  {
    run: name(),
    /** Position of its first event: the order of runs. */
    position: wideInt8(),
    status: name(z.enum(RUN_STATUSES)),
    trigger: text(z.enum(['schedule', 'operator'])),
    observe_only: bool(),
    started_at: instant(),
    /** Null while it is running. */
    finished_at: nullable(instant()),
    seed: int8(),
    policy: text(),
    as_of: nullable(text()),
    pools_evaluated: int4(),
    findings: int4(),
    /** Decisions that let a pool grow, and all that change one. */
    expansions: int4(),
    decisions: int4(),
    /** Why it failed; null if it did not. */
    failure: nullable(text()),
  },
  { key: ['run'] },
);
export type RunRow = RowOf<typeof runTable>;

export const findingTable = defineTable(
  'findings',
  {
    id: name(),
    position: wideInt8(),
    run: name(),
    kind: name(z.enum(FINDING_KINDS)),
    subject: name(),
    summary: text(),
    metrics: figures,
    confidence: float8(),
    decision: nullable(text()),
    /** IDs of events, and the positions of those that this read model has seen. */
    evidence: strings,
    evidence_positions: strings,
    status: name(z.enum(FINDING_STATUSES)),
    /** Why it was confirmed, dismissed or superseded, and by which finding; null if it is open. */
    reason: nullable(text()),
    successor: nullable(text()),
    created_at: instant(),
    reviewed_at: nullable(instant()),
  },
  { key: ['id'] },
);
export type FindingRow = RowOf<typeof findingTable>;

/** Events of runs, in log order. */
export const eventTable = defineTable(
  'events',
  {
    position: wideInt8(),
    run: name(),
    type: name(),
    at: instant(),
    /** The pool that it is about; null for none. */
    pool: nullable(name()),
    data: json(z.record(z.string(), z.unknown())),
  },
  { key: ['position'] },
);
export type EventRow = RowOf<typeof eventTable>;

/** The first and the last position of events by the hour that they happened in, counted since 1970: where a period begins and ends. */
export const eventHourTable = defineTable(
  'event_hours',
  { hour: int4(), first: wideInt8(), last: wideInt8() },
  { key: ['hour'] },
);
export type EventHourRow = RowOf<typeof eventHourTable>;

/** The hour of an instant. */
export const eventHourOf = (at: string): number => Math.floor(Date.parse(at) / 3_600_000);

/** Positions of events that findings may name, as long as a finding can be about them. */
export const sourceTable = defineTable(
  'sources',
  { event: name(), position: wideInt8(), recorded_at: instant() },
  { key: ['event'] },
);
export type SourceRow = RowOf<typeof sourceTable>;

export const tables = (schema: string): string =>
  createTables(schema, [runTable, findingTable, eventTable, eventHourTable, sourceTable]);

export const indexes = (schema: string): string => `
  create index on ${schema}.runs (position);
  create index on ${schema}.findings (position);
  create index on ${schema}.findings (kind, position);
  create index on ${schema}.findings (run, position);
  create index on ${schema}.findings (subject, position);
  create index on ${schema}.events (run, position);
  create index on ${schema}.events (pool, position);
  create index on ${schema}.events (type, position);
  create index on ${schema}.sources (recorded_at);`;
