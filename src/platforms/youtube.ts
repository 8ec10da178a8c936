import {
  type Address,
  decoded,
  isHost,
  isProfile,
  type PlatformDescriptor,
  type Subject,
  tabs,
} from './descriptor.ts';

/** A channel ID. */
const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/;

/** Letters and digits of any script, and `_-.·`. */
const HANDLE = /^[\p{L}\p{M}\p{N}_.·-]{3,30}$/u;

const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com']);

export const isBareId = (input: string): boolean => CHANNEL_ID.test(input);

export const parseId = (input: string): string | null => (CHANNEL_ID.test(input) ? input : null);

/** A channel without a handle is named by its case-sensitive ID. */
export const parseHandle = (input: string): string | null => {
  if (CHANNEL_ID.test(input)) return input;
  const bare = (input.startsWith('@') ? input.slice(1) : input).normalize('NFC');
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
};

export const addressOf = (url: URL): Address | null => {
  if (!HOSTS.has(url.hostname)) return null;
  const [, first = '', second = ''] = url.pathname.split('/');
  if (first.startsWith('@') || first.startsWith('%40')) {
    const handle = parseHandle(decoded(first));
    return handle === null ? null : { kind: 'handle', handle };
  }
  const id =
    first === 'channel'
      ? parseId(second)
      : first === 'feeds'
        ? parseId(url.searchParams.get('channel_id') ?? '')
        : null;
  return id === null ? null : { kind: 'id', id };
};

/** Former names of channels: custom names and user names. */
const indirectUrl = (url: URL): string | null => {
  const [, kind = '', name = ''] = url.pathname.split('/');
  const isOne =
    HOSTS.has(url.hostname) && /^(?:c|user)$/i.test(kind) && /^[^\s/]{1,100}$/u.test(decoded(name));
  return isOne ? `https://www.youtube.com/${kind.toLowerCase()}/${name}` : null;
};

export const profileUrl = (handle: string): string =>
  isBareId(handle)
    ? `https://www.youtube.com/channel/${handle}`
    : `https://www.youtube.com/@${encodeURIComponent(handle)}`;

const TABS = tabs(
  'featured videos shorts streams live releases podcasts courses playlists community posts store about channels search',
);

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  if (!isHost(url, 'youtube.com')) return null;
  if (parts[0] === 'youtubei') return 'unsaid';
  if (parts[0] === 'feeds') return addressOf(url);
  return isProfile(parts, parts[0] === 'channel' ? 2 : 1, TABS) ? addressOf(url) : null;
};

export const youtube: PlatformDescriptor = {
  platform: 'youtube',
  name: 'YouTube',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.youtube.com/@{handle}',
  parseHandle,
  parseId,
  isBareId,
  profileUrl,
  addressOf,
  subjectOf,
  indirectUrl,
  streamId: CHANNEL_ID,
  // After ten days views tell those of the thirtieth to a tenth (Szabo and Huberman, "Predicting the popularity of online
  // content", Communications of the ACM 53, 2010); old videos go on to be watched without an end.
  ripeHours: 336,
  followerDigits: 3,
  hasMentions: true,
  isInDirectory: true,
};
