import { messageOf } from '../../kernel/errors.ts';
import type { Consumption, IncomingMessage, Partition } from '../../write/fanout/port.ts';
import { readStanding, type Standing } from '../../write/fanout/standing.ts';
import { placeName, TOPICS } from '../../write/fanout/topics.ts';
import type { ReadDoor, UnreadableEvent } from '../../write/log/read-door.ts';
import { LostPlace } from '../builds.ts';
import type { Projection } from '../projection.ts';
import type { RunnerOptions } from '../runner.ts';
import { openSteps, type Run } from '../steps.ts';
import { clearStop, placesStopped } from '../stops.ts';
import { tellStop } from '../telling.ts';
import type { UnhandledEvent } from '../unhandled.ts';
import { createBacklog } from './backlog.ts';
import { fromLog } from './from-log.ts';
import { createHolds } from './holds.ts';
import { type Incoming, readMessages } from './incoming.ts';
import { createLateness } from './lateness.ts';
import { beginningAt, resumptions } from './share.ts';

export interface MemberOptions extends RunnerOptions {
  readonly projection: Projection;
  readonly schema: string;
  readonly readDoor: ReadDoor;
  /** Ids of the events that the projection does without, as they are now. */
  readonly without: () => ReadonlySet<string>;
}

/** One member of the group that keeps a projection: what it does with its share of the log. */
export interface Member extends Pick<Consumption, 'assigned' | 'handle'> {
  /** To be called about once a second: moves on what has nothing to read, and reads what never came. */
  tend(): Promise<void>;
  /** Settles when nothing is being written any more. */
  idle(): Promise<void>;
}

const AGAIN_MS = 200;
/** A place that has more than enough waiting is left alone for so long. */
const FULL_MS = 50;

const nameOf = ({ topic, partition }: Partition): string =>
  placeName(TOPICS.find((candidate) => candidate.topic === topic)?.name ?? topic, partition);

