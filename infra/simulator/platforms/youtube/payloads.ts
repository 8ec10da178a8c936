import type { Account } from '../../world/account.ts';
import { bundleJson } from './padding.ts';
import { type Locale, subscribers, videos } from './words.ts';

export const avatarOf = (account: Account, size = 900): string =>
  `https://yt3.googleusercontent.com/${account.avatar}=s${size}-c-k-c0x00ffffff-no-rj`;

const thumbnails = (account: Account, ...sizes: number[]) =>
  sizes.map((size) => ({ url: avatarOf(account, size), width: size, height: size }));

const RESPONSE_CONTEXT = {
  visitorData: 'CgtzaW11bGF0ZWQwMCiA',
  serviceTrackingParams: [{ service: 'CSI', params: [{ key: 'c', value: 'WEB' }] }],
  mainAppWebResponseContext: { loggedOut: true },
  webResponseContextExtensionData: { hasDecorated: true },
};

const BADGES = ['CHECK_CIRCLE_FILLED', 'AUDIO_BADGE', 'MUSIC_FILLED'] as const;

const titleView = (account: Account) => ({
  dynamicTextViewModel: {
    text: {
      content: account.displayName,
      ...(account.verified
        ? {
            attachmentRuns: [
              {
                startIndex: account.displayName.length,
                length: 0,
                element: {
                  type: {
                    imageType: {
                      image: {
                        sources: [
                          {
                            clientResource: { imageName: BADGES[account.key % 7 === 0 ? 1 : 0] },
                            width: 14,
                            height: 14,
                          },
                        ],
                      },
                    },
                  },
                },
              },
            ],
          }
        : {}),
    },
    maxLines: 2,
  },
});

/** Optional parts: no videos, a hidden subscriber count. */
const countParts = (account: Account, locale: Locale) => [
  ...(account.quirks.has('hidden_count')
    ? []
    : [{ text: { content: subscribers(account.followers, locale) } }]),
  ...(account.posts === 0 ? [] : [{ text: { content: videos(account.posts, locale) } }]),
];

/** The header shows only the first link, through a redirect. */
const attributionOf = (link: string) => {
  const content = link.replace('https://', '');
  const url = `https://www.youtube.com/redirect?event=channel_header&q=${encodeURIComponent(link)}`;
  const onTap = { innertubeCommand: { urlEndpoint: { url, target: 'TARGET_NEW_WINDOW' } } };
  const commandRuns = [{ startIndex: 0, length: content.length, onTap }];
  return { attributionViewModel: { text: { content, commandRuns } } };
};

const headerOf = (account: Account, locale: Locale) => ({
  pageHeaderRenderer: {
    pageTitle: account.displayName,
    content: {
      pageHeaderViewModel: {
        title: titleView(account),
        image: {
          decoratedAvatarViewModel: {
            avatar: { avatarViewModel: { image: { sources: thumbnails(account, 72, 120, 160) } } },
          },
        },
        metadata: {
          contentMetadataViewModel: {
            metadataRows: [
              { metadataParts: [{ text: { content: `@${account.shown}` }, enableTruncation: true }] },
              { metadataParts: countParts(account, locale) },
            ],
            delimiter: '•',
          },
        },
        ...(account.links[0] ? { attribution: attributionOf(account.links[0]) } : {}),
      },
    },
  },
});

const metadataOf = (account: Account) => ({
  channelMetadataRenderer: {
    title: account.displayName,
    description: account.bio,
    rssUrl: `https://www.youtube.com/feeds/videos.xml?channel_id=${account.id}`,
    externalId: account.id,
    keywords: '',
    ownerUrls: [`http://www.youtube.com/@${account.shown}`],
    avatar: { thumbnails: thumbnails(account, 900) },
    channelUrl: `https://www.youtube.com/channel/${account.id}`,
    isFamilySafe: true,
    availableCountryCodes: ['DE', 'FR', 'GB', 'US'],
    vanityChannelUrl: `http://www.youtube.com/@${account.shown}`,
  },
});

const alertPage = (account: Account | null, text: string) => ({
  responseContext: RESPONSE_CONTEXT,
  ...(account ? { header: { c4TabbedHeaderRenderer: { channelId: account.id } } } : {}),
  alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: text } } }],
});

const agePage = (account: Account) => ({
  responseContext: {
    ...RESPONSE_CONTEXT,
    // The only ID of the gated channel.
    serviceTrackingParams: [{ service: 'GFEEDBACK', params: [{ key: 'browse_id', value: account.id }] }],
  },
  contents: {
    twoColumnBrowseResultsRenderer: {
      tabs: [
        {
          tabRenderer: {
            selected: true,
            content: {
              sectionListRenderer: {
                contents: [
                  {
                    channelAgeGateRenderer: {
                      channelTitle: account.displayName,
                      avatar: { thumbnails: thumbnails(account, 144) },
                      header: { runs: [{ text: 'Sign in to view this channel' }] },
                    },
                  },
                ],
              },
            },
          },
        },
      ],
    },
  },
});

/** The browse response, also embedded in the page as `ytInitialData`. */
export const browseData = (account: Account | null, locale: Locale): unknown => {
  if (!account || account.status === 'deactivated') return alertPage(null, 'This channel does not exist.');
  if (account.status === 'suspended') {
    return alertPage(
      account,
      account.key % 2 === 0
        ? 'This account has been terminated for violating YouTube’s Community Guidelines.'
        : 'This account has been terminated due to multiple third-party claims of copyright infringement.',
    );
  }
  if (account.quirks.has('age_gate')) return agePage(account);
  return {
    responseContext: RESPONSE_CONTEXT,
    contents: {
      twoColumnBrowseResultsRenderer: {
        tabs: [
          {
            tabRenderer: {
              endpoint: { browseEndpoint: { browseId: account.id, canonicalBaseUrl: `/@${account.shown}` } },
              title: 'Home',
              selected: true,
            },
          },
        ],
      },
    },
    header: headerOf(account, locale),
    metadata: metadataOf(account),
    topbar: bundleJson,
    microformat: {
      microformatDataRenderer: {
        urlCanonical: `https://www.youtube.com/channel/${account.id}`,
        title: account.displayName,
        description: account.bio.slice(0, 160),
      },
    },
  };
};
