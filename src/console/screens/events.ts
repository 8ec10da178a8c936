import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { html } from '../../kernel/html.ts';
import { type Newest, newestEvents } from '../../operations/events/newest-events.ts';
import { redacted } from '../../operations/events/selection.ts';
import { accountEvents } from '../../write/accounts/account.ts';
import { type EventType, eventTypes } from '../../write/event-types.ts';
import { followsEvents } from '../../write/follows.ts';
import { leadEvents } from '../../write/leads.ts';
import { linkPageEvents } from '../../write/link-pages.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { listingEvents } from '../../write/marketplace/listing.ts';
import { ANY_TEXT, type Asked, oneOf, POSITION, type Screen } from '../console.ts';
import {
  addressOf,
  facts,
  instant,
  link,
  note,
  PAGE_ROWS,
  type Piece,
  pathOf,
  table,
  UNKNOWN,
} from '../view.ts';

export const eventLink = ({ position, type }: Pick<RecordedEvent, 'position' | 'type'>) =>
  link(pathOf('events', String(position)), type);

/** A link to the events of streams that begin so. */
export const streamLink = (stream: string, text = stream) =>
  link(addressOf({ path: '/events', query: { stream } }, {}), text);

export const eventsTable = (caption: string, events: readonly RecordedEvent[], next?: string) =>
  table({ id: 'events', caption, empty: 'None in what was searched.', next }, events.map(redacted), [
    { head: 'recorded', value: (event) => event.recorded_at, is: 'instant' },
    { head: 'event', value: ({ type }) => type, cell: eventLink },
    { head: 'stream', value: ({ stream }) => stream, cell: ({ stream }) => streamLink(stream) },
    { head: 'by', value: ({ metadata }) => metadata.actor ?? 'Sightline' },
    { head: 'reason', value: ({ metadata }) => metadata.reason ?? null },
    { head: 'data', value: ({ data }) => JSON.stringify(data) },
    { head: 'position', value: ({ position }) => String(position) },
  ]);

/** What was found, and where to look further back. */
const searched = (caption: string, { events, before }: Newest, asked: Asked): readonly Piece[] => {
  const next = before === null ? undefined : addressOf(asked, { before: String(before) });
  return [
    ...(next === undefined || events.length >= PAGE_ROWS
      ? []
      : [
          note(
            html`Not everything was searched: nothing before position ${String(before)}. ${link(next, 'Look further back')}`,
          ),
        ]),
    eventsTable(caption, events, next),
  ];
};

/** A position in an address. @throws {OperatorError} `argument_invalid` */
export const positionOf = (text: string): bigint => {
  if (POSITION.isValid(text)) return BigInt(text);
  throw new OperatorError('argument_invalid', `"${text}" is no position of the log.`);
};

const filterForm = ({ query }: Asked) => html`<form class="filter" action="/events">
<label>Stream begins with<input name="stream" value="${query.stream ?? ''}" autocomplete="off"></label>
<label>Type<select name="type"><option value="">all</option>${Object.keys(eventTypes)
  .toSorted()
  .map(
    (type) => html`<option${type === query.type ? html` selected` : null}>${type}</option>`,
  )}</select></label>
<label>By (such as operator:ada)<input name="actor" value="${query.actor ?? ''}" autocomplete="off"></label>
<label>Caused by request<input name="request" value="${query.request ?? ''}" autocomplete="off"></label>
<button>Search</button>
</form>`;

export const events: Screen = {
  path: '/events',
  query: {
    stream: ANY_TEXT,
    type: oneOf(Object.keys(eventTypes).toSorted()),
    actor: ANY_TEXT,
    request: ANY_TEXT,
    before: POSITION,
  },
  nav: { text: 'Events', key: 'v' },
  everyS: 5,
  show: async (context, asked) => {
    const { stream = '', type = '', actor = '', request = '', before } = asked.query;
    const newest = await newestEvents(context, {
      filter: {
        ...(stream === '' ? {} : { streamPrefixes: [stream] }),
        ...(type === '' ? {} : { types: [type] }),
      },
      limit: PAGE_ROWS,
      nowMs: systemClock.now(),
      before: before === undefined ? undefined : positionOf(before),
      matches: ({ metadata }) =>
        (actor === '' || metadata.actor === actor) && (request === '' || metadata.request_id === request),
    });
    return {
      title: 'Events',
      search: filterForm(asked),
      live: searched('The event log, newest first', newest, asked),
    };
  },
};

