import { OperatorError } from '../../kernel/errors.ts';
import { html } from '../../kernel/html.ts';
import { PLATFORMS } from '../../kernel/platform.ts';
import { forecastTuning, withThreshold } from '../../operations/pools/forecast.ts';
import { settingsOf } from '../../operations/pools/pool-settings.ts';
import {
  listMembers,
  listPools,
  type PoolListing,
  poolHistory,
  showPool,
} from '../../operations/pools/pools.ts';
import { explain, listRuns } from '../../operations/research/findings.ts';
import { ANY_TEXT, type ConsoleContext, type Given, type Offer, parsedBy, type Screen } from '../console.ts';
import {
  badge,
  duration,
  facts,
  heading,
  instant,
  link,
  note,
  type Piece,
  pathOf,
  percent,
  table,
  UNKNOWN,
  valueText,
} from '../view.ts';

const KINDS = { active: 'good', paused: 'warn', retired: 'plain' } as const;

const statusBadge = ({ status }: PoolListing) => badge(status, KINDS[status]);

const intervalText = ({ refresh_min_s, refresh_max_s }: PoolListing): string =>
  `${duration(refresh_min_s)} to ${duration(refresh_max_s)}`;

/** The part of the requests that a pool's share asks for, among the active ones of its platform. */
const askedShare = (pools: readonly PoolListing[], pool: PoolListing): number | null => {
  const active = pools.filter(({ platform, status }) => platform === pool.platform && status === 'active');
  const all = active.reduce((sum, { share }) => sum + share, 0);
  return pool.status === 'active' && all > 0 ? pool.share / all : null;
};

export const pools: Screen = {
  path: '/pools',
  nav: { text: 'Pools', key: 'p' },
  everyS: 5,
  show: async (context) => {
    const all = await listPools(context);
    return {
      title: 'Pools',
      offers: [{ action: 'pool.create', given: {}, values: { platform: PLATFORMS[0], rule: 'seed' } }],
      live: [
        table(
          { id: 'pools', caption: 'Pools', empty: 'No pools yet. The role crawl creates one a platform.' },
          all,
          [
            {
              head: 'pool',
              value: ({ pool }) => pool,
              cell: ({ pool }) => link(pathOf('pools', pool), pool),
            },
            { head: 'platform', value: ({ platform }) => platform },
            { head: 'status', value: ({ status }) => status, cell: statusBadge },
            { head: 'rule', value: ({ rule }) => rule },
            { head: 'share', value: ({ share }) => share },
            {
              head: 'of the platform',
              value: (pool) => askedShare(all, pool),
              cell: (pool) => percent(askedShare(all, pool)),
            },
            { head: 'accounts', value: ({ accounts }) => accounts },
            { head: 'cap', value: ({ size_cap }) => size_cap },
            { head: 'due', value: ({ due }) => due },
            { head: 'oldest due', value: ({ oldest_due_at }) => oldest_due_at, is: 'instant' },
            { head: 'read again', value: intervalText },
            { head: 'schedule', value: ({ schedule }) => schedule ?? 'always' },
            { head: 'heir', value: ({ heir }) => heir },
          ],
        ),
      ],
    };
  },
};

/** Settings that a tuning can change, with their labels. */
export const TUNED = [
  ['share', 'Share'],
  ['refresh_min', 'Shortest interval, such as 6h'],
  ['refresh_max', 'Longest interval, such as 7d'],
  ['refresh_factor', 'Factor of all intervals'],
  ['requests', 'Requests a day; none for no target'],
  ['cap', 'Most accounts'],
  ['schedule', 'Schedule (cron, UTC); always for no limit'],
] as const;

