import type { Account } from '../../world/account.ts';
import { uploadDigits } from '../pictures.ts';
import { escapeHtml } from '../response.ts';

export const avatarOf = (account: Account): string =>
  `https://cdn4.telesco.pe/file/${account.avatar}${uploadDigits(account, 8)}.jpg`;

export const hasFeed = (account: Account): boolean =>
  account.kind === 'channel' && !account.quirks.has('no_feed');

/** "1 474 933" */
export const spaced = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');

const unitOf = (n: number): number => (n >= 1e6 ? 1e6 : n >= 1000 ? 1000 : 1);

/** "37.2K": one decimal below a hundred units. */
export const short = (n: number): string => {
  const unit = unitOf(n);
  if (unit === 1) return String(n);
  const value = n / unit;
  const text = value < 100 ? String(Math.floor(value * 10) / 10) : String(Math.floor(value));
  return `${text}${unit === 1000 ? 'K' : 'M'}`;
};

/** The number as far as `short` preserves it. */
export const cutShort = (n: number): number => {
  const unit = unitOf(n);
  if (unit === 1) return n;
  const value = n / unit;
  return Math.round((value < 100 ? Math.floor(value * 10) / 10 : Math.floor(value)) * unit);
};

/** Text as Telegram renders it: line breaks, names and URLs as links. */
export const rich = (text: string): string =>
  escapeHtml(text)
    .replace(/https:\/\/\S+/g, (url) => `<a href="${url}" target="_blank" rel="noopener">${url}</a>`)
    .replace(/(^|\s)@(\w{4,32})/g, '$1<a href="https://t.me/$2" target="_blank">@$2</a>')
    .replace(/(^|\s)#(\p{L}[\p{L}\p{N}_]*)/gu, '$1<a href="?q=%23$2">#$2</a>')
    .replaceAll('\n', '<br/>');

export const VERIFIED = '<i class="verified-icon"> ✔</i>';