/** One event, with those around it in its stream. */
export const event: Screen = {
  path: '/events/:position',
  show: async ({ log }, { params }) => {
    const position = positionOf(params.position ?? '');
    let found: RecordedEvent | undefined;
    for await (const page of log.readAll(position - 1n, { to: position, pageSize: 1 }))
      found = page.events[0];
    if (found === undefined)
      throw new OperatorError('argument_invalid', `The log shows no event at position ${position}.`);
    const { id, stream, revision, type, metadata, recorded_at, data } = redacted(found);
    const after = await log.readStream(stream, { from: revision + 1n, limit: 1 });
    const before = await log
      .readStream(stream, { direction: 'backwards', from: revision - 1n, limit: 1 })
      .catch(() => []);
    return {
      title: type,
      live: [
        facts([
          ['stream', streamLink(stream)],
          ['revision', String(revision)],
          ['position', String(position)],
          ['recorded', instant(recorded_at)],
          ['id', id],
          ['by', metadata.actor ?? 'Sightline'],
          ['reason', metadata.reason ?? UNKNOWN],
          [
            'request',
            metadata.request_id === undefined
              ? UNKNOWN
              : link(
                  addressOf({ path: '/events', query: { request: metadata.request_id } }, {}),
                  `${metadata.request_id}: all that it caused`,
                ),
          ],
          ['before it', revision === 0n || before[0] === undefined ? UNKNOWN : eventLink(before[0])],
          ['after it', after[0] === undefined ? UNKNOWN : eventLink(after[0])],
        ]),
        html`<pre>${JSON.stringify(data, null, 2)}</pre>`,
      ],
    };
  },
};

/** What the service and its operators do for it to last: backups, imports, rebuilds. */
const UPKEEP = [
  'BackupVerified',
  'EventsArchived',
  'MarketplaceSwept',
  'ProjectionRebuilt',
  'ProjectionCopied',
  'ProjectionBuildDropped',
  'ProjectionSourceChosen',
  'SecretRotated',
] satisfies EventType[];

export const upkeep: Screen = {
  path: '/upkeep',
  query: { before: POSITION },
  nav: { text: 'Upkeep', key: 'u' },
  everyS: 5,
  show: async (context, asked) => {
    const { before } = asked.query;
    const newest = await newestEvents(context, {
      filter: { types: UPKEEP },
      limit: PAGE_ROWS,
      nowMs: systemClock.now(),
      before: before === undefined ? undefined : positionOf(before),
    });
    return {
      title: 'Upkeep',
      live: searched('Backups, archives, imports, rebuilds and secrets, newest first', newest, asked),
    };
  },
};

/** What is read by the thousand. An operator's own readings and imports are under Events, by actor. */
const READ: ReadonlySet<string> = new Set([
  ...[accountEvents, followsEvents, linkPageEvents, leadEvents, listingEvents].flatMap(Object.keys),
  'CrawlBatchCompleted',
]);
const DECIDED = Object.keys(eventTypes).filter((type) => !READ.has(type));

export const audit: Screen = {
  path: '/audit',
  query: { actor: ANY_TEXT, before: POSITION },
  nav: { text: 'Audit', key: 'a' },
  show: async (context, asked) => {
    const { actor = '', before } = asked.query;
    const newest = await newestEvents(context, {
      filter: { types: DECIDED },
      limit: PAGE_ROWS,
      nowMs: systemClock.now(),
      before: before === undefined ? undefined : positionOf(before),
      matches: ({ metadata }) => metadata.actor !== undefined && (actor === '' || metadata.actor === actor),
    });
    return {
      title: 'Audit',
      search: html`<form class="filter" action="/audit">
<label>By (such as operator:ada)<input name="actor" value="${actor}" autocomplete="off"></label>
<button>Search</button></form>`,
      live: searched('Who did what, when and why; readings and imports are under Events', newest, asked),
    };
  },
};
