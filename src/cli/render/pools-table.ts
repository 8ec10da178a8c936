import type { Retirement } from '../../operations/pools/change-pool.ts';
import type { PoolForecast, TuningForecast } from '../../operations/pools/forecast.ts';
import type { OpenTime } from '../../operations/pools/pool-settings.ts';
import type { MemberListing, PoolChange, PoolDetails, PoolListing } from '../../operations/pools/pools.ts';
import { renderFields, renderTable } from './table.ts';

/** Pools, one a row. */
export const poolsTable = (pools: readonly PoolListing[], width: number): string =>
  renderTable(
    [
      { head: 'pool', keep: true },
      'platform',
      'status',
      'rule',
      'share',
      'accounts',
      { head: 'cap', optional: true },
      'due',
      { head: 'read again', optional: true },
      { head: 'heir', optional: true },
    ],
    pools.map((pool) => [
      pool.pool,
      pool.platform,
      pool.status,
      pool.rule,
      pool.share,
      amount(pool.accounts),
      amount(pool.size_cap),
      amount(pool.due),
      intervalText(pool),
      pool.heir ?? '',
    ]),
    { width },
  );

/** A pool with all its settings. */
export const poolFields = (pool: PoolDetails): string =>
  renderFields(`${pool.pool}: ${pool.status}`, [
    ...(pool.why === null ? [] : [['because', pool.why] as const]),
    ...(pool.heir === null ? [] : [['heir', pool.heir] as const]),
    ['platform', pool.platform],
    ['rule', pool.rule],
    ...(pool.seeds === null ? [] : [['seed list', `${amount(pool.seeds)} accounts`] as const]),
    ...(pool.depth === null ? [] : [['depth', pool.depth] as const]),
    ...(pool.sources.length === 0 ? [] : [['source pools', pool.sources.join(', ')] as const]),
    ...(pool.rule === 'demand' ? [['holders who have to ask', pool.min_holders] as const] : []),
    ['share', pool.share],
    ['read again', `${intervalText(pool)} (${pool.refresh}, factor ${pool.refresh_factor})`],
    ...(pool.requests_per_day === null ? [] : [['requests a day', amount(pool.requests_per_day)] as const]),
    ['schedule', pool.schedule ?? 'always'],
    ['accounts', `${amount(pool.accounts)} of at most ${amount(pool.size_cap)}`],
    ...pool.took_over.map(
      (each) => ['took over', `${amount(each.accounts)} accounts of ${each.pool}`] as const,
    ),
    ['read at least once', amount(pool.read)],
    [
      'due',
      pool.oldest_due_at === null
        ? amount(pool.due)
        : `${amount(pool.due)}, the first since ${minuteOf(pool.oldest_due_at)}`,
    ],
    ['created', minuteOf(pool.created_at)],
    ['changed', minuteOf(pool.changed_at)],
  ]);

/** What follows from retiring a pool. */
export const retirementText = (
  pool: string,
  heir: string | null,
  { accounts, due, inherited, fed, isLast }: Retirement,
): string =>
  [
    `${pool} reads ${amount(accounts)} accounts, of which ${amount(due)} are due. ${heir === null ? 'Nobody would read them any more.' : `${heir} reads them from then on.`}`,
    ...(inherited.length === 0 ? [] : [`It has taken over ${inherited.join(', ')}.`]),
    ...(isLast ? ['It is the last open pool of its platform, whose engine has to be paused first.'] : []),
    ...(fed.length === 0 ? [] : [`${fed.join(', ')} would recruit nobody: it is their only source pool.`]),
  ].join('\n');

/** Members of a pool, with their times in the crawl schedule. */
export const membersTable = (members: readonly MemberListing[], width: number): string =>
  renderTable(
    [{ head: 'account', keep: true }, 'depth', 'due', 'read'],
    members.map(({ handle, depth, due_at, observed_at }) => [
      handle,
      depth ?? '?',
      minuteOf(due_at),
      minuteOf(observed_at),
    ]),
    { width },
  );

/** Members of a pool, with the account that named each, and how. */
export const recruitedTable = (members: readonly MemberListing[], width: number): string =>
  renderTable(
    [
      { head: 'account', keep: true },
      'through',
      { head: 'named by', keep: true },
      'depth',
      { head: 'recruited', optional: true },
    ],
    members.map(({ handle, depth, why }) => [
      handle,
      why?.via ?? '?',
      why?.from?.replace(/^account-/, '') ?? '',
      depth ?? '?',
      minuteOf(why?.at ?? null),
    ]),
    { width },
  );

/** The effects of settings, before and after a change. */
export const forecastTable = ({ before, after }: TuningForecast): string => {
  const row = (name: string, of: (forecast: PoolForecast) => string) => [name, of(before), of(after)];
  const table = renderTable(
    ['', 'before', 'after'],
    [
      row('requests a day', (each) => amount(Math.round(each.requests_per_day))),
      row('of at most', (each) => amount(Math.round(each.allowed_requests_per_day))),
      row('age of values, median', (each) => roundedDuration(each.age_p50_s)),
      row('age of values, 95th percentile', (each) => roundedDuration(each.age_p95_s)),
      row('mean error of followers', (each) => errorText(each.mean_error)),
    ],
  );
  return `${table}\n\nNothing was changed. These hold once every account was read under the new settings.`;
};

/** The next times in which a pool with a schedule is crawled. */
export const scheduleTable = (open: number, times: readonly OpenTime[], width: number): string =>
  `Open for ${(100 * open).toFixed(1)} % of the time.\n\n${renderTable(
    ['from (UTC)', 'until'],
    times.map(({ from, until }) => [minuteOf(from), until === null ? 'no end' : minuteOf(until)]),
    { width },
  )}`;

/** What was decided about a pool, oldest first. */
export const historyTable = (changes: readonly PoolChange[], width: number): string =>
  renderTable(
    ['at', 'event', { head: 'by', optional: true }, 'settings'],
    changes.map(({ at, type, actor, data }) => [
      minuteOf(at),
      type,
      actor ?? '',
      Object.entries(data)
        .filter(
          ([name, value]) => !['pool', 'decision'].includes(name) || (name === 'decision' && value !== null),
        )
        .map(settingText)
        .join(', '),
    ]),
    { width },
  );

const DAY_S = 86_400;

/** 21600 → `6 h`. */
const durationText = (seconds: number): string => {
  if (seconds % DAY_S === 0) return `${seconds / DAY_S} d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

/** `2026-10-01T00:00:00.000Z` → `2026-10-01 00:00`. */
const minuteOf = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';

const amount = (n: number | null): string => n?.toLocaleString('en') ?? '?';

const intervalText = ({ refresh, refresh_min_s, refresh_max_s }: PoolListing): string =>
  refresh === 'fixed'
    ? `every ${durationText(refresh_min_s)}`
    : `${durationText(refresh_min_s)}–${durationText(refresh_max_s)}`;

const roundedDuration = (seconds: number | null): string => {
  if (seconds === null) return 'no accounts';
  if (seconds >= 2 * DAY_S) return `${(seconds / DAY_S).toFixed(1)} d`;
  return seconds >= 7_200 ? `${(seconds / 3_600).toFixed(1)} h` : `${Math.round(seconds / 60)} min`;
};

const errorText = (error: number | null): string =>
  error === null ? 'no accounts' : `${(100 * (Math.exp(error) - 1)).toFixed(2)} %`;

const settingText = ([name, value]: readonly [string, unknown]): string =>
  `${name} ${value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
