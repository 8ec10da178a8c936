import { addressOf, companySlug, handleOfUrl, profileUrl } from '../../../write/accounts/grammar/linkedin.ts';
import { emptyProfile } from '../../../write/accounts/reading.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { linkedData } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { followCounts, imageOf } from '../shared/json-ld.ts';
import { linksOf } from '../shared/links.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { pageRequest, surfaceOf } from '../shared/surface.ts';
import { blockOf, walled } from './block-detection.ts';
import { companyFacts, sublineOf } from './company-facts.ts';
import { nodeFor, plain, postsOf, SHOWN } from './json-ld-nodes.ts';

const FOLLOWERS =
  /([\d][\d.,\s\u00a0\u202f]*(?:[KMB]|Mio\.|тыс\.|млн)?)\s*(?:followers?|follower:innen|abonné|seguidor|volger|obserwuj|takipçi|подписчик|フォロワー|关注|팔로워)/iu;

/** The follower count is part of the line below the name. */
const followersOf = (html: string, organization: Json, fields: Fields): number | null => {
  const counted = fields.count('followers', followCounts(organization).follow);
  if (counted !== null) return counted;
  const found = FOLLOWERS.exec(sublineOf(html) ?? '')?.[1];
  return found === undefined ? null : fields.count('followers', found.trim());
};

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id' || companySlug(address.handle) === null) {
    return layoutChanged('The page shows a company, and was asked for something else');
  }
  const { handle } = address;
  const nodes = linkedData(page.body);
  const organization = nodeFor(nodes, 'Organization', handle);
  if (organization === 'other') return layoutChanged(`The page is about another company than ${handle}`);
  if (organization === null || textAt(organization, 'name') === null) return walled(page.body);
  const fields = new Fields();
  const facts = companyFacts(page.body);
  return present(
    {
      ...emptyProfile(handle),
      display_name: plain(textAt(organization, 'name')),
      followers: followersOf(page.body, organization, fields),
      bio: plain(textAt(organization, 'description')),
      avatar_url: fields.url('avatar_url', imageOf(organization, 'logo')),
      location: facts.headquarters ?? textAt(organization, 'address', 'addressLocality'),
      links: linksOf(
        [at(organization, 'sameAs'), facts.website]
          .flat()
          .map((link) => textAt(link))
          .filter((link) => handleOfUrl(link) === null),
      ),
    },
    postsOf(nodes, handle, fields),
    fields,
    SHOWN,
  );
};

const request = pageRequest('linkedin', profileUrl);

export const company = surfaceOf(
  'company',
  'html',
  (url) => addressOf(url) !== null && url.pathname.startsWith('/company/'),
  (address) => (address.kind === 'handle' && companySlug(address.handle) !== null ? request(address) : null),
  parse,
);
