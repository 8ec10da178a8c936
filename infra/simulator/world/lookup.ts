import type { Clock } from '../../../src/kernel/clock.ts';
import type { Platform } from '../simulated-platforms.ts';
import { type Handles, MAX_SIZE } from './handle-types.ts';
import type { Companies } from './linkedin/companies.ts';
import type { Naming } from './naming.ts';
import type { NativeIds } from './native-ids.ts';
import { isTaker } from './outsiders.ts';
import { type Takers, takerNumber } from './takers.ts';
import type { World } from './world-types.ts';

export type Lookup = Pick<World, 'find' | 'findById' | 'findAuthor' | 'current'>;

export interface LookupSource extends Pick<World, 'size' | 'count' | 'account'> {
  readonly clock: Clock;
  readonly companies: Companies;
  readonly companyCount: number;
  readonly handles: Handles;
  readonly ids: NativeIds;
  readonly naming: Naming;
  readonly takers: Takers;
  /** Native ID of an account of the population. */
  idOf(platform: Platform, index: number): string;
}

/** Accounts by what a page or a reader calls them: residents, outsiders and those that took a name over. */
export const createLookup = (source: LookupSource): Lookup => {
  const { size, clock, companies, companyCount, handles, ids, naming, takers, count, account, idOf } = source;

  const ofCompany = (slug: string): number | null => {
    const number = companies.numberOf(slug);
    return number !== null && number < companyCount ? size + number : null;
  };

  const find: Lookup['find'] = (platform, written) => {
    const handle = written.toLowerCase();
    if (platform === 'linkedin' && handle.startsWith('company:')) return ofCompany(handle.slice(8));
    const resident = naming.residentOf(platform, handle);
    if (resident) return resident.index;
    const parts = handles.decode(platform, handle);
    return parts?.form === 'outsider' && !isTaker(parts.number) ? count(platform) + parts.number : null;
  };

  /** Who has taken the name of an account by a time. */
  const takerOf = (platform: Platform, handle: string, at: number): number | null => {
    const left = naming.residentOf(platform, handle);
    if (!left) return null;
    const taken = naming
      .takeovers(platform, left.index, at)
      .some(({ generation }) => generation === left.generation);
    return taken ? count(platform) + takerNumber(left.index, left.generation) : null;
  };

  const current: Lookup['current'] = (platform, written, at = clock.now()) => {
    const handle = written.toLowerCase();
    const index = find(platform, handle);
    if (index === null) return null;
    const found = account(platform, index, at);
    if (found.handle === handle) return found.status === 'absent' ? null : found;
    const taker = takerOf(platform, handle, at);
    return taker === null ? null : account(platform, taker, at);
  };

  const indexOf = (platform: Platform, number: number): number | null => {
    if (number < MAX_SIZE) return number < count(platform) ? number : null;
    const outsider = number - MAX_SIZE;
    return isTaker(outsider) && takers.takeoverOf(platform, outsider) === null
      ? null
      : count(platform) + outsider;
  };

  const findById: Lookup['findById'] = (platform, id) => {
    const number = ids.decode(platform, id);
    const index = number === null ? null : indexOf(platform, number);
    if (index === null) return null;
    const found = index < count(platform) ? idOf(platform, index) : account(platform, index).id;
    return found === id ? index : null;
  };

  const findAuthor: Lookup['findAuthor'] = (author) => {
    const number = ids.numberOfAuthor(author);
    return number === null ? null : indexOf('x', number);
  };

  return { find, findById, findAuthor, current };
};
