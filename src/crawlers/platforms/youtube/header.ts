import type { Fields } from '../shared/field-reader.ts';
import { at, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { countsOf, type HeaderText } from './counts.ts';

/** Values in a channel's header. */
export interface Header {
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

const flatText = (value: Json): string | null => {
  const simple = textAt(value, 'content') ?? textAt(value, 'simpleText') ?? textAt(value);
  if (simple !== null) return simple;
  const runs = listAt(value, 'runs').map((run) => textAt(run, 'text') ?? '');
  return runs.length === 0 ? null : runs.join('');
};

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

/** Texts of fields that say what they count. */
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
export const headerOf = (data: Json, fields: Fields): Header => {
  const model = at(data, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel');
  if (isObject(model)) return modelHeader(model, fields);
  const tabbed = at(data, 'header', 'c4TabbedHeaderRenderer');
  if (isObject(tabbed)) return tabbedHeader(tabbed, fields);
  const interactive = at(data, 'header', 'interactiveTabbedHeaderRenderer');
  if (isObject(interactive)) return interactiveHeader(interactive);
  return carouselHeader(at(data, 'header', 'carouselHeaderRenderer'), fields) ?? NO_HEADER;
};

export { flatText };
