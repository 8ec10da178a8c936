/**
 * List reads: typed rows, bounded scans, and the fair queue of holders.
 * Decision: `docs/adr/0011-bounded-lists.md`.
 */

import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { and } from './conditions.ts';
import { type ReadPool, STATEMENT_MS } from './read-pool.ts';

/** List reads of one request: typed rows, queued by holder. */
export type ListReads = Pick<ReadPool, 'any'>;

/** List reads, separate from look-ups. */
export interface Lists {
  /**
   * List reads of one admitted request.
   * @param requests per minute of the holder's plan, to which its statement time is proportional.
   */
  of(holder: string, requests: number): ListReads;
}

/** Statement time per holder and minute: this much per request of its plan, with a minimum. */
const A_REQUEST_MS = 10;
const MIN_MS = 3_000;
/** Maximum fraction of the queue's capacity for one holder. */
const SHARE = 0.2;
const MINUTE_MS = 60_000;

/** A queue with as many slots as the pool has connections. */
export const queueOf = (slots: number): ListQueue =>
  createListQueue({
    slots,
    slotsOfOne: Math.max(1, Math.min(2, slots - 1)),
    quickMs: 50,
    maxWaiting: 500,
    maxWaitingPerHolder: 100,
    waitMs: 2_000,
    maxMs: SHARE * slots * MINUTE_MS,
  });

/** Timeout if the database does not even cancel the statement. */
const SILENCE_MS = 2 * STATEMENT_MS;

const isStopped = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === '57014') return true;
  }
  return false;
};

/** Maps a cancelled statement to an error for the caller. */
const stopped = (error: unknown): unknown =>
  isStopped(error)
    ? new ServiceError('service_unavailable', 'The list took too long to read: narrow it, or try again.', {
        retryAfterS: 2,
        cause: error,
      })
    : error;

const silent = (): ServiceError =>
  new ServiceError('service_unavailable', 'The database is unavailable. Try again.', { retryAfterS: 2 });

/**
 * Runs a holder's statement in the queue. On a timeout the caller gets an error; the slot is freed when the
 * statement ends.
 */
const enqueue = <T>(queue: ListQueue, user: ListQueueUser, statement: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    queue
      .run(user, () => {
        timer = setTimeout(() => reject(silent()), SILENCE_MS);
        timer.unref();
        return statement();
      })
      .then(resolve, (error: unknown) => reject(stopped(error)))
      .finally(() => clearTimeout(timer));
  });

/** List reads with their own queue, fair by holder and bounded in every dimension. */
export const createLists = (pool: ListReads, queue: ListQueue): Lists => ({
  of: (holder, requests) => {
    const user = { holder, allowedMs: Math.max(MIN_MS, requests * A_REQUEST_MS) };
    return { any: (query) => enqueue(queue, user, () => pool.any(query)) };
  },
});

/** Maximum rows scanned for a page: about 15 ms of database time. A page that ends there has a resume position. */
const MAX_SCANNED = 5_000;

/** A list in index order, with filters on its rows. */
export interface Scan<Row, RowPosition> {
  readonly table: FragmentSqlToken;
  /** Sort expression if it is not a column: `expression as name`, with a leading comma. */
  readonly ranked: FragmentSqlToken;
  /** Columns of a row: its position first, named as in `at`, then the rest of `row`. */
  readonly rowPosition: FragmentSqlToken;
  readonly columns: readonly string[];
  readonly row: z.ZodType<Row>;
  readonly at: z.ZodType<RowPosition>;
  /** Index conditions. */
  readonly within: readonly FragmentSqlToken[];
  /** Filters on rows of `scanned`. */
  readonly filters: readonly FragmentSqlToken[];
  /** Order verbatim as in the index, and by column names. */
  readonly order: FragmentSqlToken;
  readonly orderByName: FragmentSqlToken;
}

export interface Scanned<Row, RowPosition> {
  /** Rows of the page, plus one if there are more. */
  readonly rows: readonly Row[];
  /** The last scanned row if the scan limit ended the page. */
  readonly end: RowPosition | null;
}

const comma = (columns: readonly FragmentSqlToken[]): FragmentSqlToken =>
  sql.fragment`${sql.join([...columns], sql.fragment`, `)}`;

/** A scanned row: it matches, or the scan ended with it, or both. */
const scannedOf = <Row, RowPosition>({
  row,
  at,
}: Pick<Scan<Row, RowPosition>, 'row' | 'at'>): z.ZodType<{
  readonly row: Row | null;
  readonly end: RowPosition | null;
}> =>
  z
    .looseObject({ is_match: z.boolean(), is_end: z.boolean() })
    .transform(({ is_match, is_end, ...read }): unknown => ({
      row: is_match ? read : null,
      end: is_end ? read : null,
    }))
    .pipe(z.object({ row: row.nullable(), end: at.nullable() }));

