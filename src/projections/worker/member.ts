import { messageOf } from '../../kernel/errors.ts';
import type { Consumption, HandOver, IncomingMessage, Partition } from '../../write/fanout/port.ts';
import { readStanding, type Standing } from '../../write/fanout/standing.ts';
import { placeName, TOPICS } from '../../write/fanout/topics.ts';
import type { ReadDoor, UnreadableEvent } from '../../write/log/read-door.ts';
import { LostPlace } from '../builds.ts';
import type { Projection } from '../projection.ts';
import type { RunnerOptions } from '../runner.ts';
import { openSteps, type Run } from '../steps.ts';
import { clearStop, placesStopped } from '../stops.ts';
import { backoffMs, tellStop } from '../telling.ts';
import { mayBeOfTheEvents, UnhandledEvent } from '../unhandled.ts';
import { fromLog } from './from-log.ts';
import { type Incoming, readMessages } from './incoming.ts';
import { resumptions } from './share.ts';

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
}

const AGAIN_MS = 200;
/** What the relay has sent and has not come by then is read from the log. */
const LATE_MS = 5_000;

interface Waiting {
  readonly place: string;
  readonly messages: readonly IncomingMessage[];
  readonly done: (rest: HandOver | null) => void;
}

const nameOf = ({ topic, partition }: Partition): string =>
  placeName(TOPICS.find((candidate) => candidate.topic === topic)?.name ?? topic, partition);

