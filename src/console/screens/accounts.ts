import { INDEXED_FROM } from '../../analysis/handles.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { html } from '../../kernel/html.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { type AccountName, accountNamed } from '../../operations/account-name.ts';
import { nextReading } from '../../operations/pools/next-reading.ts';
import { createEntryReads, type FoundEntry, type PresentName } from '../../read/directory/entry.ts';
import { readMembers } from '../../read/frontier.ts';
import { createSimilarHandleReads } from '../../read/similar-handles.ts';
import { listAccesses } from '../../write/access-log.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { ANY_TEXT, type ConsoleContext, type Given, oneOf, POSITION, type Screen } from '../console.ts';
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

/** The account that somebody looks for; null if it can be none. */
const lookedUp = (platform: string, text: string): AccountName | null => {
  try {
    return asked(platform, text);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
};

/** Accounts with a similar name that are listed. */
const NEAR = 20;
const NEAR_CAPTION = `Accounts with a similar name; of those with less than ${valueText(INDEXED_FROM)} followers, only names that look the same`;

const nameOf = ({ handle, id }: PresentName): string => handle ?? `id:${id}`;

export const accounts: Screen = {
  path: '/accounts',
  query: { platform: oneOf(PLATFORMS), account: ANY_TEXT },
  nav: { text: 'Account', key: 'c' },
  show: async (context, { query }) => {
    const { platform = PLATFORMS[0], account = '' } = query;
    const view = { title: 'Account', search: searchForm(query), live: [] };
    if (account === '') return view;
    const name = lookedUp(platform, account);
    if (name === null)
      return {
        ...view,
        live: [note(`"${account}" can be no account: write a handle, id:… or the address of a profile.`)],
      };
    const reads = createEntryReads(context.db, context.builds);
    const { platform: of, kind } = name;
    const to = pathOf('accounts', of, kind === 'id' ? `id:${name.name}` : name.name);
    const found = await reads.find({ platform: of, by: kind, value: name.name });
    const member = await readMembers(context.db, context.builds, [{ platform: of, handle: name.name }]);
    if (found !== null || member.size > 0) return { ...view, to };
    const near =
      kind === 'id'
        ? { matches: [] }
        : await createSimilarHandleReads(context.db, context.builds, reads).accounts(of, name.name, NEAR);
    const former = kind === 'id' ? null : await reads.formerly(of, name.name);
    return {
      ...view,
      live: [
        note(
          html`${of} ${name.name} is not known. ${link(to, 'Open its page all the same')}, to have it read or hidden.`,
        ),
        ...(former === null
          ? []
          : [
              note(
                html`It is the former name of ${link(pathOf('accounts', of, nameOf(former)), nameOf(former))}.`,
              ),
            ]),
        table({ id: 'near', caption: NEAR_CAPTION, empty: 'None.' }, near.matches, [
          {
            head: 'account',
            value: ({ handle }) => handle,
            cell: ({ handle }) => link(pathOf('accounts', of, handle), handle),
          },
          { head: 'name', value: (each) => each.found.entry.display_name },
          { head: 'followers', value: ({ followers }) => followers },
        ]),
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
  const engines = await context.engines.read('1h');
  const engine = engines.find((each) => each.platform === platform) ?? null;
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
  query: { before: POSITION },
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
