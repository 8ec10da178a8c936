import type { Platform } from '../../../src/kernel/platform.ts';
import * as samples from './samples.ts';

const json = JSON.stringify;

/** A page of each surface: the platform, the account, the surface and its body. */
export const PAGES: readonly (readonly [Platform, string, string, string])[] = [
  ['x', 'sample', 'page', samples.xPage()],
  ['x', 'sample', 'syndication', samples.xTimeline([samples.xTweet()])],
  ['x', 'sample', 'graphql', json(samples.xUser())],
  ['instagram', 'sample', 'page', samples.instagramPage(samples.instagramUser())],
  ['instagram', 'sample', 'web_profile_info', json(samples.instagramInfo())],
  ['tiktok', 'sample', 'page', samples.tiktokPage(samples.tiktokDetail())],
  ['tiktok', 'sample', 'embed', samples.tiktokEmbed()],
  ['youtube', 'sample', 'page', samples.youtubePage(samples.youtubeData())],
  ['youtube', 'sample', 'browse', json(samples.youtubeData())],
  ['youtube', 'sample', 'feed', samples.youtubeFeed],
  ['telegram', 'sample', 'landing', samples.telegramLanding(samples.extra('1 234 subscribers'))],
  ['telegram', 'sample', 'preview', samples.telegramPreview(samples.telegramMessage('sample/5', 'text'))],
  ['bluesky', 'sample.example', 'profile', json(samples.blueskyProfile())],
  ['bluesky', 'sample.example', 'feed', json({ feed: [samples.blueskyItem('3a')] })],
  ['linkedin', 'sample', 'person', samples.linkedinPage([samples.linkedinPerson()])],
  ['linkedin', 'company:sample', 'company', samples.linkedinPage([samples.linkedinCompany])],
];

const asMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A page whose n-th value of a JSON string, or text between tags, is another. */
export const withText = (body: string, n: number, text: string): string => {
  let i = 0;
  const other = (found: string, replacement: () => string) => (i++ === n ? replacement() : found);
  return body
    .replaceAll(/(?<=:\s*|\[)"(?:[^"\\]|\\.)*"(?!\s*:)/g, (found) =>
      other(found, () => json(text).replaceAll('<', '\\u003c')),
    )
    .replaceAll(/(?<=>)[^<>{}]+(?=<)/g, (found) => other(found, () => asMarkup(text)));
};
