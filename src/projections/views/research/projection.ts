import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import {
  type EventHourRow,
  type EventRow,
  eventHourOf,
  eventHourTable,
  eventTable,
  type FindingRow,
  findingTable,
  indexes,
  type RunRow,
  runTable,
  type SourceRow,
  sourceTable,
  tables,
} from './tables.ts';

interface State {
  readonly runs: Map<string, RunRow>;
  readonly findings: Map<string, FindingRow>;
  readonly events: EventRow[];
  readonly hours: Map<number, EventHourRow>;
  /** Positions of events that findings name: those of this batch, and those that its findings need. */
  readonly sources: Map<string, SourceRow>;
  readonly newSources: Map<string, SourceRow>;
}

const createState = (): State => ({
  runs: new Map(),
  findings: new Map(),
  events: [],
  hours: new Map(),
  sources: new Map(),
  newSources: new Map(),
});

/** The run of a stream: `limits` for what operators limit all runs to. */
const runOf = ({ stream }: { readonly stream: string }): string => stream.slice('research-'.length);

type ResearchEvent = ProjectedEvent & { readonly data: { readonly at: string } };

/** Lists an event, as callers see it. */
const listed = (
  state: State,
  { position, stream, type, data }: ResearchEvent,
  pool: string | null = null,
): void => {
  const { at, ...rest } = data;
  const hour = eventHourOf(at);
  const { first = String(position) } = state.hours.get(hour) ?? {};
  state.hours.set(hour, { hour, first, last: String(position) });
  state.events.push({ position: String(position), run: runOf({ stream }), type, at, pool, data: rest });
};

const changeRun = (state: State, event: ResearchEvent, change: (row: RunRow) => Partial<RunRow>): void => {
  const row = state.runs.get(runOf(event));
  if (row !== undefined) state.runs.set(row.run, { ...row, ...change(row) });
};

const changeFinding = (state: State, id: string, change: Partial<FindingRow>): void => {
  const row = state.findings.get(id);
  if (row !== undefined) state.findings.set(id, { ...row, ...change });
};

const positionsOf = (state: State, evidence: readonly string[]): readonly string[] =>
  evidence
    .flatMap((id) => state.newSources.get(id)?.position ?? state.sources.get(id)?.position ?? [])
    .toSorted((a, b) => Number(BigInt(a) - BigInt(b)));

const source = (state: State, { id, position, recorded_at }: AppliedEvent): void => {
  state.newSources.set(id, { event: id, position: String(position), recorded_at });
};

const reviewed = (
  state: State,
  event: ProjectedEvent<'FindingConfirmed' | 'FindingDismissed' | 'FindingSuperseded'>,
  status: FindingRow['status'],
  successor: string | null,
): void => {
  listed(state, event);
  const { finding, reason, at } = event.data;
  changeFinding(state, finding, { status, reason, successor, reviewed_at: at });
};

const handlers: Handlers<State> = {
  ResearchRunStarted: (state, event) => {
    listed(state, event);
    const { at, run, trigger, seed, policy, as_of, observe_only } = event.data;
    state.runs.set(run, {
      ...{
        run,
        position: String(event.position),
        status: 'running',
        trigger,
        observe_only,
        started_at: at,
        finished_at: null,
      },
      ...{ seed, policy, as_of, pools_evaluated: 0, findings: 0, expansions: 0, decisions: 0, failure: null },
    });
  },
  PoolEvaluated: (state, event) => {
    listed(state, event, event.data.pool);
    changeRun(state, event, (row) => ({ pools_evaluated: row.pools_evaluated + 1 }));
  },
  FindingRecorded: (state, event) => {
    listed(state, event);
    changeRun(state, event, (row) => ({ findings: row.findings + 1 }));
    const { at, finding, kind, subject, summary, metrics, confidence, decision, evidence } = event.data;
    state.findings.set(finding, {
      ...{
        id: finding,
        position: String(event.position),
        run: runOf(event),
        kind,
        subject,
        summary,
        metrics,
        confidence,
        decision,
      },
      ...{
        evidence,
        evidence_positions: positionsOf(state, evidence),
        status: 'open',
        reason: null,
        successor: null,
      },
      ...{ created_at: at, reviewed_at: null },
    });
  },
  ExpansionDecided: (state, event) => {
    const { pool, action } = event.data;
    listed(state, event, pool);
    changeRun(state, event, (row) => ({
      expansions: row.expansions + (action === 'expand' ? 1 : 0),
      decisions: row.decisions + (action === 'hold' ? 0 : 1),
    }));
  },
  ResearchRunCompleted: (state, event) => {
    listed(state, event);
    changeRun(state, event, () => ({ status: 'completed', finished_at: event.data.at }));
  },
  ResearchRunFailed: (state, event) => {
    listed(state, event);
    const { at, reason } = event.data;
    changeRun(state, event, () => ({ status: 'failed', finished_at: at, failure: reason }));
  },
  FindingConfirmed: (state, event) => reviewed(state, event, 'confirmed', null),
  FindingDismissed: (state, event) => reviewed(state, event, 'dismissed', null),
  FindingSuperseded: (state, event) => reviewed(state, event, 'superseded', event.data.successor),
  ResearchLimitsSet: (state, event) => listed(state, event),
  CrawlBatchCompleted: source,
  EngineDegraded: source,
  MembersRecruited: (state, event) => {
    if (event.data.members.some(({ via }) => via === 'demand')) source(state, event);
  },
};

