import { isScheduled } from '../../crawlers/pools/schedule.ts';
import type { Gap, GapsOf } from '../../write/pools/refresh.ts';

/** When a pool with a schedule is crawled. */
export interface OpeningHours {
  /** Share of all minutes in which it is crawled; 0 if that is none within a year. */
  readonly open: number;
  /** Accounts that are due in closed minutes wait. */
  readonly gapsOf: GapsOf;
}

const ALWAYS_OPEN: OpeningHours = { open: 1, gapsOf: (seconds) => [{ seconds, share: 1 }] };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** More than a year, for schedules by date, and whole weeks, for those by weekday. */
const DAYS = 53 * 7;
/** Readings of one account that are followed. */
const READINGS = 60;
/** Accounts are spread by ±10 % around their interval. */
const SPREADS = [0.91, 0.93, 0.95, 0.97, 0.99, 1.01, 1.03, 1.05, 1.07, 1.09];

const DAY_MS = DAY_MINUTES * MINUTE_MS;

const midnightBefore = (atMs: number): number => atMs - (atMs % DAY_MS);

/** The open minutes of a day, and whether it is open on the day of an instant. */
const daysOf = (
  schedule: string,
): { readonly minutes: Uint8Array; readonly isOpenOn: (atMs: number) => boolean } => {
  const [minute, hour, ...date] = schedule.trim().split(/\s+/);
  return {
    minutes: Uint8Array.from({ length: DAY_MINUTES }, (_, n) =>
      isScheduled(`${minute} ${hour} * * *`, new Date(n * MINUTE_MS)) ? 1 : 0,
    ),
    isOpenOn: (atMs) => isScheduled(`* * ${date.join(' ')}`, new Date(atMs)),
  };
};

/** Which minutes are open, from the midnight before an instant on: those of the days that the schedule has. */
const openMinutes = (schedule: string, fromMs: number): Uint8Array => {
  const { minutes, isOpenOn } = daysOf(schedule);
  const midnight = midnightBefore(fromMs);
  const open = new Uint8Array(DAYS * DAY_MINUTES);
  for (let day = 0; day < DAYS; day++)
    if (isOpenOn(midnight + day * DAY_MS)) open.set(minutes, day * DAY_MINUTES);
  return open;
};

/**
 * The instant since which a pool was open for so long in all: an account that was due before it has waited as long while the pool was
 * crawled. Null if it was not open for so long within a year.
 */
export const openSince = (schedule: string | null, nowMs: number, seconds: number): number | null => {
  if (schedule === null) return nowMs - 1_000 * seconds;
  const { minutes, isOpenOn } = daysOf(schedule);
  let leftMs = 1_000 * seconds;
  let endMs = nowMs;
  for (let day = 0; day < DAYS; day++) {
    const midnight = midnightBefore(nowMs) - day * DAY_MS;
    const isOpen = isOpenOn(midnight);
    for (let n = Math.ceil((endMs - midnight) / MINUTE_MS) - 1; isOpen && n >= 0; n--) {
      const startMs = midnight + n * MINUTE_MS;
      const openMs = minutes[n] === 1 ? endMs - startMs : 0;
      if (openMs >= leftMs && leftMs > 0) return endMs - leftMs;
      leftMs -= openMs;
      endMs = startMs;
    }
    endMs = midnight;
  }
  return null;
};

/** Minutes to wait at each minute until one is open, the range repeated; null if none is. */
const waitsOf = (open: Uint8Array): Int32Array | null => {
  const first = open.indexOf(1);
  if (first === -1) return null;
  const waits = new Int32Array(open.length);
  let wait = first;
  for (let minute = open.length - 1; minute >= 0; minute--) {
    wait = open[minute] === 1 ? 0 : wait + 1;
    waits[minute] = wait;
  }
  return waits;
};

/** Gaps in minutes between readings that follow each other at once, as far as minutes are open. */
const gapsAfter = (waits: Int32Array, minutes: number): readonly number[] => {
  let at = waits[0] as number;
  return Array.from({ length: READINGS }, () => {
    const due = at + minutes;
    const minute = Math.floor(due);
    const wait = waits[minute % waits.length] as number;
    const read = wait === 0 ? due : minute + wait;
    const gap = read - at;
    at = read;
    return gap;
  });
};

/** @param schedule cron expression; null for always. @param fromMs the time from which on it is looked at. */
export const openingHours = (schedule: string | null, fromMs: number): OpeningHours => {
  if (schedule === null) return ALWAYS_OPEN;
  const waits = waitsOf(openMinutes(schedule, fromMs));
  if (waits === null) return { open: 0, gapsOf: () => [] };
  const open = waits.reduce((sum, wait) => sum + (wait === 0 ? 1 : 0), 0) / waits.length;
  const gapsOf = (intervalS: number): readonly Gap[] => {
    const gaps = SPREADS.flatMap((spread) => {
      const own = gapsAfter(waits, (intervalS / 60) * spread);
      const total = own.reduce((sum, gap) => sum + gap, 0);
      return own.map((gap) => ({
        minutes: Math.max(1, Math.round(gap)),
        share: gap / total / SPREADS.length,
      }));
    });
    return [...Map.groupBy(gaps, ({ minutes }) => minutes)].map(([minutes, some]) => ({
      seconds: minutes * 60,
      share: some.reduce((sum, { share }) => sum + share, 0),
    }));
  };
  return { open, gapsOf };
};