/**
 * Scans a list for a page, at most `max` rows: a selective filter costs no more than any other. Rows and end position come from one
 * snapshot, so the next page resumes exactly there.
 */
export const scan = async <Row, RowPosition>(
  lists: ListReads,
  of: Scan<Row, RowPosition>,
  limit: number,
  max = MAX_SCANNED,
): Promise<Scanned<Row, RowPosition>> => {
  const { table, ranked, rowPosition, order, orderByName } = of;
  const within = and(of.within);
  const columns = comma(of.columns.map((name) => sql.fragment`${sql.identifier([name])}`));
  const source = sql.fragment`select *${ranked} from ${table} where ${within} order by ${order}`;
  if (of.filters.length === 0) {
    const rows = await lists.any(
      sql.type(of.row)`select ${rowPosition}, ${columns} from (${source} limit ${limit + 1}) as scanned`,
    );
    return { rows, end: null };
  }
  const matches = sql.fragment`coalesce(${and(of.filters)}, false)`;
  // One pass: rows come in index order, numbered, until the page is full or the last one is reached.
  const read = await lists.any(sql.type(scannedOf(of))`
    select ${rowPosition}, ${columns}, ${matches} as is_match, nth = ${max} as is_end
    from (
      select *, row_number() over (order by ${orderByName}) as nth
      from (${source} limit ${max}) as ordered
    ) as scanned
    where nth = ${max} or ${matches}
    order by ${orderByName} limit ${limit + 1}`);
  const rows = read.flatMap(({ row }) => (row === null ? [] : [row]));
  const end = read.at(-1)?.end ?? null;
  return { rows, end: rows.length > limit ? null : end };
};

/** A statement that waits for its turn. */
interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (failure: ServiceError) => void;
}

/** A holder of the queue, with what it has used of its time. */
interface QueuedHolder {
  readonly waiting: Waiting[];
  running: number;
  allowedMs: number;
  /** Start of the window in which its time and statements are counted. */
  windowMs: number;
  usedMs: number;
  ran: number;
}

const WINDOW_MS = 60_000;
const MAX_IDLE = 10_000;

/** Holders in round-robin order: served ones go to the end. */
class ListHolders {
  readonly #holders = new Map<string, QueuedHolder>();
  readonly #maxMs: number;
  readonly #nowMs: () => number;

  /** @param maxMs statement time of any holder per window. */
  constructor(maxMs: number, nowMs: () => number) {
    this.#maxMs = maxMs;
    this.#nowMs = nowMs;
  }

