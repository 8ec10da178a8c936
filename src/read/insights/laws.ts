/** Laws that are fitted to samples of accounts and kept in memory. */

import {
  AUTHENTICITY_WINDOW_DAYS,
  type ReactionNorms,
  reactionFigures,
  reactionNorms,
} from '../../analysis/authenticity.ts';
import { type Dependence, type Persistences, persistencesOf } from '../../analysis/engagement.ts';
import type { GrowthPoint } from '../../analysis/growth.ts';
import { horizonOf, type ProjectionLaw, projectionLaw } from '../../analysis/growth-projection.ts';
import type { PaceLaw } from '../../analysis/pace.ts';
import { sampleOf } from '../../analysis/sample.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { type DigestPost, decodeDigest } from '../../projections/views/posts/tables.ts';
import type { Span } from '../../write/accounts/post.ts';
import type { Builds } from '../active-builds.ts';
import type { Population, PopulationReads } from './populations.ts';

/** Figures of a population that the figures of an account use. */
export interface Laws {
  /** Null before it was computed. */
  readonly population: Population | null;
  readonly persistences: Persistences;
  /** Null before it was computed. */
  readonly pace: PaceLaw | null;
}

const PUBLISHED: Laws = { population: null, persistences: persistencesOf(), pace: null };

/** By population object: a population is read again every few seconds, and changes a few times a day. */
const known = new WeakMap<Population, Laws>();

const lawsIn = (population: Population): Laws => {
  const before = known.get(population);
  if (before !== undefined) return before;
  const { dependence, pace } = population.counts;
  const laws = { population, persistences: persistencesOf(dependence as unknown as Dependence), pace };
  known.set(population, laws);
  return laws;
};

/** How posts of a platform's accounts depend on each other and vary; published figures until they are computed. */
export const readLaws = async (populations: PopulationReads, platform: Platform): Promise<Laws> => {
  const population = await populations.of(platform);
  return population === null ? PUBLISHED : lawsIn(population);
};

/** The digest of an account, and the sighting that its row is as of. */
export interface SampledDigest {
  readonly posts: readonly DigestPost[];
  readonly span: Span | null;
  readonly anchorMs: number;
}

interface SampleSize {
  /** About so many accounts. */
  readonly accounts: number;
  /** Of so many. */
  readonly of: number;
}

const percentOf = ({ accounts, of }: SampleSize): number => Math.min(100, (100 * accounts) / Math.max(1, of));

/**
 * Digests of existing accounts, drawn at random by pages, so that only these pages are read. The same rows give the same sample.
 */
export const sampleDigests = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  size: SampleSize,
): Promise<readonly SampledDigest[]> => {
  const { rows } = await db.query<{ digest: Buffer; at: string }>(sql`
    select digest, observed_at as at
      from ${ident(schema)}.accounts_${ident(platform)} tablesample system (${percentOf(size)}) repeatable (1)
    where not is_gone and is_seen order by handle limit ${2 * size.accounts}`);
  return rows.map(({ digest, at }) => ({ ...decodeDigest(digest), anchorMs: Date.parse(at) }));
};

/** Readings are compared for so many days. */
const DAYS = 400;

/** The followers of accounts over time, drawn at random among accounts large enough to show a small change. */
export const sampleFollowers = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  { leastFollowers, ...size }: SampleSize & { readonly leastFollowers: number },
): Promise<readonly (readonly GrowthPoint[])[]> => {
  const { rows } = await db.query<{ points: readonly (readonly [string, number])[] }>(sql`
    select h.points from (
      select platform, entry
        from ${ident(schema)}.entries_${ident(platform)} tablesample system (${percentOf(size)}) repeatable (1)
      where followers >= ${leastFollowers} limit ${2 * size.accounts}
    ) e cross join lateral (
      select json_agg(json_build_array(at, followers) order by at) as points
        from ${ident(schema)}.history_${ident(platform)} h
      where h.platform = e.platform and h.entry = e.entry and h.followers is not null
        and h.at > now() - interval '${raw(DAYS)} days'
    ) h where h.points is not null`);
  return rows.map(({ points }) => points.map(([at, followers]) => ({ atMs: Date.parse(at), followers })));
};

/** A law, and the age of the sample from which it was computed. */
interface DrawnLaw {
  readonly law: ProjectionLaw;
  readonly ageMs: number;
}

export interface ProjectionLaws {
  /** The errors of projections over about this many days for the platform's accounts; null if too little is known. */
  over(platform: Platform, days: number): Promise<DrawnLaw | null>;
}