export const openMember = ({ projection, schema, readDoor, without, ...options }: MemberOptions): Member => {
  const { db, log, logger } = options;
  const steps = openSteps(db, projection, schema);
  /** Where the places of the share stand. */
  const at = new Map<string, bigint>();
  /** Places that stand before an event that they can't take in. */
  const stopped = new Map<string, { readonly tries: number; readonly againMs: number }>();
  const lateSince = new Map<string, { readonly position: bigint; readonly ms: number }>();
  let generation = 0;
  let standing: Standing | null = null;
  let waiting: Waiting[] = [];
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

  const moved = async ({ place, from, through }: Run): Promise<void> => {
    at.set(place, through);
    if (!stopped.has(place) || through === from) return;
    stopped.delete(place);
    await clearStop(db, projection, through, place);
    logger.info({ projection: projection.name, place }, 'the place goes on');
  };

  /** Takes runs in together, or each by itself where that fails. */
  const take = async (runs: readonly Run[]): Promise<ReadonlyMap<string, UnhandledEvent>> => {
    const failures = new Map<string, UnhandledEvent>();
    try {
      await steps.take(runs);
      for (const run of runs) await moved(run);
      return failures;
    } catch (error) {
      if (!mayBeOfTheEvents(error)) throw error;
    }
    for (const run of runs) {
      const { reached, failure } = await steps.takeSingly(run);
      if (failure === null) await moved(run);
      else {
        at.set(run.place, reached);
        failures.set(run.place, failure);
      }
    }
    return failures;
  };

  const stop = async (place: string, error: UnhandledEvent | UnreadableEvent): Promise<number> => {
    const tries = stopped.get(place)?.tries ?? 0;
    const delay = backoffMs(tries);
    stopped.set(place, { tries: tries + 1, againMs: Date.now() + delay });
    await tellStop(projection, error, delay, options, place);
    return delay;
  };

  const isDue = (place: string): boolean => (stopped.get(place)?.againMs ?? 0) <= Date.now();

  const readFromLog = async (places: readonly string[]): Promise<void> => {
    const own = generation;
    const positions = new Map(places.map((place) => [place, at.get(place) ?? 0n]));
    const isOver = () => own !== generation || options.signal.aborted;
    const failures = await fromLog(positions, { log, projection, without: without(), take, isOver });
    for (const [place, failure] of failures) await stop(place, failure);
  };

  const read = ({ place, messages }: Waiting, logName: string): Incoming =>
    readMessages(messages, at.get(place) ?? 0n, { projection, readDoor, without: without(), log: logName });

  /** Reads what came; what something is missing before has it read from the log first. */
  const readAll = async (batch: readonly Waiting[]): Promise<Map<Waiting, Incoming>> => {
    standing ??= await readStanding(db);
    const logName = standing?.log ?? '';
    const incoming = new Map(batch.map((one) => [one, read(one, logName)]));
    const gaps = batch.filter((one) => incoming.get(one)?.left === 'gap' && isDue(one.place));
    if (gaps.length === 0) return incoming;
    logger.warn(
      { projection: projection.name, places: gaps.map(({ place }) => place) },
      'Kafka no longer has all that was sent: what is missing is read from the log',
    );
    await readFromLog(gaps.map(({ place }) => place));
    for (const one of gaps) incoming.set(one, read(one, logName));
    return incoming;
  };

  const takeAll = async (batch: readonly Waiting[]): Promise<void> => {
    const incoming = await readAll(batch);
    const runs = [...incoming].map(([{ place }, { events, through, next }]) => {
      return { place, from: at.get(place) as bigint, through, events, offset: next };
    });
    const failures = await take(runs.filter((run) => run.through > run.from));
    for (const [{ place, messages, done }, { left, next }] of incoming) {
      const failure = failures.get(place) ?? (left === 'gap' ? null : left);
      if (failure !== null) {
        const first = messages[0]?.offset ?? next;
        done({
          againFrom: failure instanceof UnhandledEvent ? first : next,
          afterMs: await stop(place, failure),
        });
      } else
        done(left === 'gap' ? { againFrom: next, afterMs: backoffMs(stopped.get(place)?.tries ?? 0) } : null);
    }
  };

  const work = async (): Promise<void> => {
    const batch = waiting.filter(({ place }) => at.has(place));
    // Of an earlier share: whoever has the place now reads it.
    for (const { place, done } of waiting) if (!at.has(place)) done(null);
    waiting = [];
    if (batch.length === 0) return;
    try {
      await takeAll(batch);
    } catch (error) {
      const lost = error instanceof LostPlace;
      if (!options.signal.aborted) {
        logger[lost ? 'info' : 'error'](
          { err: messageOf(error), projection: projection.name },
          lost ? 'another worker was faster: its place is looked up anew' : 'a batch failed and comes again',
        );
      }
      await reload([...at.keys()]).catch(() => steps.reset());
      for (const { messages, done } of batch) {
        done({ againFrom: messages[0]?.offset ?? 0n, afterMs: lost ? AGAIN_MS : AGAIN_MS * 5 });
      }
    }
  };

  const tend = async (): Promise<void> => {
    const now = await readStanding(db);
    standing = now;
    if (now === null) return;
    const runs: Run[] = [];
    const late: string[] = [];
    for (const [place, from] of at) {
      if (!isDue(place)) continue;
      const tail = now.tails.get(place) ?? now.origin;
      if (from >= tail) {
        lateSince.delete(place);
        if (from < now.position) runs.push({ place, from, through: now.position, events: [] });
        continue;
      }
      const since = lateSince.get(place);
      if (since === undefined || since.position !== from)
        lateSince.set(place, { position: from, ms: Date.now() });
      else if (Date.now() - since.ms > LATE_MS) late.push(place);
    }
    if (runs.length > 0) await take(runs);
    if (late.length === 0) return;
    logger.warn(
      { projection: projection.name, places: late },
      'Kafka does not bring what was sent: it is read from the log',
    );
    await readFromLog(late);
    for (const place of late) lateSince.delete(place);
  };

  return {
    assigned: (share) => {
      generation += 1;
      return inTurn(async () => {
        at.clear();
        stopped.clear();
        lateSince.clear();
        const places = share.map(nameOf);
        const offsets = await reload(places);
        for (const place of await placesStopped(db, projection))
          if (at.has(place)) stopped.set(place, { tries: 0, againMs: 0 });
        return places.map((place) => offsets.get(place) ?? null);
      });
    },
    handle: (partition, messages) =>
      new Promise((resolve) => {
        waiting.push({ place: nameOf(partition), messages, done: resolve });
        // The other partitions of the same answer are about to be handed over: one transaction takes them all.
        setImmediate(() => void inTurn(work));
      }),
    tend: () =>
      inTurn(async () => {
        try {
          await tend();
        } catch (error) {
          if (options.signal.aborted) return;
          logger.info(
            { err: messageOf(error), projection: projection.name },
            'the places are looked up anew',
          );
          await reload([...at.keys()]).catch(() => steps.reset());
        }
      }),
  };
};
