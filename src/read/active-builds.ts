import { ServiceError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import type { Projection } from '../projections/projection.ts';
import { isOfTopic } from '../projections/projection.ts';
import { projections } from '../projections/registry.ts';

export interface Progress {
  readonly position: bigint;
  readonly movedAtMs: number;
  /** Whether all partitions are stalled. */
  readonly stalled: boolean;
  /** Whether Kafka delivers its events. */
  readonly isFedByKafka: boolean;
}

/** The active builds of the read models, and their progress. */
export interface Builds {
  /**
   * Schema of a projection's active build.
   * @throws {ServiceError} `service_unavailable` if there is none.
   */
  schema(projection: string): string;
  /**
   * Checkpoint of a projection, and when it last advanced; null if there is no build. With several partitions it is that of the
   * slowest one that is not stalled, since stalls are reported separately.
   */
  progress(projection: string): Progress | null;
  /** When this was last confirmed, by the process's monotonic clock (`performance.now`). */
  confirmedAtMs(): number;
  refresh(): Promise<void>;
  /** Called after every refresh. */
  onRefresh(listener: () => void): void;
  close(): void;
}

/** The builds of this program's versions, which decisions rest on, and those that answers may come from. */
export interface WatchedBuilds extends Builds {
  /** The same, with builds of older versions standing in for those that are still being made. */
  readonly withStandIns: Builds;
}

/** Missing table or schema, or a query cancelled by replication (`conflict with recovery`). */
const BUILD_GONE: ReadonlySet<unknown> = new Set(['42P01', '3F000', '40001']);

/**
 * Whether a read failed because its build was dropped. A lagging replica may drop a build at the moment when it learns of the next
 * one, and cancel its readers.
 */
export const isBuildGone = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (BUILD_GONE.has((at as { code?: unknown }).code)) return true;
  }
  return false;
};

/** Refresh interval: bounds the delay until a switched build or a revoked key is noticed. */
const REFRESH_MS = 250;
/** Timeout of a refresh, after which another connection is used. */
const ASK_MS = 5_000;

interface Row {
  readonly projection: string;
  /** Whether the build is of an older version. */
  readonly stands_in: boolean;
  readonly schema_name: string;
  readonly position: string;
  readonly updated_at: string;
  readonly stalled: boolean;
  readonly partition: string;
}

/** Watches the active builds of this program's versions. */
export const watchBuilds = async (
  db: Queryable,
  logger: Logger,
  {
    known = projections,
    askMs = ASK_MS,
    mayBeDown = false,
  }: {
    /** Those of this program by default. */
    readonly known?: readonly Projection[];
    readonly askMs?: number;
    /** Whether the database may be down at first. */
    readonly mayBeDown?: boolean;
  } = {},
): Promise<WatchedBuilds> => {
  let active: readonly Row[] = [];
  let confirmed = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const listeners: (() => void)[] = [];

  const refresh = async () => {
    const asked = performance.now();
    const { rows } = await db.query<Row>(sql.named('active_builds', { query_timeout: askMs })`
      select b.projection, b.version <> v.version as stands_in, b.schema_name, c.position, c.updated_at, c.stalled,
        c.partition
      from unnest(${known.map((p) => p.name)}::text[], ${known.map((p) => p.version)}::int[]) as v(projection,
        version)
      cross join lateral (select * from projections.builds b
        where b.projection = v.projection and b.status = 'active' and v.version in (b.version, b.stands_in_for)
        order by b.version desc limit 1) b
      cross join lateral (select c.partition, c.position, c.updated_at, s.position is not null as stalled
        from projections.checkpoints c
        left join projections.stalls s on s.projection = b.projection and s.version = b.version
          and s.partition = c.partition and s.position > c.position
        where c.schema_name = b.schema_name order by stalled, c.position, c.updated_at limit 1) c`);
    active = rows;
    confirmed = asked;
    for (const listener of listeners) listener();
  };

  // An outage is one line, not four a second.
  let isFailing = false;
  const tryRefresh = () =>
    refresh().then(
      () => {
        isFailing = false;
      },
      (error: Error) => {
        if (!isFailing) logger.warn({ err: error.message }, 'refreshing the active builds failed');
        isFailing = true;
      },
    );
  const again = () => {
    if (closed) return;
    timer = setTimeout(() => void tryRefresh().finally(again), REFRESH_MS);
    timer.unref();
  };

  const buildsOf = (isUsable: (row: Row) => boolean): Builds => {
    const find = (projection: string) => active.find((row) => row.projection === projection && isUsable(row));
    return {
      schema: (projection) => {
        const row = find(projection);
        if (row === undefined) {
          throw new ServiceError(
            'service_unavailable',
            `The ${projection} read model is still being built.`,
            {
              retryAfterS: 5,
            },
          );
        }
        return row.schema_name;
      },
      progress: (projection) => {
        const row = find(projection);
        if (row === undefined) return null;
        return {
          position: BigInt(row.position),
          movedAtMs: Date.parse(row.updated_at),
          stalled: row.stalled,
          isFedByKafka: isOfTopic(row.partition),
        };
      },
      confirmedAtMs: () => confirmed,
      refresh,
      onRefresh: (listener) => {
        listeners.push(listener);
      },
      close: () => {
        closed = true;
        clearTimeout(timer);
      },
    };
  };

  await (mayBeDown ? tryRefresh() : refresh());
  again();
  return { ...buildsOf((row) => !row.stands_in), withStandIns: buildsOf(() => true) };
};
