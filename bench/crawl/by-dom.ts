import type { CheerioCrawlingContext } from '@crawlee/cheerio';
import { extractOf as extractOfJson } from './by-json.ts';
import type { Case, Extract } from './cases.ts';

type Dom = CheerioCrawlingContext['$'];
type Selection = ReturnType<Dom>;

const UNITS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6 };

/** `37.2K` → 37200 */
const countOf = (text: string): number | null => {
  const [, digits, unit = ''] = /([\d.]+)\s*([KM]?)$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : Math.round(Number(digits) * (UNITS[unit] ?? 1));
};

/** Text with its line breaks, as a reader sees it. */
const textOf = (selection: Selection): string => {
  selection.find('br').replaceWith('\n');
  return selection
    .text()
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
};

const mediaOf = (message: Selection): string => {
  if (message.find('.tgme_widget_message_video_player').length > 0) return 'video';
  return message.find('.tgme_widget_message_photo_wrap').length > 0 ? 'photo' : 'none';
};

const feedOf = ($: Dom): Extract['feed'] =>
  $('.tgme_widget_message')
    .toArray()
    .map((element) => $(element))
    .filter((message) => !message.hasClass('service_message'))
    .map((message) => {
      const likes = message.find('.tgme_reaction');
      return {
        id: (message.attr('data-post') ?? '').split('/')[1] ?? '',
        at: new Date(message.find('.tgme_widget_message_date time').attr('datetime') ?? '').toISOString(),
        text: textOf(message.find('.tgme_widget_message_text').first()),
        media: mediaOf(message),
        likes: likes.length === 0 ? null : countOf(likes.text()),
        views: countOf(message.find('.tgme_widget_message_views').text()),
      };
    });

const telegram = ($: Dom): Extract => {
  const counters = $('.tgme_channel_info_counter').toArray();
  const subscribers = counters.find((each) => /^subscribers?$/.test($(each).find('.counter_type').text()));
  const description = $('.tgme_channel_info_description');
  const links = description
    .find('a')
    .toArray()
    .filter((each) => !/^[@#]/.test($(each).text()))
    .map((each) => $(each).attr('href') ?? '');
  return {
    handle: $('.tgme_channel_info_header_username').text().trim().slice(1).toLowerCase(),
    id: null,
    display_name: textOf($('.tgme_channel_info_header_title')),
    followers: subscribers === undefined ? null : countOf($(subscribers).find('.counter_value').text()),
    following: null,
    posts: null,
    verified: $('.tgme_channel_info_header_labels .verified-icon').length > 0,
    bio: textOf(description),
    avatar_url: $('.tgme_page_photo_image img').first().attr('src') ?? null,
    links: [...new Set(links)],
    feed: feedOf($).toReversed(),
  };
};

const x = ($: Dom): Extract => extractOfJson($('script[type="application/ld+json"]').text());

/** What is taken out of a page that was parsed into a tree, by kind of page. */
export const extractors: Readonly<Record<Case['name'], ($: Dom) => Extract>> = {
  x,
  'x-rendered': x,
  telegram,
};
