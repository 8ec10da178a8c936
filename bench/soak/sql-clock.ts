import { CLOCK_VARIABLE, type Pace } from '../../src/kernel/clock.ts';

/** The variable of the environment by which all processes share a pace. */
export const clockEnvironment = ({ originMs, speed }: Pace): Readonly<Record<string, string>> => ({
  [CLOCK_VARIABLE]: `${originMs},${speed}`,
});

const FUNCTIONS = { now: 'stable', clock_timestamp: 'volatile' } as const;

/**
 * Statements that let the time of a database run at a pace: functions of the names of Postgres's own, in a schema that is
 * searched before them. To be run on an empty database, since defaults of columns are bound when a table is made.
 */
export const sqlClock = (database: string, { originMs, speed }: Pace): readonly string[] => {
  const origin = `timestamptz '${new Date(originMs).toISOString()}'`;
  return [
    'create schema clock',
    ...Object.entries(FUNCTIONS).map(
      ([name, volatility]) => `create function clock.${name}() returns timestamptz
        language sql ${volatility} parallel safe
        return ${origin} + (pg_catalog.${name}() - ${origin}) * ${speed}`,
    ),
    'create extension pg_trgm schema public',
    `alter database ${database} set search_path = clock, public, pg_catalog`,
  ];
};
