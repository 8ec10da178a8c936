import type { PlatformMove } from '../../analysis/growth.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import {
  ALL_BANDS,
  type LadderRow,
  ladderTable,
  type PatternRow,
  type PopulationRow,
  patternTable,
  populationTable,
} from '../../projections/views/ladders/tables.ts';
import type { Builds } from '../active-builds.ts';

/** A ladder: percentiles of a metric, the 0th to the 100th. */
export interface Ladder {
  readonly metric: string;
  /** Number of the size band; null for the whole population. */
  readonly band: number | null;
  readonly n: number;
  readonly points: readonly number[];
}

/** What was last computed of a platform's accounts. */
export interface Population {
  readonly counts: PopulationRow;
  readonly ladders: readonly Ladder[];
  readonly patterns: PatternRow | null;
}

export interface PopulationReads {
  /** Null before anything was computed. */
  of(platform: Platform): Promise<Population | null>;
}

/** Changes that the accounts of a platform had alike. */
export const movesOf = (population: Population | null): readonly PlatformMove[] =>
  population?.counts.moves.map(({ from, to, change }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    change,
  })) ?? [];

const ladderOf = driverReader(ladderTable);
const populationOf = driverReader(populationTable);
const patternOf = driverReader(patternTable);

const read = async (db: Queryable, schema: string, platform: Platform): Promise<Population | null> => {
  const from = ident(schema);
  const rowsOf = async <Row>(name: string, statement: Statement): Promise<readonly DriverRow<Row>[]> =>
    (await db.query<DriverRow<Row>>(statement.with({ name: `${schema} ${name}` }))).rows;
  const [populations, ladders, patterns] = await Promise.all([
    rowsOf<PopulationRow>('population', sql`select * from ${from}.populations where platform = ${platform}`),
    // A band that has too few accounts by now keeps its last ladder in the table.
    rowsOf<LadderRow>(
      'ladders',
      sql`
        select l.* from ${from}.populations p join ${from}.ladders l
        on l.platform = p.platform and l.computed_at = p.computed_at where p.platform = ${platform}`,
    ),
    rowsOf<PatternRow>('patterns', sql`select * from ${from}.patterns where platform = ${platform}`),
  ]);
  if (populations[0] === undefined) return null;
  return {
    counts: populationOf<PopulationRow>(populations[0]),
    ladders: ladders
      .map((row) => ladderOf<LadderRow>(row))
      .map(({ metric, band, n, points }) => ({ metric, band: band === ALL_BANDS ? null : band, n, points })),
    patterns: patterns[0] === undefined ? null : patternOf<PatternRow>(patterns[0]),
  };
};

/** Populations, kept until the view has followed other events: they are the same for all callers. */
export const createPopulationReads = (db: Queryable, builds: Builds): PopulationReads => {
  const known = new Map<Platform, { readonly asOf: string; readonly found: Promise<Population | null> }>();
  return {
    of: async (platform) => {
      const schema = builds.schema('ladders');
      const asOf = `${schema} ${builds.progress('ladders')?.position}`;
      const before = known.get(platform);
      if (before?.asOf === asOf) return before.found;
      const found = read(db, schema, platform);
      known.set(platform, { asOf, found });
      // A failed read is not kept.
      found.catch(() => known.delete(platform));
      return found;
    },
  };
};