/** The texts of the settings that a form fills in. */
export const settingTexts = (given: Given) => {
  const of = (name: string) => (given[name]?.trim() ? given[name].trim() : undefined);
  const texts = {
    share: of('share'),
    refreshMin: of('refresh_min'),
    refreshMax: of('refresh_max'),
    refreshFactor: of('refresh_factor'),
    requests: of('requests'),
    cap: of('cap'),
    schedule: of('schedule'),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
};

const whole = (n: number | null): string => valueText(n === null ? null : Math.round(n));

/** What a tuning would change, if the address asks for it. */
const forecastOf = async (context: ConsoleContext, pool: string, query: Given) => {
  const texts = settingTexts(query);
  if (Object.keys(texts).length === 0) return [];
  const settings = await withThreshold(context, pool, settingsOf(texts));
  const { before, after } = await forecastTuning(context, pool, settings);
  const rows = [
    ['requests a day', before.requests_per_day, after.requests_per_day, whole],
    ['of at most', before.allowed_requests_per_day, after.allowed_requests_per_day, whole],
    ['age p50', before.age_p50_s, after.age_p50_s, duration],
    ['age p95', before.age_p95_s, after.age_p95_s, duration],
  ] as const;
  return [
    table({ id: 'forecast', caption: 'What the settings would change', empty: '' }, rows, [
      { head: 'figure', value: ([name]) => name },
      { head: 'before', value: (row) => row[1], cell: ([, value, , show]) => show(value) },
      { head: 'after', value: (row) => row[2], cell: ([, , value, show]) => show(value) },
    ]),
  ];
};

const forecastForm = (
  pool: string,
  query: Given,
) => html`<details${Object.keys(settingTexts(query)).length === 0 ? null : html` open`}>
<summary>What would other settings change?</summary>
<form class="filter" action="${pathOf('pools', pool)}">
${TUNED.map(([name, label]) => html`<label>${label}<input name="${name}" value="${query[name] ?? ''}" autocomplete="off"></label>`)}
<button>Forecast</button>
</form></details>`;

/** What the last run of research found of a pool, and decided. */
const evaluationOf = async (context: ConsoleContext, pool: string): Promise<readonly Piece[]> => {
  const [last] = await listRuns(context, 1);
  if (last === undefined) return [];
  const { state } = await explain(context, last.run);
  const evaluated = state.pools.find((each) => each.pool === pool);
  const decision = state.decided.find((each) => each.pool === pool);
  if (evaluated === undefined) return [];
  return [
    heading('The last run of research'),
    facts([
      ['run', link(pathOf('research', last.run), instant(evaluated.at))],
      ['decided', decision?.action ?? 'nothing'],
      ...Object.entries(evaluated.figures).map(
        ([name, value]) => [name.replaceAll('_', ' '), valueText(value)] as const,
      ),
    ]),
  ];
};

const EVENT_FIELDS = 4_000;

/** Accounts of a pool; none before the first build of the crawl schedule. */
const membersOf = async (...asked: Parameters<typeof listMembers>) => {
  try {
    return await listMembers(...asked);
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'build_missing') return [];
    throw error;
  }
};

/** Accounts that a table shows; a filter finds up to the other number, for actions on all of them. */
const SHOWN = 100;
const FOUND = 2_000;

const membersForm = (
  pool: string,
  named: string,
) => html`<form class="filter" action="${pathOf('pools', pool)}">
<label>Accounts whose handle begins with<input name="named" value="${named}" autocomplete="off"></label>
<button>Find</button>
</form>`;

/** Actions on all accounts that a filter found, with their number. */
const bulkOffers = (pool: string, named: string, handles: readonly string[]): readonly Offer[] => {
  if (named === '' || handles.length === 0) return [];
  const all = `${handles.length === FOUND ? 'the first' : 'all'} ${valueText(handles.length)} that begin with "${named}"`;
  return [
    { action: 'pool.move', given: { handles: handles.join('\n') }, label: `Move ${all} to another pool` },
    { action: 'pool.remove', given: { pool, handles: handles.join('\n') }, label: `Remove ${all}` },
  ];
};