const apply = dispatch(handlers);

const runOfRow = driverReader(runTable);
const findingOfRow = driverReader(findingTable);
const sourceOfRow = driverReader(sourceTable);
const hourOfRow = driverReader(eventHourTable);

/** Findings name events of the last two weeks at most. */
const KEPT_DAYS = 17;

/** Findings that events of a batch are about, and the events that those name. */
const findingsOf = (events: readonly AppliedEvent[]): readonly string[] =>
  events.flatMap(({ data }) => {
    const { finding } = data as { readonly finding?: unknown };
    return typeof finding === 'string' ? [finding] : [];
  });

/** Hours that events of runs happened in. */
const hoursOf = (events: readonly AppliedEvent[]): readonly number[] =>
  events.map(({ data }) => eventHourOf((data as { readonly at: string }).at));

const evidenceOf = (events: readonly AppliedEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'FindingRecorded' ? (event as ProjectedEvent<'FindingRecorded'>).data.evidence : [],
  );

const open = (schema: string): Fold => {
  let state = createState();
  const rowsOf = async <Row>(
    db: Queryable,
    table: string,
    key: string,
    ids: readonly (string | number)[],
  ): Promise<readonly DriverRow<Row>[]> =>
    ids.length === 0
      ? []
      : (
          await db.query<DriverRow<Row>>(sql.named(`load ${schema}.${table}`)`
            select * from ${ident(schema)}.${ident(table)} where ${raw(key)} = any(${[...new Set(ids)]})`)
        ).rows;
  return {
    load: async (db, events) => {
      state = createState();
      const own = events.filter(({ stream }) => stream.startsWith('research-'));
      for (const row of (await rowsOf<RunRow>(db, 'runs', 'run', own.map(runOf))).map(runOfRow))
        state.runs.set(row.run, row);
      for (const row of (await rowsOf<FindingRow>(db, 'findings', 'id', findingsOf(own))).map(findingOfRow))
        state.findings.set(row.id, row);
      for (const row of (await rowsOf<SourceRow>(db, 'sources', 'event', evidenceOf(own))).map(sourceOfRow))
        state.sources.set(row.event, row);
      for (const row of (await rowsOf<EventHourRow>(db, 'event_hours', 'hour', hoursOf(own))).map(hourOfRow))
        state.hours.set(row.hour, row);
    },
    apply: (event) => apply(state, event),
    store: async (db) => {
      const { runs, findings, events, hours, newSources } = state;
      await upsert(db, schema, runTable, [...runs.values()]);
      await upsert(db, schema, findingTable, [...findings.values()]);
      await upsert(db, schema, eventTable, events);
      await upsert(db, schema, eventHourTable, [...hours.values()]);
      await upsert(db, schema, sourceTable, [...newSources.values()]);
      const newest = [...newSources.values()].at(-1)?.recorded_at;
      if (newest !== undefined)
        await db.query(sql.named(`forget ${schema}.sources`)`
          delete from ${ident(schema)}.sources
            where recorded_at < ${newest}::timestamptz - interval '${raw(KEPT_DAYS)} days'`);
      state = createState();
    },
    reset: () => {
      state = createState();
    },
  };
};

/** Runs of research, their findings and events in log order: pollers resume behind the last position. */
export const research: Projection = {
  name: 'research',
  version: 1,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['research-', 'engine-', 'members-'],
  parks: ['research-', 'engine-', 'members-'],
  tables,
  indexes,
  open,
};
