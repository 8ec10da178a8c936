/** The processes of the service: which roles they have, and whether they live. */

import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** A process of the service. */
export interface ServiceProcess {
  readonly id: string;
  readonly host: string;
  readonly roles: readonly string[];
  /** Whether it stopped by itself. */
  readonly stopped: boolean;
  /** Time since it was heard of. */
  readonly silent_s: number;
  /** Requests of the last five minutes, and those of them that the service failed; null without the API. */
  readonly requests: number | null;
  readonly failed: number | null;
  /** Of the file system of its home; null if that does not answer. */
  readonly disk_free: number | null;
  /** Until that is full, at the pace of the last hour; null if it does not fill. */
  readonly disk_hours_left: number | null;
  /** Revision of the last erasure that it knows; -1 for none, and `WITHOUT_KEY` if it could keep none. */
  readonly erasures: number;
  /** The origin by which browsers reach its console; null without one. */
  readonly console: string | null;
}

export type ProcessReport = Pick<
  ServiceProcess,
  'id' | 'host' | 'roles' | 'requests' | 'failed' | 'disk_free' | 'disk_hours_left' | 'erasures' | 'console'
>;

/** What a process reports that has no ERASURE_KEY. */
export const WITHOUT_KEY = -2;

/** Interval of reports. */
export const REPORT_MS = 2_000;
/** A process that was not heard of for so long is missing. */
const MISSING_S = 7;
/** A role that no process had for so long is not expected any more. */
const EXPECTED_DAYS = 7;

/** Reports that a process lives. */
export const reportProcess = async (db: Queryable, report: ProcessReport): Promise<void> => {
  const { id, host, roles, requests, failed, disk_free, disk_hours_left, erasures, console } = report;
  await db.query(sql.named('process report')`
    insert into service.processes as p (id, host, roles, seen_at, stopped, requests, failed, disk_free, disk_hours_left,
      erasures, console)
    values (${id}, ${host}, ${roles}, clock_timestamp(), false, ${requests}, ${failed}, ${disk_free}, ${disk_hours_left},
      ${erasures}, ${console})
    on conflict (id) do update set seen_at = excluded.seen_at, requests = excluded.requests, failed = excluded.failed,
      disk_free = excluded.disk_free, disk_hours_left = excluded.disk_hours_left,
      erasures = excluded.erasures, console = excluded.console`);
};

export const processStopped = async (db: Queryable, id: string): Promise<void> => {
  await db.query(
    sql`update service.processes set stopped = true, seen_at = clock_timestamp() where id = ${id}`,
  );
};

/** Processes that were heard of within a week. */
export const listProcesses = async (db: Queryable): Promise<readonly ServiceProcess[]> => {
  const { rows } = await db.query<ServiceProcess>(sql`
    select id, host, roles, stopped, requests::float8, failed::float8, disk_free::float8, disk_hours_left,
      erasures::float8, console,
      extract(epoch from clock_timestamp() - seen_at)::float8 as silent_s
    from service.processes where seen_at > clock_timestamp() - make_interval(days => ${EXPECTED_DAYS})
    order by seen_at desc`);
  return rows;
};

export const forgetProcesses = async (db: Queryable): Promise<void> => {
  await db.query(sql`
    delete from service.processes where seen_at <= clock_timestamp() - make_interval(days => ${EXPECTED_DAYS})`);
};

/** Whether it answers for its roles. */
export const isAlive = ({ stopped, silent_s }: Pick<ServiceProcess, 'stopped' | 'silent_s'>): boolean =>
  !stopped && silent_s <= MISSING_S;

/** Where browsers reach the console of a process that lives; null if none has one. */
export const runningConsole = async (db: Queryable): Promise<string | null> =>
  (await listProcesses(db)).find((each) => each.console !== null && isAlive(each))?.console ?? null;

/** A role that a process had lately, and none has now. */
export interface MissingRole {
  readonly role: string;
  readonly host: string;
  readonly stopped: boolean;
  readonly silent_s: number;
}

/** @param processes the one that was heard of last first. */
export const missingRoles = (processes: readonly ServiceProcess[]): readonly MissingRole[] => {
  const alive = new Set(processes.filter(isAlive).flatMap(({ roles }) => roles));
  const last = new Map(
    processes.toReversed().flatMap((each) => each.roles.map((role) => [role, each] as const)),
  );
  return [...last]
    .filter(([role]) => !alive.has(role))
    .map(([role, { host, stopped, silent_s }]) => ({ role, host, stopped, silent_s }))
    .toSorted((a, b) => (a.role < b.role ? -1 : 1));
};

/** `no process has the role project: the one on alpha stopped 12 s ago`. */
export const missingText = ({ role, host, stopped, silent_s }: MissingRole): string =>
  `no process has the role ${role}: the one on ${host} ${stopped ? 'stopped' : 'was last heard of'} ${Math.round(silent_s)} s ago`;
