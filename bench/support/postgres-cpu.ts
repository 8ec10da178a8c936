import { readdirSync, readFileSync } from 'node:fs';
import type { Db } from '../../src/kernel/postgres/pool.ts';

const TICKS_PER_S = 100;

/** Fields of a process from its state on, of which 1 is the parent and 11 to 14 are CPU times; null if it has ended. */
const fieldsOf = (pid: string): readonly string[] | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};

const sum = (fields: readonly string[], from: number, to: number): number =>
  fields.slice(from, to).reduce((total, field) => total + Number(field), 0);

/** CPU time of a Postgres on this machine so far, in milliseconds, of sessions that have ended too; Linux only. */
export const postgresCpuMs = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ data_directory: string }>('show data_directory');
  const file = readFileSync(`${rows[0]?.data_directory}/postmaster.pid`, 'utf8');
  const [postmaster = ''] = file.split('\n');
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = fieldsOf(pid);
    // The postmaster's own fields include those of ended sessions.
    if (fields !== null && pid === postmaster) ticks += sum(fields, 11, 15);
    else if (fields?.[1] === postmaster) ticks += sum(fields, 11, 13);
  }
  return (ticks * 1_000) / TICKS_PER_S;
};
