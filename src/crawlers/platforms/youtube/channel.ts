import { addressOf, parseHandle, parseId } from '../../../platforms/youtube.ts';
import { emptyProfile, type Measurable } from '../../../write/accounts/profile.ts';
import type { Address, Reading, UnknownReason } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, findField, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { hasNumber, labelledCount, nounOf } from '../shared/parse-count.ts';
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

/** Whether a reading by handle is of an age gate, which names none. */
export const isGated = (reading: Reading): boolean =>
  reading.status === 'present' && reading.unnamed === true;

const flatText = (value: Json): string | null => {
  const simple = textAt(value, 'content') ?? textAt(value, 'simpleText') ?? textAt(value);
  if (simple !== null) return simple;
  const runs = listAt(value, 'runs').map((run) => textAt(run, 'text') ?? '');
  return runs.length === 0 ? null : runs.join('');
};

/** The channel that was requested, which YouTube repeats for its own tracking. */
const tracedId = (data: Json): string | null => {
  const traced = listAt(data, 'responseContext', 'serviceTrackingParams')
    .flatMap((service) => listAt(service, 'params'))
    .find((param) => textAt(param, 'key') === 'browse_id');
  return parseId(textAt(traced, 'value') ?? '');
};

/** Characters of an alert that are looked at. */
const MAX_ALERT = 300;

/** YouTube's messages in place of a channel. */
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

/** Values in a channel's header. */
interface Header {
  /** Whether a known header was found. */
  readonly found: boolean;
  readonly handle: string | null;
  readonly followers: number | null;
  readonly videos: number | null;
  readonly verified: boolean | null;
  readonly links: readonly (string | null)[];
  /** What headers of generated channels show in place of the metadata. */
  readonly id: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** Thumbnails. */
  readonly avatar: Json;
}

const BADGES = new Set(['CHECK_CIRCLE_FILLED', 'AUDIO_BADGE', 'MUSIC_FILLED']);

const NO_HEADER: Header = {
  found: false,
  handle: null,
  followers: null,
  videos: null,
  verified: null,
  links: [],
  id: null,
  title: null,
  description: null,
  avatar: undefined,
};

/** Texts of fields whose name says what they count. */
const countTexts = (header: Json): readonly HeaderText[] =>
  (
    [
      ['subscriberCountText', 'followers'],
      ['videosCountText', 'posts'],
    ] as const
  ).flatMap(([name, counts]) => {
    const text = flatText(at(header, name));
    return text === null ? [] : [{ text, counts }];
  });

const headerCounts = (texts: readonly HeaderText[], fields: Fields) => {
  const { followers, posts } = countsOf(texts, fields);
  return { followers, videos: posts };
};

/** The view-model header of current pages. */
const modelHeader = (model: Json, fields: Fields): Header => {
  const parts = listAt(model, 'metadata', 'contentMetadataViewModel', 'metadataRows').flatMap((row) =>
    listAt(row, 'metadataParts'),
  );
  const texts = parts.flatMap((part) => flatText(at(part, 'text')) ?? []);
  const title = at(model, 'title', 'dynamicTextViewModel', 'text');
  const images = listAt(title, 'attachmentRuns').flatMap((run) =>
    listAt(run, 'element', 'type', 'imageType', 'image', 'sources').map((source) =>
      textAt(source, 'clientResource', 'imageName'),
    ),
  );
  const attribution = at(model, 'attribution', 'attributionViewModel');
  return {
    ...NO_HEADER,
    found: true,
    title: flatText(title),
    avatar: at(model, 'image', 'decoratedAvatarViewModel', 'avatar', 'avatarViewModel', 'image', 'sources'),
    description: flatText(at(model, 'description', 'descriptionPreviewViewModel', 'description')),
    handle: texts.find((text) => text.trim().startsWith('@'))?.trim() ?? null,
    ...headerCounts(
      texts.map((text) => ({ text })),
      fields,
    ),
    verified: isObject(title) ? images.some((name) => name !== null && BADGES.has(name)) : null,
    links: [
      ...listAt(attribution, 'text', 'commandRuns'),
      ...listAt(attribution, 'suffix', 'commandRuns'),
    ].map((run) => textAt(run, 'onTap', 'innertubeCommand', 'urlEndpoint', 'url')),
  };
};

/** The header of older pages. */
const tabbedHeader = (header: Json, fields: Fields): Header => {
  const badges = at(header, 'badges');
  return {
    ...NO_HEADER,
    found: true,
    id: textAt(header, 'channelId'),
    title: flatText(at(header, 'title')),
    avatar: at(header, 'avatar', 'thumbnails'),
    handle: flatText(at(header, 'channelHandleText')),
    ...headerCounts(countTexts(header), fields),
    verified: textAt(header, 'title') === null ? null : listAt(badges).some(isVerifiedBadge),
    links: listAt(header, 'headerLinks', 'channelHeaderLinksRenderer', 'primaryLinks').map((link) =>
      textAt(link, 'navigationEndpoint', 'urlEndpoint', 'url'),
    ),
  };
};

