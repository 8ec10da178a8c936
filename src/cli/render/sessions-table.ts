import type { SessionListed } from '../../operations/sessions/sessions.ts';
import { renderTable, terminalWidth } from './table.ts';

/** Minutes are enough for people. */
const minute = (instant: string | null): string =>
  instant === null ? '' : instant.slice(0, 16).replace('T', ' ');

const stateOf = ({ status, resting_until, reason }: SessionListed): string => {
  if (status === 'resting') return `resting until ${minute(resting_until)}`;
  return status === 'retired' ? `retired: ${reason ?? 'rejected'}` : status;
};

const HEAD = [{ head: 'id', keep: true }, 'platform', 'label', 'proxy', 'state', 'last used'];

const rowOf = (session: SessionListed): string[] => [
  session.id,
  session.platform,
  session.label,
  session.proxy ?? '',
  stateOf(session),
  minute(session.last_used_at),
];

const USE_HEAD = ['session', 'operation', 'used', 'of', 'until'];

const usesOf = ({ label, operations }: SessionListed): string[][] =>
  operations.map(({ operation, used, capacity, resets_at, resting_until }) => [
    label,
    operation,
    resting_until === null ? String(used) : 'resting',
    capacity === null ? '?' : capacity.toLocaleString('en'),
    minute(resting_until ?? resets_at),
  ]);

/** Sessions for people, and below them what they have used; never their credentials. */
export const sessionsTable = (sessions: readonly SessionListed[], width = terminalWidth()): string => {
  const table = renderTable(HEAD, sessions.map(rowOf), { width });
  const uses = sessions.flatMap(usesOf);
  if (uses.length === 0) return table;
  return `${table}\n\nRequests of the running windows\n${renderTable(USE_HEAD, uses, { width })}`;
};
