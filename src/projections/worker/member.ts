import { messageOf } from '../../kernel/errors.ts';
import type { Beginning, Consumption, IncomingMessage, Partition } from '../../write/fanout/port.ts';
import { checkName, LogRenamed, readStanding, type Standing } from '../../write/fanout/standing.ts';
import { placeName, TOPICS } from '../../write/fanout/topics.ts';
import type { ReadDoor, UnreadableEvent } from '../../write/log/read-door.ts';
import { inPlaces, LostPlace } from '../checkpoints.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import type { RunnerOptions } from '../runner.ts';
import { openSteps, type Run } from '../steps.ts';
import { clearStop, placesStopped } from '../stops.ts';
import { levelOf, tellStop } from '../telling.ts';
import type { UnhandledEvent } from '../unhandled.ts';
import { createBacklog } from './backlog.ts';
import { fromLog } from './from-log.ts';
import { createHolds } from './holds.ts';
import { type Incoming, readMessages } from './incoming.ts';
import { createLateness } from './lateness.ts';
import { createParkedShare } from './parked-share.ts';
import { beginningAfter, placesOf, resumptions } from './share.ts';

export interface MemberOptions extends RunnerOptions {
  readonly projection: Projection;
  readonly schema: string;
  readonly readDoor: ReadDoor;
  readonly parking: Parking;
}

/** One member of the group that keeps a projection: what it does with its share of the log. */
export interface Member extends Pick<Consumption, 'assigned' | 'handle'> {
  /** To be called about once a second: moves on what has nothing to read, and reads what never came. */
  tend(): Promise<void>;
  /** Settles when nothing is being written any more. */
  idle(): Promise<void>;
}

const AGAIN_MS = 200;
/** A place that stands and has enough waiting is left alone for so long at the least. */
const FULL_MS = 1_000;

const nameOf = ({ topic, partition }: Partition): string =>
  placeName(TOPICS.find((candidate) => candidate.topic === topic)?.name ?? topic, partition);

