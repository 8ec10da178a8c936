import type { Queryable } from '../../kernel/postgres/pool.ts';
import { readEvaluation } from './evaluate.ts';
import { listProcesses, missingRoles, missingText } from './processes.ts';

/** What is wrong with the service, a line each: roles that no process has any more, then alarms. */
export const readTrouble = async (db: Queryable): Promise<readonly string[]> => {
  const missing = missingRoles(await listProcesses(db));
  const evaluation = await readEvaluation(db);
  const alarms = evaluation?.alarms ?? [];
  return [
    ...missing.map(missingText),
    // A missing role has a line already.
    ...alarms
      .filter(({ alarm }) => alarm !== 'RoleMissing')
      .map(
        ({ alarm, since, detail, acknowledged }) =>
          `${alarm} since ${since.slice(0, 19)}Z${acknowledged === null ? '' : ' (acknowledged)'}: ${detail}`,
      ),
  ];
};
