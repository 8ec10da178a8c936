import { type BuildState, listBuilds, progressOf } from '../../projections/builds/builds.ts';
import { type Lag, lagOf } from '../../projections/engine/lag.ts';
import { projections } from '../../projections/registry.ts';
import { listStalls } from '../../projections/stalls.ts';
import { type EventCount, eventsBetween } from '../../write/log/events-between.ts';
import type { OperationsContext } from '../context.ts';

export type { Lag } from '../../projections/engine/lag.ts';

/** All builds and copies, with their lag. */
export const listProjections = async ({ db, log }: Context): Promise<readonly BuildListing[]> => {
  const builds = await listBuilds(db);
  const stalls = await listStalls(db);
  const head = await log.head();
  const listed: BuildListing[] = [];
  for (const build of builds) {
    const behind = build.status === 'copy' ? null : await eventsBetween(log, build.position, head);
    const own = stalls.filter(
      (stall) => stall.projection === build.projection && stall.version === build.version,
    );
    const stalledAt = build.status === 'active' ? own.map(({ position }) => position) : [];
    const leftS = build.status === 'building' ? progressOf(build, head).leftS : null;
    listed.push({ ...build, use: useOf(build, builds), head, behind, leftS, stalledAt });
  }
  return listed;
};

/** The lag of the served builds at a moment of the process's steady clock. */
export interface LagSample {
  readonly atMs: number;
  readonly lags: readonly Lag[];
  /** Events processed since the last sample, by projection; absent if another build is served now. */
  readonly advanced: ReadonlyMap<string, bigint>;
}

/** Samples the lag of the served builds. @param before the last sample, to compute rates from; null for the first. */
export const sampleLag = async ({ db, log }: Context, before: LagSample | null): Promise<LagSample> => {
  const lags = await lagOf(db, log, projections);
  const atMs = performance.now();
  const advanced = new Map<string, bigint>();
  for (const { projection, build } of lags) {
    const earlier = before?.lags.find((lag) => lag.projection === projection)?.build;
    if (build === null || earlier?.schema !== build.schema) continue;
    advanced.set(projection, (await eventsBetween(log, earlier.position, build.position)).events);
  }
  return { atMs, lags, advanced };
};

type Context = Pick<OperationsContext, 'db' | 'log'>;

const versionOf = (name: string): number | undefined =>
  projections.find((projection) => projection.name === name)?.version;

/** What a build is for: an active one of another version serves other programs, or readers of this one for a while. */
const useOf = (build: BuildState, all: readonly BuildState[]): BuildListing['use'] => {
  const own = versionOf(build.projection);
  if (build.status !== 'active' || build.version === own) return build.status;
  if (own === undefined || build.version > own) return 'other version';
  const isReplaced = all.some(
    (other) => other.projection === build.projection && other.version === own && other.status === 'active',
  );
  return build.standsInFor === own && !isReplaced ? 'stands in' : 'old version';
};

/** A build of a read model, or a copy of one. */
interface BuildListing extends BuildState {
  readonly use: BuildState['status'] | 'stands in' | 'old version' | 'other version';
  /** Position of the log's last event. */
  readonly head: bigint;
  /** Null for a copy, which does not follow the log. */
  readonly behind: EventCount | null;
  /** Estimated seconds until a build in progress has caught up; null for others, and at its start. */
  readonly leftS: number | null;
  /** Positions that the served build is stalled at. */
  readonly stalledAt: readonly bigint[];
}
