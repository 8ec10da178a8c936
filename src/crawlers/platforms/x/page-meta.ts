import { parseHandle } from '../../../platforms/x.ts';
import { emptyProfile, type Measurable } from '../../../write/accounts/profile.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { metaTags } from '../shared/meta-tags.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';
import { pictureOf } from './user.ts';

/**
 * `NASA (@NASA) on X`, in any language, and so on Twitter; `/ X` in titles. A post's title has its author's name and no
 * handle.
 */
const TITLE = /^(.{0,200}?)\s*\(@([A-Za-z0-9_]{1,20})\)(?:[^(:]{0,20}(?:[\s/]X|Twitter)\b.*|\s*)$/su;

/** What X once put in front of a bio. */
const LEAD = /^The latest (?:posts|tweets) from .{0,200}?\(@\w{1,20}\)\.?\s*/isu;

const PICTURE = /^https:\/\/pbs\.twimg\.com\/profile_images\//;

/** The account as meta tags show it, for pages whose data is loaded later; null if they show none. */
export const parseMeta = (html: string, address: Address): Parsed | null => {
  if (!/og:title|twitter:title/i.test(html.slice(0, 300_000))) return null;
  const tags = metaTags(html);
  const [, name, handleText] = TITLE.exec(tags.get('og:title') ?? tags.get('twitter:title') ?? '') ?? [];
  const handle = parseHandle(handleText ?? '');
  if (handle === null || /\/status\//.test(tags.get('og:url') ?? '')) return null;
  if (address.kind !== 'handle' || handle !== address.handle)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const bio = tags.get('og:description') ?? tags.get('twitter:description') ?? tags.get('description');
  const picture = tags.get('og:image') ?? tags.get('twitter:image') ?? '';
  const avatar = PICTURE.test(picture) ? picture : null;
  const measured: Measurable[] = ['display_name', ...(bio === null ? [] : (['bio'] as const))];
  return present(
    {
      ...emptyProfile(handle),
      display_name: name?.trim() || null,
      bio: bio?.replace(LEAD, '').trim() || null,
      avatar_url: pictureOf(avatar),
    },
    null,
    new Fields(),
    avatar === null ? measured : [...measured, 'avatar_url'],
  );
};