export const pool: Screen = {
  path: '/pools/:pool',
  query: {
    ...Object.fromEntries(
      TUNED.map(([name, label]) => [
        name,
        parsedBy(label, (text) => settingsOf(settingTexts({ [name]: text }))),
      ]),
    ),
    named: ANY_TEXT,
  },
  everyS: 5,
  show: async (context, { params, query }) => {
    const name = params.pool ?? '';
    const { named = '' } = query;
    const found = await showPool(context, name);
    const [members, history] = await Promise.all([
      membersOf(context, name, { named, limit: SHOWN, why: true }),
      poolHistory(context, name),
    ]);
    const filtered = named === '' ? [] : await membersOf(context, name, { named, limit: FOUND, why: false });
    const given = { pool: name };
    const isRetired = found.status === 'retired';
    return {
      title: `Pool ${name}`,
      search: html`${forecastForm(name, query)}${membersForm(name, named)}`,
      offers: isRetired
        ? [{ action: 'pool.reopen', given }]
        : [
            { action: 'pool.tune', given, values: query },
            found.status === 'paused' ? { action: 'pool.resume', given } : { action: 'pool.pause', given },
            { action: 'pool.add', given },
            { action: 'pool.move', given },
            ...(found.accounts === 0 ? [] : [{ action: 'pool.remove', given }]),
            { action: 'pool.retire', given },
            ...bulkOffers(
              name,
              named,
              filtered.map(({ handle }) => handle),
            ),
          ],
      live: [
        ...(await forecastOf(context, name, query)),
        facts([
          ['status', statusBadge(found)],
          ['because', found.why ?? UNKNOWN],
          ['platform', link(pathOf('engines', found.platform), found.platform)],
          ['rule', found.rule],
          ['source pools', found.sources.join(', ') || UNKNOWN],
          ['share', valueText(found.share)],
          ['accounts', `${valueText(found.accounts)} of at most ${valueText(found.size_cap)}`],
          ['read at least once', valueText(found.read)],
          ['due', valueText(found.due)],
          ['oldest due', instant(found.oldest_due_at)],
          [
            'read again',
            `${intervalText(found)} (${found.refresh}, factor ${valueText(found.refresh_factor)})`,
          ],
          ['requests a day', valueText(found.requests_per_day)],
          ['schedule', found.schedule ?? 'always'],
          ['heir', found.heir === null ? UNKNOWN : link(pathOf('pools', found.heir), found.heir)],
          ['took over', found.took_over.map((each) => each.pool).join(', ') || UNKNOWN],
          ['created', instant(found.created_at)],
          ['changed', instant(found.changed_at)],
        ]),
        ...(await evaluationOf(context, name)),
        table(
          {
            id: 'members',
            caption: 'Accounts, those due first',
            empty: named === '' ? 'It has recruited none yet.' : 'None begins so.',
          },
          members,
          [
            {
              head: 'account',
              value: ({ handle }) => handle,
              cell: ({ handle }) => link(pathOf('accounts', found.platform, handle), handle),
            },
            { head: 'due', value: ({ due_at }) => due_at, is: 'instant' },
            { head: 'read', value: ({ observed_at }) => observed_at, is: 'instant' },
            { head: 'through', value: ({ why }) => why?.via ?? null },
            { head: 'named by', value: ({ why }) => why?.from?.replace(/^account-/, '') ?? null },
            { head: 'depth', value: ({ depth }) => depth },
          ],
        ),
        ...(members.length < SHOWN ? [] : [note('Only the first 100 accounts are shown.')]),
        table({ id: 'history', caption: 'Decisions', empty: '' }, history.toReversed(), [
          { head: 'at', value: ({ at }) => at, is: 'instant' },
          { head: 'event', value: ({ type }) => type },
          { head: 'by', value: ({ actor }) => actor ?? 'Sightline' },
          { head: 'data', value: ({ data }) => JSON.stringify(data).slice(0, EVENT_FIELDS) },
        ]),
      ],
    };
  },
};
