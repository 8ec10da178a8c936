import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { upserts, writeAll } from '../../table/bulk-upsert.ts';
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
  readonly ladders: Map<string, LadderRow>;
  readonly populations: Map<string, PopulationRow>;
  readonly patterns: Map<string, PatternRow>;
}

const handlers: Handlers<State> = {
  LadderComputed: ({ ladders }, { id, data: { at, platform, metric, band: of, n, points } }) => {
    const band = of ?? ALL_BANDS;
    const row = { platform, metric, band, n, points, computed_at: at, event: id };
    ladders.set(`${platform} ${metric} ${band}`, row);
  },
  PopulationPatternsComputed: ({ patterns }, { id, data: { at, platform, authors, posts, cells } }) => {
    patterns.set(platform, { platform, computed_at: at, authors, posts, cells, event: id });
  },
  PopulationCounted: ({ populations }, { id, data: { at, population: _, ...counted } }) => {
    populations.set(counted.platform, { ...counted, computed_at: at, event: id });
  },
};

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  const state: State = { ladders: new Map(), populations: new Map(), patterns: new Map() };
  const reset = () => {
    for (const rows of Object.values(state)) rows.clear();
  };
  return {
    load: async () => reset(),
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
  streamPrefixes: ['ladder-'],
  tables,
  indexes: () => 'select 1',
  open,
};
