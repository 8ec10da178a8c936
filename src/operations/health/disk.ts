import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Check } from '../../kernel/health-check.ts';

/** Space on the file system of the home. */
export interface DiskState {
  readonly freeBytes: number;
  /** Bytes an hour by which it fills; null until ten minutes were seen, and where it does not fill. */
  readonly growthPerHour: number | null;
  readonly hoursLeft: number | null;
}

/** Watches the space of a home. */
export interface DiskWatch {
  /** Measures. @throws if the file system does not answer. */
  sample(atMs: number): Promise<DiskState>;
  /** As of the last measurement; null before the first. */
  state(): DiskState | null;
  /** Whether so little is left that nothing is written any more. */
  isFull(): boolean;
  check(): Check;
}

/** What stays free: with less, nothing is written, so that Postgres can still checkpoint and answer. */
export const RESERVE_BYTES = 512 * 2 ** 20;
/** Space that an alarm speaks of. */
export const LITTLE_BYTES = 4 * RESERVE_BYTES;

const HOUR_MS = 3_600_000;
/** Least time that a pace is measured over, and the interval of the samples that are kept for it. */
const LEAST_MS = HOUR_MS / 6;
const KEPT_EVERY_MS = HOUR_MS / 60;

/** A home that nothing was written to yet may not be there: its space is that of the folder that it would be in. */
const free = async (home: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(home);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(resolve(home));
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === home) throw error;
    return free(parent);
  }
};

/** @param freeOf bytes that are free. */
export const createDiskWatch = (
  home: string,
  freeOf: (home: string) => Promise<number> = free,
): DiskWatch => {
  let samples: { readonly atMs: number; readonly freeBytes: number }[] = [];
  let last: DiskState | null = null;

  const paceAt = (atMs: number, freeBytes: number): number | null => {
    const first = samples.find((each) => atMs - each.atMs <= HOUR_MS);
    if (first === undefined || atMs - first.atMs < LEAST_MS || first.freeBytes <= freeBytes) return null;
    return ((first.freeBytes - freeBytes) / (atMs - first.atMs)) * HOUR_MS;
  };
  const isFull = () => last !== null && last.freeBytes < RESERVE_BYTES;
  return {
    sample: async (atMs) => {
      const freeBytes = await freeOf(home);
      const growthPerHour = paceAt(atMs, freeBytes);
      const hoursLeft = growthPerHour === null ? null : freeBytes / growthPerHour;
      const newest = samples.at(-1);
      if (newest === undefined || atMs - newest.atMs >= KEPT_EVERY_MS)
        samples = [...samples.filter((each) => atMs - each.atMs <= HOUR_MS), { atMs, freeBytes }];
      last = { freeBytes, growthPerHour, hoursLeft };
      return last;
    },
    state: () => last,
    isFull,
    check: () => ({
      name: 'disk',
      ok: last === null || last.freeBytes >= LITTLE_BYTES,
      critical: false,
      detail: last === null ? 'not measured yet' : textOf(last, isFull()),
    }),
  };
};

const textOf = ({ freeBytes, growthPerHour, hoursLeft }: DiskState, isFull: boolean): string => {
  const left = `${gigabytes(freeBytes)} free on the disk of SIGHTLINE_HOME`;
  const pace =
    growthPerHour === null || hoursLeft === null
      ? ''
      : `, filling by ${gigabytes(growthPerHour)} an hour, full in ${hoursLeft < 10 ? hoursLeft.toFixed(1) : Math.round(hoursLeft)} hours`;
  return `${left}${pace}${isFull ? ': nothing is written until there is space' : ''}`;
};

const gigabytes = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
