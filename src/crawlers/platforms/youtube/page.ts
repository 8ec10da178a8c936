import { addressOf, profileUrl } from '../../../platforms/youtube.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { assignedJson } from '../shared/assigned-json.ts';
import { titleOf } from '../shared/embedded-json.ts';
import { layoutChanged, type Parsed, silent } from '../shared/reading-outcomes.ts';
import { inEnglish, nameOf, surfaceOf } from '../shared/surface.ts';
import { blockOf, walled } from './block-detection.ts';
import { parseChannel } from './channel.ts';

/** The page for unused handles and closed channels alike. */
const isMissing = (body: string): boolean => /^404 Not Found$/i.test(titleOf(body) ?? '');

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return page.status === 404 && isMissing(page.body) ? silent(blocked) : blocked;
  const data = assignedJson(page.body, 'ytInitialData');
  if (data === undefined) return walled(page.body) ?? layoutChanged('The page carries no ytInitialData');
  return parseChannel(data, address);
};

export const page = surfaceOf(
  'youtube',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/feeds/'),
  (address) => ({ platform: 'youtube', url: inEnglish('youtube', profileUrl(nameOf(address))) }),
  parse,
);