export const openMember = ({ projection, schema, readDoor, parking, ...options }: MemberOptions): Member => {
  const { db, log, logger } = options;
  // A log that went back has another name, and gives the same positions to other events.
  const steps = openSteps(db, projection, schema, async (client) => {
    if (standing !== null) await checkName(client, standing.log);
  });
  /** The places of this member's share. */
  let share: readonly string[] = [];
  /** Where they stand. */
  const at = new Map<string, bigint>();
  const parked = createParkedShare(schema, steps, { log, projection, parking });
  const { isParked } = parked;
  /** Places that stand before an event that they can't take in. */
  const holds = createHolds();
  const lateness = createLateness();
  let generation = 0;
  let standing: Standing | null = null;
  const backlog = createBacklog();
  /** After a failure that was nobody's in particular, nothing is taken in before. */
  let restUntilMs = 0;
  let woken = false;
  /** Late places that are being read from the log, a piece at a time. */
  let fetched: readonly string[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  options.signal.addEventListener('abort', () => backlog.stir(), { once: true });

  /** One thing at a time: all that reads or moves the places' positions takes turns. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  /** Looks up where the places of the share stand. @returns where Kafka has what comes after. */
  const reload = async (): Promise<ReadonlyMap<string, bigint | null>> => {
    steps.reset();
    at.clear();
    let found = await resumptions(db, schema, share);
    // Whoever follows the log itself makes one checkpoint of them all.
    if (found.size < share.length && (await inPlaces(db, schema, placesOf(projection)))) {
      found = await resumptions(db, schema, share);
    }
    for (const [place, { position }] of found) at.set(place, position);
    await parked.reload(db, at);
    backlog.stir();
    return new Map([...found].map(([place, { offset }]) => [place, offset]));
  };

  const goesOn = async (place: string, through: bigint): Promise<void> => {
    await clearStop(db, projection, through, place);
    logger.info({ projection: projection.name, place }, 'the place goes on');
  };

  /** @returns what places stopped at. */
  const take = (runs: readonly Run[]): Promise<ReadonlyMap<string, UnhandledEvent>> =>
    parked.take(runs, async (place, reached, isDone) => {
      const moved = reached > (at.get(place) ?? 0n);
      at.set(place, reached);
      if (isDone && moved && holds.release(place)) await goesOn(place, reached);
    });

  const hold = (place: string): number => {
    const delay = holds.hold(place);
    backlog.stir();
    wakeIn(delay);
    return delay;
  };

  const stop = (place: string, error: UnhandledEvent | UnreadableEvent): Promise<void> =>
    tellStop(projection, error, hold(place), options, place);

  const readFromLog = async (places: readonly string[]): Promise<void> => {
    const own = generation;
    const positions = new Map(places.map((place) => [place, at.get(place) ?? 0n]));
    const isOver = () => own !== generation || options.signal.aborted;
    const failures = await fromLog(positions, { log, projection, parking, isParked, take, isOver });
    for (const [place, failure] of failures) await stop(place, failure);
  };

  /** Reads what came; where something is missing before it, that is read from the log first. */
  const readAll = async (
    batch: ReadonlyMap<string, readonly IncomingMessage[]>,
  ): Promise<ReadonlyMap<string, Incoming>> => {
    standing ??= await readStanding(db);
    const without = parking.control().skipped;
    const reading = { projection, readDoor, without, isParked, log: standing?.log ?? '' };
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
    const before = new Map(at);
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
        // Where not even the log brought it on, it is told of a stop, or a node of the log lags.
        if (at.get(place) === before.get(place) && holds.isDue(place)) hold(place);
      } else if (left !== null && !(await parking.park(left))) await stop(place, left);
    }
  };

  const work = async (): Promise<void> => {
    woken = false;
    if (options.signal.aborted || Date.now() < restUntilMs) return;
    const batch = backlog.due((place) => at.has(place) && holds.isDue(place));
    if (batch.size === 0) return;
    try {
      // What stands is tried by itself: its failure would have all the others taken in singly.
      const [standingStill, others] = [true, false].map((held) =>
        [...batch].filter(([place]) => holds.has(place) === held),
      );
      if (others !== undefined && others.length > 0) await takeAll(new Map(others));
      for (const one of standingStill ?? []) await takeAll(new Map([one]));
      wakeIn(0);
    } catch (error) {
      await lookUpAnew(error);
    }
  };

  /** What failed is tried again from where the places stand, which somebody else may have moved. */
  const lookUpAnew = async (error: unknown): Promise<void> => {
    if (options.signal.aborted) return;
    if (error instanceof LogRenamed) {
      standing = null;
      backlog.clear();
    }
    const lost = error instanceof LostPlace || error instanceof LogRenamed;
    logger[lost ? 'info' : levelOf(error, 'error')](
      { err: messageOf(error), projection: projection.name },
      lost ? 'others were here: the places are looked up anew' : 'a batch failed and is tried again',
    );
    const delay = lost ? AGAIN_MS : AGAIN_MS * 5;
    restUntilMs = Date.now() + delay;
    // Where even that fails, all of it is looked up by the next look around, which says what it met.
    await reload().catch(() => undefined);
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
    if (at.size < share.length) await reload();
    standing = await readStanding(db);
    if (standing === null) return;
    await parked.takeRetried(at);
    const { position, tails, origin } = standing;
    const due = new Map([...at].filter(([place]) => holds.isDue(place)));
    const { upToDate, late } = lateness.look(due, standing);
    if (upToDate.length > 0) {
      await take(
        upToDate.map((place) => ({ place, from: due.get(place) ?? 0n, through: position, events: [] })),
      );
    }
    const isBehind = (place: string) => (at.get(place) ?? position) < (tails.get(place) ?? origin);
    const wanted = [...new Set([...late, ...fetched])].filter((place) => due.has(place) && isBehind(place));
    if (late.length > 0) {
      logger.warn(
        { projection: projection.name, places: late },
        'Kafka does not bring what was sent: it is read from the log',
      );
    }
    if (wanted.length > 0) await readFromLog(wanted);
    fetched = wanted.filter(isBehind);
  };

  return {
    assigned: (partitions) => {
      generation += 1;
      return inTurn(async () => {
        share = partitions.map(nameOf);
        lateness.reset();
        backlog.clear();
        fetched = [];
        const offsets = await reload();
        holds.reset((await placesStopped(db, projection)).filter((place) => at.has(place)));
        const beginnings = new Map<bigint, Promise<Beginning>>();
        return Promise.all(
          share.map((place) => {
            const offset = offsets.get(place) ?? null;
            if (offset !== null) return { offset };
            const position = at.get(place) ?? 0n;
            const beginning = beginnings.get(position) ?? beginningAfter(log, position);
            beginnings.set(position, beginning);
            return beginning;
          }),
        );
      });
    },
    handle: async (partition, messages) => {
      const place = nameOf(partition);
      const [first] = messages;
      if (first === undefined) return null;
      lateness.heard(place);
      const own = generation;
      const isOver = () => own !== generation || options.signal.aborted;
      while (backlog.isFull(place) && !isOver()) {
        // What stands may stand for days: it is asked for again then, and holds nobody else up.
        if (holds.has(place) || !at.has(place)) {
          return { againFrom: first.offset, afterMs: Math.max(FULL_MS, holds.leftMs(place)) };
        }
        await backlog.change(place);
      }
      if (isOver()) return null;
      // It counts as handled when it waits here: where the rows stand decides what is read again.
      backlog.add(place, messages);
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
