import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { upserts, writeAll } from '../../table/bulk.ts';
import {
  ALL_BANDS,
  type LadderRow,
  ladderTable,
  type PatternRow,
  type PopulationRow,
  patternTable,
  populationTable,
  tables,
} from './tables.ts';

/** Rows to write, by key: each event states its row whole. */
interface State {
  /** When each platform's figures were computed last. */
  readonly computedAt: Map<string, string>;
  readonly ladders: Map<string, LadderRow>;
  readonly populations: Map<string, PopulationRow>;
  readonly patterns: Map<string, PatternRow>;
}

/** Whether figures are not older than those that are there: computations of two processes may be appended out of order. */
const isNewest = ({ computedAt }: State, platform: string, at: string): boolean => {
  const last = computedAt.get(platform);
  if (last !== undefined && last > at) return false;
  computedAt.set(platform, at);
  return true;
};

const handlers: Handlers<State> = {
  LadderComputed: (state, { id, data: { at, platform, metric, band: of, n, points } }) => {
    if (!isNewest(state, platform, at)) return;
    const { ladders } = state;
    const band = of ?? ALL_BANDS;
    const row = { platform, metric, band, n, points, computed_at: at, event: id };
    ladders.set(`${platform} ${metric} ${band}`, row);
  },
  PopulationPatternsComputed: (state, { id, data: { at, platform, authors, posts, cells } }) => {
    if (!isNewest(state, platform, at)) return;
    state.patterns.set(platform, { platform, computed_at: at, authors, posts, cells, event: id });
  },
  PopulationCounted: (state, { id, data: { at, population: _, ...counted } }) => {
    if (!isNewest(state, counted.platform, at)) return;
    state.populations.set(counted.platform, { ...counted, computed_at: at, event: id });
  },
};

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  const state: State = {
    computedAt: new Map(),
    ladders: new Map(),
    populations: new Map(),
    patterns: new Map(),
  };
  const reset = () => {
    for (const rows of Object.values(state)) rows.clear();
  };
  return {
    load: async (db) => {
      reset();
      const { rows } = await db.query<{ platform: string; at: string }>(sql`
        select platform, max(at) as at from (
        select platform, computed_at as at from ${ident(schema)}.populations
        union all select platform, computed_at from ${ident(schema)}.ladders
        union all select platform, computed_at from ${ident(schema)}.patterns) t group by platform`);
      for (const { platform, at } of rows) state.computedAt.set(platform, at);
    },
    apply: (event) => apply(state, event),
    store: async (db) => {
      await writeAll(db, schema, [
        upserts(ladderTable, [...state.ladders.values()]),
        upserts(populationTable, [...state.populations.values()]),
        upserts(patternTable, [...state.patterns.values()]),
      ]);
      reset();
    },
    reset,
  };
};

/** The last figures of each platform's population, which events state. */
export const ladders: Projection = {
  name: 'ladders',
  version: 1,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['ladder-'],
  tables,
  indexes: () => 'select 1',
  open,
};
