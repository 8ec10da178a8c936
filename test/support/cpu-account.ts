import { readdirSync, readFileSync } from 'node:fs';

/** A process as `/proc/<pid>/stat` has it. */
export interface ProcessRow {
  readonly parent: number;
  /** Distinguishes processes that have had the same id. */
  readonly started: number;
  /** Its CPU time, including that of children that it has waited for. */
  readonly usedS: number;
}

export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/** Linux's unit of the times in `/proc`, the same on all of its platforms. */
const TICKS_PER_S = 100;

const rowOf = (stat: string): ProcessRow => {
  // The name of a program may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return { parent: Number(fields[1]), started: Number(fields[19]), usedS: ticks / TICKS_PER_S };
};

/** All processes of the machine; null if it has no `/proc`. */
export const readProcesses = (): ProcessTable | null => {
  const table = new Map<number, ProcessRow>();
  const names = (() => {
    try {
      return readdirSync('/proc');
    } catch {
      return null;
    }
  })();
  if (names === null) return null;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      table.set(Number(name), rowOf(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // It ended since the folder was read.
    }
  }
  return table;
};

/**
 * Adds up the CPU time of a process and of all that it and its children start. A process whose parent was killed belongs
 * to the init process from then on, which takes its time along: it is remembered from one sample to the next.
 */
export const createCpuAccount = (root: number) => {
  /** Every process of the family that the last sample saw. */
  let known: ProcessTable = new Map();
  let lostS = 0;

  const isSame = (table: ProcessTable, pid: number, row: ProcessRow): boolean =>
    table.get(pid)?.started === row.started;

  const familyOf = (table: ProcessTable): ProcessTable => {
    const family = new Map([...table].filter(([pid, row]) => pid === root || isSame(known, pid, row)));
    for (let size = -1; size !== family.size; ) {
      size = family.size;
      for (const [pid, row] of table) if (family.has(row.parent)) family.set(pid, row);
    }
    return family;
  };

  return {
    sample: (table: ProcessTable): void => {
      const family = familyOf(table);
      for (const [pid, row] of known) {
        // All others had a parent in the family that waited for them, so their time is counted there.
        if (!isSame(family, pid, row) && !known.has(row.parent)) lostS += row.usedS;
      }
      known = family;
    },
    /** Its processes, as the last sample saw them. */
    pids: (): readonly number[] => [...known.keys()],
    /** CPU time up to the last sample, in seconds. */
    usedS: (): number => [...known.values()].reduce((sum, row) => sum + row.usedS, lostS),
  };
};
