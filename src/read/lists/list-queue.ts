import { ServiceError } from '../../kernel/errors/service-error.ts';

/** How much of a queue there is, and how much of it one holder may have. */
export interface ListQueueBounds {
  /** Statements at once, of all holders. */
  readonly slots: number;
  /** Statements at once of one holder whose statements of this minute were quick; one of all others. */
  readonly slotsOfOne: number;
  /** Milliseconds that a quick statement takes, by the mean of a minute. */
  readonly quickMs: number;
  /** Statements that wait, of all holders and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingPerHolder: number;
  /** Milliseconds that a statement waits at the most. */
  readonly waitMs: number;
  /** Milliseconds of statements that one holder may use in a minute, whatever its plan. */
  readonly maxMs: number;
}

/** Whose statement it is, and the milliseconds of statements that it may use in a minute. */
export interface ListQueueUser {
  readonly holder: string;
  readonly allowedMs: number;
}

/** Runs statements of many holders on few connections, so that none of them keeps the others waiting. */
export interface ListQueue {
  /**
   * Runs a holder's statement when its turn comes.
   * @throws {ServiceError} `rate_limited` where the holder has used up its time of the minute; `service_unavailable` where
   * the queue is full, or the turn did not come in time. The statement was not begun then.
   */
  run<T>(user: ListQueueUser, statement: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (failure: ServiceError) => void;
}

interface Holder {
  readonly waiting: Waiting[];
  running: number;
  allowedMs: number;
  /** The minute that its time and its statements are counted in. */
  windowMs: number;
  usedMs: number;
  ran: number;
}

const WINDOW_MS = 60_000;
const MAX_IDLE = 10_000;

const full = (): ServiceError =>
  new ServiceError('service_unavailable', 'Too many lists are asked for just now. Try again.', {
    retryAfterS: 1,
  });

/**
 * A queue that goes round the holders who wait, one statement each. A holder's time is counted in minutes that begin
 * with its first statement after the one before is over: whoever asks for what takes long is refused for the rest of
 * the minute, and pays for it with nobody else's time.
 */
export const createListQueue = (
  bounds: ListQueueBounds,
  nowMs: () => number = () => performance.now(),
): ListQueue => {
  /** In the order of their turns: who had one goes to the end. */
  const holders = new Map<string, Holder>();
  let running = 0;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  const isIdle = (holder: Holder): boolean =>
    holder.running === 0 && holder.waiting.length === 0 && nowMs() - holder.windowMs >= WINDOW_MS;

  const holderOf = ({ holder: name, allowedMs }: ListQueueUser): Holder => {
    const found = holders.get(name);
    if (found !== undefined) {
      if (nowMs() - found.windowMs >= WINDOW_MS)
        Object.assign(found, { windowMs: nowMs(), usedMs: 0, ran: 0 });
      found.allowedMs = Math.min(allowedMs, bounds.maxMs);
      return found;
    }
    if (holders.size >= MAX_IDLE) {
      for (const [each, holder] of holders) if (isIdle(holder)) holders.delete(each);
    }
    const holder: Holder = {
      waiting: [],
      running: 0,
      allowedMs: Math.min(allowedMs, bounds.maxMs),
      windowMs: nowMs(),
      usedMs: 0,
      ran: 0,
    };
    holders.set(name, holder);
    return holder;
  };

  /** Null where the holder has time left in this minute. */
  const spent = (holder: Holder): ServiceError | null => {
    if (holder.usedMs < holder.allowedMs) return null;
    const leftS = Math.ceil((holder.windowMs + WINDOW_MS - nowMs()) / 1_000);
    if (leftS <= 0) return null;
    return new ServiceError(
      'rate_limited',
      `Your lists took ${Math.round(holder.usedMs / 1_000)} s of the database in this minute, which is more than one holder may use: narrow them, or wait.`,
      { retryAfterS: leftS },
    );
  };

  /** How many at once: more than one only once they have shown to be quick. */
  const slotsOf = ({ usedMs, ran }: Holder): number =>
    ran > 0 && usedMs / ran <= bounds.quickMs ? bounds.slotsOfOne : 1;

  const refuse = (holder: Holder, failureOf: (each: Waiting) => ServiceError | null): void => {
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
    for (const holder of holders.values()) {
      if (holder.waiting.length > 0) refuse(holder, (each) => (each.sinceMs <= since ? full() : null));
    }
    watch();
  };

  /** Looks after those whose turn may not come, as long as there are any. */
  const watch = (): void => {
    clearTimeout(timer);
    if (waiting === 0) return;
    timer = setTimeout(refuseOverdue, Math.max(10, bounds.waitMs / 10));
    timer.unref();
  };

  const next = (): void => {
    let turned = true;
    while (turned && running < bounds.slots && waiting > 0) {
      turned = false;
      // A copy: who is put at the end must not be met again before the others had their turn.
      for (const [name, holder] of [...holders]) {
        if (running >= bounds.slots) break;
        const first = holder.waiting[0];
        if (first === undefined || holder.running >= slotsOf(holder)) continue;
        holder.waiting.shift();
        waiting -= 1;
        holder.running += 1;
        running += 1;
        turned = true;
        holders.delete(name);
        holders.set(name, holder);
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
      const holder = holders.get(name) as Holder;
      holder.running -= 1;
      holder.usedMs += nowMs() - began;
      holder.ran += 1;
      const failure = spent(holder);
      if (failure !== null) refuse(holder, () => failure);
      next();
    }
  };

  return {
    run: async (user, statement) => {
      const holder = holderOf(user);
      const failure = spent(holder);
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
