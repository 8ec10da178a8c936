import { addressOf, parseHandle, parseId } from '../../../platforms/youtube.ts';
import { emptyProfile, type Measurable } from '../../../write/accounts/profile.ts';
import type { Address, Reading, UnknownReason } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, findField, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import {
  layoutChanged,
  type Parsed,
  present,
  proven,
  provenByName,
  unknown,
  unnamed,
} from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';
import { flatText, type Header, headerOf } from './header.ts';

/** The channel that was requested, which YouTube repeats for its own tracking. */
const tracedId = (data: Json): string | null => {
  const traced = listAt(data, 'responseContext', 'serviceTrackingParams')
    .flatMap((service) => listAt(service, 'params'))
    .find((param) => textAt(param, 'key') === 'browse_id');
  return parseId(textAt(traced, 'value') ?? '');
};

/** Characters of an alert that are looked at. */
const MAX_ALERT = 300;

/** What YouTube says in place of a channel. */
const ALERTS: readonly (readonly [words: RegExp, outcome: 'absent' | 'suspended' | UnknownReason])[] = [
  [/^this (?:channel|account) does(?: not|n[’']t) exist/i, 'absent'],
  [
    /\b(?:channel|account) (?:has been|was|is)(?: [a-z]{1,20})? (?:terminated|suspended|removed because it violated)/i,
    'suspended',
  ],
  [/^this (?:channel|account) (?:is|was|has been) (?:closed|deleted)/i, 'absent'],
  [/country|region|domain/i, 'region'],
  [/sign in/i, 'login_wall'],
  [
    /age[- ]restricted|inappropriate|certain audiences|^this channel is (?:not available|unavailable)/i,
    'restricted',
  ],
];

/** Outcome of an ERROR alert; null if there is none. */
const alertOutcome = (data: Json, address: Address): Parsed | null => {
  const alerts = listAt(data, 'alerts').map((alert) => at(alert, 'alertRenderer'));
  const error = alerts.find((alert) => textAt(alert, 'type') === 'ERROR');
  if (error === undefined) return null;
  const text = (flatText(at(error, 'text')) ?? '').trim().slice(0, MAX_ALERT);
  // Playlists and videos have their own alerts, which say nothing about a channel.
  const traced =
    tracedId(data) ?? parseId(textAt(data, 'header', 'c4TabbedHeaderRenderer', 'channelId') ?? '');
  if (traced !== null && address.kind === 'id' && traced !== address.id)
    return layoutChanged(`The data is about ${traced}, not about ${address.id}`);
  const verdict = (status: 'absent' | 'suspended') =>
    traced !== null && address.kind === 'id' ? provenByName(status) : proven(status);
  const [, outcome = 'layout_changed'] = ALERTS.find(([words]) => words.test(text)) ?? [];
  return outcome === 'absent' || outcome === 'suspended'
    ? verdict(outcome)
    : unknown(outcome, `YouTube says: ${text}`);
};

const largest = (thumbnails: readonly Json[]): Json =>
  thumbnails.toSorted((a, b) => Number(at(b, 'width') ?? 0) - Number(at(a, 'width') ?? 0))[0];

/** The handle in a channel's data; channels may have none. */
const handleOf = (metadata: Json, shown: string | null): string | null => {
  const urls = [
    textAt(metadata, 'vanityChannelUrl'),
    ...listAt(metadata, 'ownerUrls').map((url) => textAt(url)),
  ];
  for (const url of urls) {
    const address = url !== null && URL.canParse(url) ? addressOf(new URL(url)) : null;
    if (address?.kind === 'handle') return address.handle;
  }
  return shown === null ? null : parseHandle(shown);
};

const isAsked = (address: Address, handle: string | null, id: string | null): boolean => {
  if (address.kind === 'id') return id === address.id;
  return handle === address.handle || id === address.handle;
};

/** A reading of channel data, from the page or the browse call. */
export const parseChannel = (data: Json, address: Address): Parsed => {
  if (!isObject(data)) return layoutChanged('There is no channel data');
  const alerted = alertOutcome(data, address);
  if (alerted !== null) return alerted;
  const metadata = at(data, 'metadata', 'channelMetadataRenderer');
  if (!isObject(metadata) && isGate(data)) return ageGated(data, address);
  const fields = new Fields();
  const header = headerOf(data, fields);
  // Channels that YouTube generates have no metadata: header and microformat say whose they are.
  const microformat = at(data, 'microformat', 'microformatDataRenderer');
  const id =
    parseId(textAt(metadata, 'externalId') ?? '') ??
    parseId(header.id ?? '') ??
    idOfUrl(textAt(microformat, 'urlCanonical'));
  const handle = handleOf(metadata, header.handle);
  if (!isObject(metadata) && !header.found) return layoutChanged('The data has no channel');
  if (!isAsked(address, handle, id)) {
    return layoutChanged(`The data is about ${handle ?? id}, not about ${nameOf(address)}`);
  }
  const name = handle ?? id;
  if (name === null) return layoutChanged('The channel has neither handle nor id');
  return present(
    {
      ...emptyProfile(name),
      id,
      display_name: textAt(metadata, 'title') ?? header.title ?? textAt(microformat, 'title'),
      followers: header.followers,
      posts: header.videos,
      verified: header.verified,
      bio: textAt(metadata, 'description') ?? header.description ?? textAt(microformat, 'description'),
      avatar_url: fields.url('avatar_url', avatarOf(metadata, header, microformat)),
      links: linksOf(header.links),
    },
    null,
    fields,
    measuredOf(metadata, header),
  );
};

const idOfUrl = (url: string | null): string | null => {
  const address = url !== null && URL.canParse(url) ? addressOf(new URL(url)) : null;
  return address?.kind === 'id' ? address.id : null;
};

const avatarOf = (metadata: Json, header: Header, microformat: Json): Json => {
  const lists = [
    at(metadata, 'avatar', 'thumbnails'),
    header.avatar,
    at(microformat, 'thumbnail', 'thumbnails'),
  ];
  const url = textAt(largest(lists.map((path) => listAt(path)).find((list) => list.length > 0) ?? []), 'url');
  return url?.startsWith('//') ? `https:${url}` : url;
};

/** Links are in the header, which some layouts lack; generated channels lack the rest. */
const measuredOf = (metadata: Json, header: Header): Measurable[] => [
  'private',
  'display_name',
  ...(isObject(metadata)
    ? (['bio', 'avatar_url', ...(header.found ? (['links'] as const) : [])] as const)
    : []),
];

const isGate = (data: Json): boolean => findField(at(data, 'contents'), 'channelAgeGateRenderer') !== null;

/** Fields shown by the age gate. */
const GATED = ['private', 'display_name', 'avatar_url'] as const;

/** The age gate shows name and picture; the ID is in the request's tracking data. */
const ageGated = (data: Json, address: Address): Parsed => {
  const gate = findField(at(data, 'contents'), 'channelAgeGateRenderer')?.value;
  if (!isObject(gate)) return layoutChanged('The data has no channel');
  const id = tracedId(data);
  if (id === null) return layoutChanged('The age gate names no channel');
  if (address.kind === 'id' && id !== address.id) {
    return layoutChanged(`The data is about ${id}, not about ${address.id}`);
  }
  const fields = new Fields();
  const shown = present(
    {
      ...emptyProfile(nameOf(address)),
      id,
      display_name: textAt(gate, 'channelTitle'),
      avatar_url: fields.url('avatar_url', at(largest(listAt(gate, 'avatar', 'thumbnails')), 'url')),
    },
    null,
    fields,
    GATED,
  );
  return address.kind === 'id' ? shown : unnamed(shown);
};

/** Whether a reading by handle is of an age gate, which names none. */
export const isGated = (reading: Reading): boolean =>
  reading.status === 'present' && reading.unnamed === true;
