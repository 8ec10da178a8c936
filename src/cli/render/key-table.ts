import type { KeyListing } from '../../operations/holders/holders.ts';
import { renderTable, terminalWidth } from './table.ts';

/** Keys for people: never the keys themselves. */
export const keyTable = (keys: readonly KeyListing[], width = terminalWidth()): string =>
  renderTable(
    [
      { head: 'key', keep: true },
      'holder',
      'label',
      { head: 'state', keep: true },
      { head: 'pinned to', optional: true },
      { head: 'issued', keep: true, optional: true },
      { head: 'scopes', optional: true },
    ],
    keys.map((key) => [
      key.key_id,
      key.holder,
      key.label ?? '',
      stateOf(key),
      key.allowlist.join(' '),
      key.issued_at.slice(0, 10),
      key.scopes.join(' '),
    ]),
    { width },
  );

const stateOf = ({ state, expires_at, replaced_by, revoked_at }: KeyListing): string => {
  switch (state) {
    case 'in_use':
      return expires_at === null ? 'in use' : `in use until ${dayOf(expires_at)}`;
    case 'expired':
      return `expired ${dayOf(expires_at)}`;
    case 'in_grace':
      return `in grace until ${minuteOf(expires_at)}, replaced by ${replaced_by}`;
    case 'replaced':
      return `replaced by ${replaced_by}`;
    case 'revoked':
      return `revoked ${dayOf(revoked_at)}`;
  }
};

/** `2026-10-01T00:00:00.000Z` → `2026-10-01`. */
const dayOf = (instant: string | null): string => instant?.slice(0, 10) ?? '';
const minuteOf = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';
