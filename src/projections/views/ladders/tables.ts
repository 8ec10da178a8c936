import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import type { EventDataOf } from '../../../write/event-types.ts';
import {
  createTables,
  defineTable,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
} from '../../table/table.ts';

/** The band of a ladder of the whole population. */
export const ALL_BANDS = -1;

const numbers = z.array(z.number()) as z.ZodType<readonly number[]>;

/** The last ladder of a metric and size band. Those of a platform's last computation have the time of its population. */
export const ladderTable = defineTable(
  'ladders',
  {
    platform: name(platformSchema),
    metric: name(),
    /** `ALL_BANDS` or the number of a size band. */
    band: int4(),
    n: int8(),
    points: json(numbers),
    computed_at: instant(),
    event: name(),
  },
  { key: ['platform', 'metric', 'band'] },
);
export type LadderRow = RowOf<typeof ladderTable>;

type Counted = EventDataOf<'PopulationCounted'>;

/** What the catalog had of a platform when its figures were last computed. */
export const populationTable = defineTable(
  'populations',
  {
    platform: name(platformSchema),
    computed_at: instant(),
    method: text(),
    through: nullable(name()),
    accounts: int8(),
    with_posts: int8(),
    with_figures: int8(),
    posts: int8(),
    sampled: int8(),
    with_views: int8(),
    ordered: int8(),
    dependence: json(z.unknown() as z.ZodType<Counted['dependence']>),
    pace: json(z.unknown() as z.ZodType<Counted['pace']>),
    moves: json(z.unknown() as z.ZodType<Counted['moves']>),
    window_start: nullable(instant()),
    window_end: nullable(instant()),
    event: name(),
  },
  { key: ['platform'] },
);
export type PopulationRow = RowOf<typeof populationTable>;

export type PopulationCell = EventDataOf<'PopulationPatternsComputed'>['cells'][number];

/** When a platform's accounts post, and with what effect. */
export const patternTable = defineTable(
  'patterns',
  {
    platform: name(platformSchema),
    computed_at: instant(),
    authors: int8(),
    posts: int8(),
    cells: json(z.array(z.unknown()) as unknown as z.ZodType<readonly PopulationCell[]>),
    event: name(),
  },
  { key: ['platform'] },
);
export type PatternRow = RowOf<typeof patternTable>;

export const tables = (schema: string): string =>
  createTables(schema, [ladderTable, populationTable, patternTable]);