  /** The holder of that name, in a new window if its last one is over. */
  of(name: string, allowedMs: number): QueuedHolder {
    const allowed = Math.min(allowedMs, this.#maxMs);
    const windowMs = this.#nowMs();
    const found = this.#holders.get(name);
    if (found !== undefined) {
      if (windowMs - found.windowMs >= WINDOW_MS) Object.assign(found, { windowMs, usedMs: 0, ran: 0 });
      found.allowedMs = allowed;
      return found;
    }
    if (this.#holders.size >= MAX_IDLE) this.#dropIdle();
    const holder = { waiting: [], running: 0, allowedMs: allowed, windowMs, usedMs: 0, ran: 0 };
    this.#holders.set(name, holder);
    return holder;
  }

  get(name: string): QueuedHolder | undefined {
    return this.#holders.get(name);
  }

  /** A copy: holders that are moved to the end must not be visited again in a round. */
  inTurn(): readonly (readonly [string, QueuedHolder])[] {
    return [...this.#holders];
  }

  moveToEnd(name: string, holder: QueuedHolder): void {
    this.#holders.delete(name);
    this.#holders.set(name, holder);
  }

  /** The rejection if the holder's time of this window is used up, else null. */
  spent({ usedMs, allowedMs, windowMs }: QueuedHolder): ServiceError | null {
    if (usedMs < allowedMs) return null;
    const leftS = Math.ceil((windowMs + WINDOW_MS - this.#nowMs()) / 1_000);
    if (leftS <= 0) return null;
    return new ServiceError(
      'rate_limited',
      `Your lists took ${Math.round(usedMs / 1_000)} s of database time in this minute, more than a holder may use: narrow them, or wait.`,
      { retryAfterS: leftS },
    );
  }

  #dropIdle(): void {
    const before = this.#nowMs() - WINDOW_MS;
    for (const [name, { running, waiting, windowMs }] of this.#holders) {
      if (running === 0 && waiting.length === 0 && windowMs <= before) this.#holders.delete(name);
    }
  }
}

/** Bounds of a queue, in total and per holder. */
export interface ListQueueBounds {
  /** Concurrent statements in total. */
  readonly slots: number;
  /** Concurrent statements of a holder whose statements of this minute were quick; otherwise one. */
  readonly slotsOfOne: number;
  /** Maximum mean duration of quick statements, in milliseconds. */
  readonly quickMs: number;
  /** Maximum queued statements, in total and per holder. */
  readonly maxWaiting: number;
  readonly maxWaitingPerHolder: number;
  /** Maximum wait in milliseconds. */
  readonly waitMs: number;
  /** Maximum statement time per holder and minute in milliseconds, whatever the plan. */
  readonly maxMs: number;
}

/** A holder, and its statement time per minute in milliseconds. */
export interface ListQueueUser {
  readonly holder: string;
  readonly allowedMs: number;
}

/** Runs statements of many holders on few connections, fairly. */
export interface ListQueue {
  /**
   * Queues and runs a holder's statement.
   * @throws {ServiceError} `rate_limited` if the holder's time of the minute is used up; `service_unavailable` if
   * the queue is full or the wait too long. The statement was not started then.
   */
  run<T>(user: ListQueueUser, statement: () => Promise<T>): Promise<T>;
}

const full = (): ServiceError =>
  new ServiceError('service_unavailable', 'Too many lists are queued. Try again.', {
    retryAfterS: 1,
  });

/**
 * A round-robin queue over holders, one statement each. A holder's time is counted in windows of a minute,
 * beginning with its first statement after the previous one: a holder with slow statements is rejected for the rest
 * of the minute and never delays others.
 */
export const createListQueue = (
  bounds: ListQueueBounds,
  nowMs: () => number = () => performance.now(),
): ListQueue => {
  const holders = new ListHolders(bounds.maxMs, nowMs);
  let running = 0;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Concurrent statements allowed: more than one only after quick ones. */
  const slotsOf = ({ usedMs, ran }: QueuedHolder): number =>
    ran > 0 && usedMs / ran <= bounds.quickMs ? bounds.slotsOfOne : 1;

  const refuse = (holder: QueuedHolder, failureOf: (each: Waiting) => ServiceError | null): void => {
    const kept = holder.waiting.filter((each) => {
      const failure = failureOf(each);
      if (failure !== null) each.refuse(failure);
      return failure === null;
    });
    waiting -= holder.waiting.length - kept.length;
    holder.waiting.splice(0, holder.waiting.length, ...kept);
  };

  const refuseOverdue = (): void => {
    const since = nowMs() - bounds.waitMs;
    for (const [, holder] of holders.inTurn()) {
      if (holder.waiting.length > 0) refuse(holder, (each) => (each.sinceMs <= since ? full() : null));
    }
    watch();
  };

  /** Rejects overdue statements, while any are queued. */
  const watch = (): void => {
    clearTimeout(timer);
    if (waiting === 0) return;
    timer = setTimeout(refuseOverdue, Math.max(10, bounds.waitMs / 10));
    timer.unref();
  };

  const next = (): void => {
    let progressed = true;
    while (progressed && running < bounds.slots && waiting > 0) {
      progressed = false;
      for (const [name, holder] of holders.inTurn()) {
        if (running >= bounds.slots) break;
        const first = holder.waiting[0];
        if (first === undefined || holder.running >= slotsOf(holder)) continue;
        holder.waiting.shift();
        waiting -= 1;
        holder.running += 1;
        running += 1;
        progressed = true;
        holders.moveToEnd(name, holder);
        first.begin();
      }
    }
  };

  const carryOut = async <T>(name: string, statement: () => Promise<T>): Promise<T> => {
    const began = nowMs();
    try {
      return await statement();
    } finally {
      running -= 1;
      const holder = holders.get(name) as QueuedHolder;
      holder.running -= 1;
      holder.usedMs += nowMs() - began;
      holder.ran += 1;
      const failure = holders.spent(holder);
      if (failure !== null) refuse(holder, () => failure);
      next();
    }
  };

  return {
    run: async (user, statement) => {
      const holder = holders.of(user.holder, user.allowedMs);
      const failure = holders.spent(holder);
      if (failure !== null) throw failure;
      if (holder.waiting.length >= bounds.maxWaitingPerHolder || waiting >= bounds.maxWaiting) throw full();
      await new Promise<void>((begin, refused) => {
        holder.waiting.push({ sinceMs: nowMs(), begin, refuse: refused });
        waiting += 1;
        next();
        watch();
      });
      return carryOut(user.holder, statement);
    },
  };
};
