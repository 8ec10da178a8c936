import { systemClock } from '../../kernel/clock.ts';
import { html } from '../../kernel/html.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { type AccountName, accountNamed } from '../../operations/account-name.ts';
import { nextReading } from '../../operations/pools/next-reading.ts';
import { createEntryReads, type FoundEntry } from '../../read/directory/entry.ts';
import { listAccesses } from '../../write/access-log.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import type { ConsoleContext, Given, Screen } from '../console.ts';
import {
  addressOf,
  badge,
  facts,
  instant,
  link,
  note,
  PAGE_ROWS,
  type Piece,
  pathOf,
  table,
  UNKNOWN,
  valueText,
} from '../view.ts';
import { eventsTable, positionOf } from './events.ts';

const searchForm = ({ platform = '', account = '' }: Given) => html`<form class="filter" action="/accounts">
<label>Platform<select name="platform">${PLATFORMS.map(
  (each) => html`<option${each === platform ? html` selected` : null}>${each}</option>`,
)}</select></label>
<label>Handle, id:… or address of the profile<input name="account" value="${account}" required autocomplete="off"></label>
<button>Open</button>
</form>`;

/** The account that a form names. */
const asked = (platform: string, text: string): AccountName =>
  accountNamed(text.includes('://') ? text : `${platform}:${text}`);

export const accounts: Screen = {
  path: '/accounts',
  nav: { text: 'Account', key: 'c' },
  show: async (_, { query }) => {
    const { platform = '', account = '' } = query;
    if (account === '') return { title: 'Account', search: searchForm(query), live: [] };
    const { platform: of, kind, name } = asked(platform, account);
    return {
      title: 'Account',
      search: searchForm(query),
      live: [
        note(
          html`Open ${link(pathOf('accounts', of, kind === 'id' ? `id:${name}` : name), `${of} ${name}`)}`,
        ),
      ],
    };
  },
};

/** What a reading tells of followers; a value that it did not show is kept from an earlier one. */
interface ReadData {
  readonly observed_at: string;
  readonly profile?: { readonly followers?: number | null };
  readonly moved?: { readonly followers?: number | null };
  readonly kept?: { readonly followers?: string };
}

/** Followers by the readings among some events, newest first: those that were measured apart from those that were kept. */
const followersChart = (events: readonly RecordedEvent[]): readonly Piece[] => {
  let value: number | null = null;
  const points = events.toReversed().flatMap(({ type, data }) => {
    if (type !== 'AccountSighted' && type !== 'AccountUnchanged') return [];
    const { observed_at, profile, moved, kept } = data as ReadData;
    value = profile?.followers ?? moved?.followers ?? value;
    return [{ at: Date.parse(observed_at) / 1_000, value, isKept: kept?.followers !== undefined }];
  });
  if (points.length < 2) return [];
  return [
    {
      id: 'followers',
      caption: 'Followers, by the readings below',
      times: points.map(({ at }) => at),
      lines: [
        { name: 'measured', values: points.map((each) => (each.isKept ? null : each.value)) },
        {
          name: 'kept from an earlier reading',
          values: points.map((each) => (each.isKept ? each.value : null)),
        },
      ],
    },
  ];
};

/** The pool of an account, and when it is read next. */
const scheduleOf = async (context: ConsoleContext, platform: Platform, handle: string) => {
  const engines = await context.engines.read('1h').catch(() => []);
  const engine = engines.find((each) => each.platform === platform);
  const { pool, member, because } = await nextReading(
    context,
    engine,
    { platform, handle },
    systemClock.now(),
  );
  const next = ['next reading', because] as const;
  if (pool === null) return [['pool', 'none'] as const, next];
  return [
    next,
    ['pool', link(pathOf('pools', pool), pool)] as const,
    ['due', instant(member?.due_at ?? null)] as const,
    ['last read', instant(member?.observed_at ?? null)] as const,
    ['recruited', instant(member?.why?.at ?? null)] as const,
    ['through', member?.why?.via ?? UNKNOWN] as const,
    ['named by', member?.why?.from?.replace(/^account-/, '') ?? UNKNOWN] as const,
  ];
};

const entryFacts = ({ entry, last_seen_at }: FoundEntry) =>
  [
    ['status', badge(entry.status, entry.status === 'active' ? 'good' : 'warn')],
    ['handle', entry.handle ?? UNKNOWN],
    ['id', entry.id ?? UNKNOWN],
    ['name', entry.display_name ?? UNKNOWN],
    ['followers', valueText(entry.followers)],
    ['first seen', instant(entry.first_seen_at)],
    ['last seen', instant(last_seen_at)],
    ['earlier handles', entry.previous_handles.join(', ') || UNKNOWN],
  ] as const;

/** Who asked for the account, where ACCESS_LOG is on. */
const askedBy = async (
  { config, db }: ConsoleContext,
  platform: Platform,
  found: FoundEntry | null,
  handle: string,
): Promise<readonly Piece[]> => {
  if (!config.ACCESS_LOG) return [];
  const id = found?.entry.id ?? null;
  const names = [handle, ...(found?.entry.previous_handles ?? []), ...(id === null ? [] : [`id:${id}`])];
  return [
    table(
      { id: 'accesses', caption: 'Who asked for it, newest first', empty: 'Nobody, within 90 days.' },
      await listAccesses(db, platform, names, PAGE_ROWS),
      [
        { head: 'asked', value: ({ at }) => at, is: 'instant' },
        {
          head: 'holder',
          value: ({ holder }) => holder,
          cell: ({ holder }) => link(pathOf('holders', holder), holder),
        },
        { head: 'operation', value: ({ operation }) => operation },
      ],
    ),
  ];
};

export const account: Screen = {
  path: '/accounts/:platform/:account',
  everyS: 5,
  show: async (context, { params, path, query }) => {
    const { platform, kind, name } = asked(params.platform ?? '', params.account ?? '');
    const reads = createEntryReads(context.db, context.builds);
    const found = await reads.find({ platform, by: kind, value: name });
    const handle = found?.entry.handle ?? name;
    const stream = accountStream(platform, handle);
    const before = query.before === undefined ? undefined : positionOf(query.before);
    const events = await context.log.readStream(stream, {
      direction: 'backwards',
      ...(before === undefined ? {} : { from: before }),
      limit: PAGE_ROWS,
    });
    const last = events.at(-1);
    const next =
      last !== undefined && last.revision > 0n
        ? addressOf({ path, query }, { before: String(last.revision - 1n) })
        : undefined;
    const given = {
      account: `${platform}:${kind === 'id' && found?.entry.handle == null ? `id:${name}` : handle}`,
    };
    return {
      title: `${platform}: ${handle}`,
      offers: [
        { action: 'account.read', given },
        { action: 'account.suppress', given },
        { action: 'account.erase', given },
        { action: 'pool.move', given: { handles: handle }, label: 'Move to a pool' },
      ],
      live: [
        ...(found === null
          ? [note('The directory has no such account: it was never seen, or it is hidden or erased.')]
          : []),
        facts([
          ...(found === null ? [] : entryFacts(found)),
          ...(await scheduleOf(context, platform, handle)),
        ]),
        ...followersChart(events),
        ...(await askedBy(context, platform, found, handle)),
        eventsTable('What happened, newest first', events, next),
      ],
    };
  },
};