/** Accounts whose readings are compared. */
const LAW_SAMPLE = 400;
/** For how long a sample and its laws are used. */
const LAWS_KEPT_MS = 600_000;

interface Sampled {
  readonly drawnMs: number;
  readonly histories: Promise<readonly (readonly GrowthPoint[])[]>;
  readonly laws: Map<number, Promise<ProjectionLaw | null>>;
}

/** Laws of projections from a sample of histories, drawn at most every ten minutes. They are the same for all callers. */
export const createProjectionLaws = (
  db: Queryable,
  builds: Builds,
  populations: PopulationReads,
): ProjectionLaws => {
  const known = new Map<string, Sampled>();
  const sample = async (schema: string, platform: Platform) => {
    const population = await populations.of(platform);
    if (population === null) return [];
    const { accounts } = population.counts;
    return sampleFollowers(db, schema, platform, { accounts: LAW_SAMPLE, of: accounts, leastFollowers: 1 });
  };
  const sampled = (platform: Platform): Sampled => {
    const schema = builds.schema('directory');
    const key = `${schema} ${platform}`;
    const before = known.get(key);
    if (before !== undefined && before.drawnMs + LAWS_KEPT_MS > elapsedMs()) return before;
    const fresh = {
      drawnMs: elapsedMs(),
      histories: sample(schema, platform),
      laws: new Map<number, Promise<ProjectionLaw | null>>(),
    };
    known.set(key, fresh);
    // Neither a failed read nor a sample of a platform without a population is kept.
    const drop = () => {
      if (known.get(key) === fresh) known.delete(key);
    };
    fresh.histories.then((found) => (found.length === 0 ? drop() : undefined), drop);
    return fresh;
  };
  return {
    over: async (platform, days) => {
      const { drawnMs, histories, laws } = sampled(platform);
      const horizon = horizonOf(days);
      const computed =
        laws.get(horizon) ?? histories.then((found) => projectionLaw(found, horizon, platform));
      laws.set(horizon, computed);
      const law = await computed;
      return law === null ? null : { law, ageMs: elapsedMs() - drawnMs };
    },
  };
};

/** Norms, and how long ago they were drawn. */
interface DrawnNorms {
  readonly norms: ReactionNorms;
  readonly ageMs: number;
}

export interface ReactionNormReads {
  /** Null before anything was computed of the platform's population. */
  of(platform: Platform): Promise<DrawnNorms | null>;
}

/** Accounts whose posts are compared. */
const NORM_SAMPLE = 1_000;
/** For how long norms are used. */
const NORMS_KEPT_MS = 600_000;

interface Drawn {
  readonly drawnMs: number;
  readonly found: Promise<ReactionNorms | null>;
}

const read = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  populations: PopulationReads,
): Promise<ReactionNorms | null> => {
  const { population, persistences } = await readLaws(populations, platform);
  if (population === null) return null;
  const of = population.counts.accounts;
  const digests = await sampleDigests(db, schema, platform, { accounts: NORM_SAMPLE, of });
  return reactionNorms(
    digests.map(({ posts, span, anchorMs }) => {
      const options = { platform, anchorMs, windowDays: AUTHENTICITY_WINDOW_DAYS, span };
      return reactionFigures(sampleOf(posts, options).ripe, persistences.engagement);
    }),
  );
};

/** Distribution of reactions among a platform's accounts, drawn at most every ten minutes. It is the same for all callers. */
export const createReactionNorms = (
  db: Queryable,
  builds: Builds,
  populations: PopulationReads,
): ReactionNormReads => {
  const known = new Map<string, Drawn>();
  const drawn = (platform: Platform): Drawn => {
    const schema = builds.schema('posts');
    const key = `${schema} ${platform}`;
    const before = known.get(key);
    if (before !== undefined && before.drawnMs + NORMS_KEPT_MS > elapsedMs()) return before;
    const fresh = { drawnMs: elapsedMs(), found: read(db, schema, platform, populations) };
    known.set(key, fresh);
    // Neither a failed read nor a missing population is kept.
    const drop = () => {
      if (known.get(key) === fresh) known.delete(key);
    };
    fresh.found.then((norms) => (norms === null ? drop() : undefined), drop);
    return fresh;
  };
  return {
    of: async (platform) => {
      const { drawnMs, found } = drawn(platform);
      const norms = await found;
      return norms === null ? null : { norms, ageMs: elapsedMs() - drawnMs };
    },
  };
};
