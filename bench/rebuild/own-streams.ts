import { uuidV7 } from '../../src/kernel/ids.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import type { EventFilter, EventLog } from '../../src/write/log/port.ts';
import { accountHappenings, WORKLOAD_PLATFORMS } from './workload.ts';

/** Where in a log that is not empty the workload of one run is. */
export interface OwnStreams {
  /** Begins the handles of all its accounts, and of no others. */
  readonly run: string;
  /** The end of the log before the first of its events. */
  readonly after: bigint;
}

const prefixesOf = ({ run }: OwnStreams): readonly string[] =>
  WORKLOAD_PLATFORMS.map((platform) => accountStream(platform, `${run}.`));

const ACCOUNTS_AT_ONCE = 100;

/**
 * Appends the workload, an account at a time, to streams that no earlier run had.
 * @returns where it is, and how many of its events have one of the types.
 */
export const fillOwnStreams = async (
  log: EventLog,
  accounts: number,
  types: readonly string[],
): Promise<{ readonly own: OwnStreams; readonly events: number }> => {
  const own = { run: uuidV7(Date.now()).replaceAll('-', ''), after: await log.head() };
  const wanted = new Set(types);
  let count = 0;
  const one = async (account: number) => {
    const all = accountHappenings(account);
    const { platform, handle } = all[0] as (typeof all)[number];
    const events = all.map(({ event }) => ({ id: uuidV7(Date.now()), ...event }));
    await log.append(accountStream(platform, `${own.run}.${handle}`), events, 'no_stream');
    count += events.filter(({ type }) => wanted.has(type)).length;
  };
  for (let from = 0; from < accounts; from += ACCOUNTS_AT_ONCE) {
    const to = Math.min(accounts, from + ACCOUNTS_AT_ONCE);
    await Promise.all(Array.from({ length: to - from }, (_, i) => one(from + i)));
  }
  return { own, events: count };
};

/** A log that reads only the streams of one run: what else the node holds stays on the node. */
export const onlyOwnStreams = (log: EventLog, own: OwnStreams): EventLog => {
  const prefixes = prefixesOf(own);
  const narrowed = ({ streamPrefixes }: EventFilter) => ({
    streamPrefixes:
      streamPrefixes === undefined
        ? prefixes
        : prefixes.filter((prefix) => streamPrefixes.some((wide) => prefix.startsWith(wide))),
  });
  const later = (after: bigint) => (after > own.after ? after : own.after);
  return {
    ...log,
    readAll: (after, options = {}) => log.readAll(later(after), { ...options, ...narrowed(options) }),
    subscribe: (after, options) => log.subscribe(later(after), { ...options, ...narrowed(options) }),
  };
};
