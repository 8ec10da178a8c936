import type { HttpRequest } from '../../src/crawlers/http/port.ts';
import { recordingOf, writeRecording } from '../../src/crawlers/http/recording.ts';
import { FEW, feedRequest } from '../../src/crawlers/platforms/bluesky/feed.ts';
import { profileRequest } from '../../src/crawlers/platforms/bluesky/profile.ts';
import { webProfileInfoRequest } from '../../src/crawlers/platforms/instagram/web-profile-info.ts';
import { graphqlRequest } from '../../src/crawlers/platforms/x/graphql.ts';
import { feedUrl } from '../../src/crawlers/platforms/youtube/feed.ts';
import { browseRequest, resolveUrlRequest } from '../../src/crawlers/platforms/youtube/innertube-requests.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { fixture } from '../crawlers/platforms/fixtures.ts';

const page = (platform: Platform, url: string): HttpRequest => ({ platform, url });
const xUser = (handle: string): HttpRequest =>
  graphqlRequest({}, 'UserByScreenName', { screen_name: handle });
const xTweets = (userId: string): HttpRequest =>
  graphqlRequest({}, 'UserTweets', { userId, count: 40, includePromotedContent: false, withVoice: true });

/** The YouTube channel whose pages were recorded, by its id. */
export const CHANNEL = 'UCsXVk37bltHxD1rDPwtNM8Q';

/** Recorded pages and the requests that they answer. */
const RECORDED: readonly (readonly [HttpRequest, path: string, status?: number])[] = [
  [xUser('x'), 'x/user-by-screen-name.ok.json'],
  [xUser('xdevelopers'), 'x/user-by-login.2026.json'],
  [xUser('rtwlz'), 'x/user-tweets.json'],
  [xTweets('2924333576'), 'x/user-tweets.json'],
  [xUser('not_any_more'), 'x/user-by-screen-name.suspended.json'],
  [webProfileInfoRequest('robertdowneyjr'), 'instagram/web-profile-info.ok.json'],
  [webProfileInfoRequest('nobody.at.all'), 'instagram/web-profile-info.null-user.json'],
  [webProfileInfoRequest('challenged'), 'instagram/challenge.json', 400],
  [page('tiktok', 'https://www.tiktok.com/@tiktok?lang=en'), 'tiktok/profile.legacy-next-data.html'],
  [browseRequest(CHANNEL), 'youtube/browse.ok.json'],
  [page('youtube', feedUrl(CHANNEL)), 'youtube/feed.ok.xml'],
  [resolveUrlRequest('https://www.youtube.com/@nobodyatall'), 'youtube/resolve-url.not-found.json', 404],
  [page('telegram', 'https://t.me/nexta_live'), 'telegram/landing.channel.html'],
  [page('telegram', 'https://t.me/nexta_live1432'), 'telegram/landing.missing.html'],
  [page('telegram', 'https://t.me/s/topwar_official'), 'telegram/preview.html'],
  [profileRequest('shinyakato.dev'), 'bluesky/get-profile.ok.json'],
  [feedRequest('shinyakato.dev', FEW), 'bluesky/get-author-feed.json'],
  [page('linkedin', 'https://www.linkedin.com/in/jeffweiner08'), 'linkedin/person.2015-layout.html'],
];

/** Fills a folder with recordings of the pages that real platforms answered with. */
export const recordFixtures = async (dir: string): Promise<void> => {
  for (const [request, path, status = 200] of RECORDED) {
    const answer = { url: request.url, status, headers: {}, body: fixture(path) };
    await writeRecording(dir, recordingOf(request, answer));
  }
};