/** The header of events and of topics such as sports: one entry among many is of the channel. */
const carouselHeader = (header: Json, fields: Fields): Header | null => {
  const details = listAt(header, 'contents')
    .map((entry) => at(entry, 'topicChannelDetailsRenderer'))
    .find(isObject);
  if (details === undefined) return null;
  const subtitle = flatText(at(details, 'subtitle'));
  const texts = [...countTexts(details), ...(subtitle === null ? [] : [{ text: subtitle }])];
  return {
    ...NO_HEADER,
    found: true,
    id: textAt(details, 'navigationEndpoint', 'browseEndpoint', 'browseId'),
    title: flatText(at(details, 'title')),
    avatar: at(details, 'avatar', 'thumbnails'),
    ...headerCounts(texts, fields),
  };
};

/** The header of games: it has neither subscribers nor a handle. */
const interactiveHeader = (header: Json): Header => ({
  ...NO_HEADER,
  found: true,
  title: flatText(at(header, 'title')),
  description: flatText(at(header, 'description')),
  avatar: at(header, 'boxArt', 'thumbnails'),
});

const isVerifiedBadge = (badge: Json): boolean =>
  /^BADGE_STYLE_TYPE_VERIFIED/.test(textAt(badge, 'metadataBadgeRenderer', 'style') ?? '');

/** Header of channel data; all unknown if its layout is unknown. */
const headerOf = (data: Json, fields: Fields): Header => {
  const model = at(data, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel');
  if (isObject(model)) return modelHeader(model, fields);
  const tabbed = at(data, 'header', 'c4TabbedHeaderRenderer');
  if (isObject(tabbed)) return tabbedHeader(tabbed, fields);
  const interactive = at(data, 'header', 'interactiveTabbedHeaderRenderer');
  if (isObject(interactive)) return interactiveHeader(interactive);
  return carouselHeader(at(data, 'header', 'carouselHeaderRenderer'), fields) ?? NO_HEADER;
};

/*
 * What YouTube writes beside a count, in the languages of its pages. Words are recognized by their stems, as most are
 * inflected.
 */
const SUBSCRIBERS = [
  'subscri|subskr|subscritor|abonn|abonen|abonat|abonaț|abonues|abone|abunəçi|suscri|inscri|iscritt|seguidor',
  'intekena|pelanggan|pretplat|odběrat|odberat|tellija|harpide|ababhali|áskrif|wanaofuatili|wafuatili',
  'prenumer|feliratkoz|előfiz|obuna|pratila|pratilac|tilaaj|naročnik|đăng ký',
  'подписч|підписн|падпісч|абонат|абонент|жазыл|претпл|пратил|захиал|συνδρομ|բաժանորդ|გამომწერ',
  'מנוי|مشترك|مشترک|سبسکرائب',
  'सदस्य|सब्सक्रा|सब्स्क्रा|সাবস্ক্রাই|ছাবস্ক্ৰাই|ਸਬਸਕ੍ਰਾ|સબ્સ્ક્રા|ସବସ୍କ୍ରା|சந்தாதார|సబ్|సభ్య|ಸಬ್|ಚಂದಾದಾರ|സബ്|ග්\u200d?රාහක|දායක',
  'ผู้ติดตาม|ຜູ້ຕິດຕາມ|စာရင်းသွင်း|ተመዝጋቢ|អ្នកជាវ|チャンネル登録|登録|订阅|訂閱|訂戶|구독',
].join('|');

const VIDEOS = [
  'v[ií]d[eé][oóí](?:\\ssnim)?|bideo|amavidiyo|vidiyo|vaizdo įraš|myndskeið|film|wideo|видео(?:\\sсним)?|відео|відэа|бейне|видеа|βίντεο|տեսանյութ|ვიდეო',
  'סרטונ|فيديو|ویدیو|ویڈیو|वीडियो|वीडिओ|भिडियो|व्हिडिओ|ভিডিও|ভিডিঅ|ਵੀਡੀਓ|વીડિયો|વિડિઓ|ଭିଡିଓ|வீடியோ|వీడియో|ವೀಡಿಯೊ|വീഡിയോ|වීඩියෝ',
  'วิดีโอ|ວິດີໂອ|ဗီဒီယို|ቪዲዮ|វីដេអូ|動画|视频|視頻|影片|동영상',
].join('|');

const NOUNS = { followers: nounOf(SUBSCRIBERS), posts: nounOf(VIDEOS) } as const;

const NONE = /^(?:no|keine?|aucune?|sin|nessun[oa]?|nenhum|нет|немає|hiç|geen)(?![\p{L}\p{M}])/iu;

type Counted = keyof typeof NOUNS;

/** A text of a header, and what it counts if its field says so. */
interface HeaderText {
  readonly text: string;
  readonly counts?: Counted;
}

/**
 * Subscribers and videos of a header, recognized by its fields or else by their words. A count whose word is unknown is
 * a warning.
 */
const countsOf = (parts: readonly HeaderText[], fields: Fields): Readonly<Record<Counted, number | null>> => {
  const found: Record<Counted, number | null> = { followers: null, posts: null };
  const all = parts.map(({ text }) => text).join(' ');
  for (const { text, counts } of parts) {
    if (text.trim().startsWith('@')) continue;
    const said = (['followers', 'posts'] as const).find((name) => text.search(NOUNS[name]) >= 0);
    const name = counts ?? said;
    if (name === undefined) {
      if (hasNumber(text)) fields.unknownLabel(text);
      continue;
    }
    const isNone = !hasNumber(text) && NONE.test(text.trim());
    const value = isNone ? 0 : labelledCount(text, NOUNS[name], all);
    if (value === null && hasNumber(text)) fields.unknownLabel(text);
    found[name] ??= value;
  }
  return found;
};