export const openMember = ({ projection, schema, readDoor, without, ...options }: MemberOptions): Member => {
  const { db, log, logger } = options;
  const steps = openSteps(db, projection, schema);
  /** Where the places of the share stand. */
  const at = new Map<string, bigint>();
  /** Places that stand before an event that they can't take in. */
  const holds = createHolds();
  const lateness = createLateness();
  let generation = 0;
  let standing: Standing | null = null;
  const backlog = createBacklog();
  /** After a failure that was nobody's in particular, nothing is taken in before. */
  let restUntilMs = 0;
  let woken = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** One thing at a time: all that reads or moves the places' positions takes turns. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  const reload = async (places: readonly string[]): Promise<ReadonlyMap<string, bigint | null>> => {
    const found = await resumptions(db, schema, places);
    steps.reset();
    for (const place of places) {
      const resumption = found.get(place);
      if (resumption === undefined) at.delete(place);
      else at.set(place, resumption.position);
    }
    return new Map(places.map((place) => [place, found.get(place)?.offset ?? null]));
  };

  const goesOn = async (place: string, through: bigint): Promise<void> => {
    await clearStop(db, projection, through, place);
    logger.info({ projection: projection.name, place }, 'the place goes on');
  };

  /** @returns what places stopped at. */
  const take = async (runs: readonly Run[]): Promise<ReadonlyMap<string, UnhandledEvent>> => {
    const failures = new Map<string, UnhandledEvent>();
    for (const [place, { reached, failure }] of await steps.take(runs)) {
      const moved = reached > (at.get(place) ?? 0n);
      at.set(place, reached);
      if (failure !== null) failures.set(place, failure);
      else if (moved && holds.release(place)) await goesOn(place, reached);
    }
    return failures;
  };

  const hold = (place: string): number => {
    const delay = holds.hold(place);
    wakeIn(delay);
    return delay;
  };

  const stop = (place: string, error: UnhandledEvent | UnreadableEvent): Promise<void> =>
    tellStop(projection, error, hold(place), options, place);

  const readFromLog = async (places: readonly string[]): Promise<void> => {
    const own = generation;
    const positions = new Map(places.map((place) => [place, at.get(place) ?? 0n]));
    const isOver = () => own !== generation || options.signal.aborted;
    const failures = await fromLog(positions, { log, projection, without: without(), take, isOver });
    for (const [place, failure] of failures) await stop(place, failure);
  };

  /** Reads what came; where something is missing before it, that is read from the log first. */
  const readAll = async (
    batch: ReadonlyMap<string, readonly IncomingMessage[]>,
  ): Promise<ReadonlyMap<string, Incoming>> => {
    standing ??= await readStanding(db);
    const reading = { projection, readDoor, without: without(), log: standing?.log ?? '' };
    const read = (places: Iterable<string>) =>
      [...places].map(
        (place) => [place, readMessages(batch.get(place) ?? [], at.get(place) ?? 0n, reading)] as const,
      );
    const incoming = new Map(read(batch.keys()));
    const gaps = [...incoming].flatMap(([place, { left }]) => (left === 'gap' ? [place] : []));
    if (gaps.length === 0) return incoming;
    logger.warn(
      { projection: projection.name, places: gaps },
      'Kafka does not have all that was sent: what is missing is read from the log',
    );
    await readFromLog(gaps);
    for (const [place, again] of read(gaps)) incoming.set(place, again);
    return incoming;
  };

  const takeAll = async (batch: ReadonlyMap<string, readonly IncomingMessage[]>): Promise<void> => {
    const incoming = await readAll(batch);
    const runs = [...incoming].map(([place, { events, through, next }]) => {
      return { place, from: at.get(place) as bigint, through, events, offset: next };
    });
    const failures = await take(runs.filter((run) => run.through > run.from));
    for (const [place, { left, next }] of incoming) {
      const unhandled = failures.get(place);
      if (unhandled !== undefined) {
        // What was taken in before it is dropped when it is looked at again.
        await stop(place, unhandled);
        continue;
      }
      backlog.done(place, next);
      if (left === 'gap') {
        // The log that was read did not have it either: it is told of a stop, or a node of it lags.
        if (holds.isDue(place)) hold(place);
      } else if (left !== null) await stop(place, left);
    }
  };

  const work = async (): Promise<void> => {
    woken = false;
    if (options.signal.aborted || Date.now() < restUntilMs) return;
    const batch = backlog.due((place) => at.has(place) && holds.isDue(place));
    if (batch.size === 0) return;
    try {
      await takeAll(batch);
      wakeIn(0);
    } catch (error) {
      await lookUpAnew(error);
    }
  };

  /** What failed is tried again from where the places stand, which somebody else may have moved. */
  const lookUpAnew = async (error: unknown): Promise<void> => {
    if (options.signal.aborted) return;
    const lost = error instanceof LostPlace;
    logger[lost ? 'info' : 'error'](
      { err: messageOf(error), projection: projection.name },
      lost ? 'another worker was faster: its place is looked up anew' : 'a batch failed and is tried again',
    );
    const delay = lost ? AGAIN_MS : AGAIN_MS * 5;
    restUntilMs = Date.now() + delay;
    await reload([...at.keys()]).catch(() => steps.reset());
    wakeIn(delay);
  };

  const wakeIn = (ms: number): void => {
    if (ms > 0) {
      // A little later than what it waits for, whose clock is not the timer's.
      setTimeout(() => wakeIn(0), ms + 5).unref();
    } else if (!woken) {
      woken = true;
      // The other partitions of the same answer are about to be handed over: one transaction takes them all.
      setImmediate(() => void inTurn(work));
    }
  };

  const tend = async (): Promise<void> => {
    standing = await readStanding(db);
    if (standing === null) return;
    const { position } = standing;
    const due = new Map([...at].filter(([place]) => holds.isDue(place)));
    const { upToDate, late } = lateness.look(due, standing);
    if (upToDate.length > 0) {
      await take(
        upToDate.map((place) => ({ place, from: due.get(place) ?? 0n, through: position, events: [] })),
      );
    }
    if (late.length === 0) return;
    logger.warn(
      { projection: projection.name, places: late },
      'Kafka does not bring what was sent: it is read from the log',
    );
    await readFromLog(late);
  };

  return {
    assigned: (share) => {
      generation += 1;
      return inTurn(async () => {
        at.clear();
        lateness.reset();
        backlog.clear();
        const places = share.map(nameOf);
        const offsets = await reload(places);
        const unread = places.filter((place) => offsets.get(place) === null);
        const beginning = await beginningAt(
          log,
          unread.flatMap((place) => at.get(place) ?? []),
        );
        holds.reset((await placesStopped(db, projection)).filter((place) => at.has(place)));
        return places.map((place) => {
          const offset = offsets.get(place) ?? null;
          return offset === null ? beginning : { offset };
        });
      });
    },
    handle: async (partition, messages) => {
      const [first] = messages;
      if (first === undefined) return null;
      // It counts as handled when it waits here: where the rows stand decides what is read again.
      if (!backlog.add(nameOf(partition), messages)) return { againFrom: first.offset, afterMs: FULL_MS };
      wakeIn(0);
      return null;
    },
    idle: () => inTurn(async () => undefined),
    tend: () =>
      inTurn(async () => {
        try {
          await tend();
        } catch (error) {
          await lookUpAnew(error);
        }
      }),
  };
};
