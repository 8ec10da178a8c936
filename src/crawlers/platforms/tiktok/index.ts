import { tiktok as grammar } from '../../../platforms/tiktok.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import {
  failureOf,
  firstConclusive,
  readStep,
  stepsOf,
  supplemented,
  unknownReading,
  withWarnings,
} from '../shared/read-surfaces.ts';
import { pagedBack, pageSize } from '../shared/timeline.ts';
import { embed } from './embed.ts';
import { EMPTY_LIST, itemList, itemListStep } from './item-list.ts';
import { page } from './page.ts';

/** Adds the posts that the page does not have. */
const withPosts = async (
  reading: Reading,
  address: Address,
  { http, window }: ReadOptions,
): Promise<Reading> => {
  if (reading.status !== 'present' || reading.posts !== null) return reading;
  const { postsCursor } = reading;
  if (postsCursor == null) return reading;
  const stepOf = (cursor: string) => itemListStep(cursor, pageSize(window, 20, 35));
  const list = await readStep(http, stepOf(postsCursor), address);
  if (list.status === 'unknown' && list.detail === EMPTY_LIST) {
    return { ...reading, posts: [], postOrder: 'time', postsSince: null };
  }
  if (list.status === 'present') {
    const whole =
      window === undefined ? list : await pagedBack(http, list, address, window, stepOf, EMPTY_LIST);
    return supplemented(reading, whole);
  }
  // Without the call there is a selection of posts in the embed.
  const [step] = stepsOf([embed], address);
  const shown = step === undefined ? list : await readStep(http, step, address);
  return withWarnings(supplemented(reading, shown), [failureOf(list)]);
};

const read = async (address: Address, options: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading('page', 'not_configured', 'No public surface of TikTok shows an account by its id');
  }
  const reading = await firstConclusive(options.http, stepsOf([page, embed], address), address);
  return options.posts ? withPosts(reading, address, options) : reading;
};

export const tiktok: PlatformAdapter = {
  hosts: ['www.tiktok.com', 'tiktok.com', 'm.tiktok.com'],
  ...grammar,
  probes: ['tiktok', 'nba', 'bbcnews'],
  surfaces: [page, embed, itemList],
  read,
};
