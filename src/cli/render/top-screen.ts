import type { EngineState } from '../../operations/engines/engines.ts';
import { age, enginesTable, poolBacklogTable } from './engines-table.ts';

/** Engines, and below them the pools with the largest backlog, as many as the terminal has lines for. */
export const topScreen = (
  engines: readonly EngineState[],
  nowMs: number,
  rows: number,
  width: number,
): string => {
  const due = engines.reduce((sum, { backlog }) => sum + (backlog ?? 0), 0);
  const oldest = engines.flatMap(({ oldestDueS }) => oldestDueS ?? []);
  const healthy = engines.filter(({ status }) => status === 'healthy').length;
  const summary = [
    new Date(nowMs).toISOString().slice(11, 19),
    `${healthy} of ${engines.length} engines healthy`,
    `${due.toLocaleString('en-US')} due`,
    ...(oldest.length === 0 ? [] : [`the oldest since ${age(Math.max(...oldest))}`]),
  ].join(', ');
  const top = [summary, '', ...enginesTable(engines, width).split('\n')];
  const pools = engines.flatMap((engine) => engine.pools).toSorted((a, b) => b.backlog - a.backlog);
  const lines = pools.length === 0 ? [] : ['', ...poolBacklogTable(pools, nowMs, width).split('\n')];
  return [...top, ...lines].slice(0, Math.max(1, rows - 1)).join('\n');
};
