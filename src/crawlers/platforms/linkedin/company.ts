import { addressOf, companySlug, handleOfUrl, profileUrl } from '../../../platforms/linkedin.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { CompanyFacts } from '../../../write/leads.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { linkedData } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { followCounts, imageOf } from '../shared/json-ld.ts';
import { fromLastNumber, labelledCount, nounOf } from '../shared/labelled-count.ts';
import { linksOf } from '../shared/links.ts';
import { layoutChanged, type Parsed, present, unnamed } from '../shared/reading-outcomes.ts';
import { pageRequest, surfaceOf } from '../shared/surface.ts';
import { blockOf, walled } from './block-detection.ts';
import { companyFacts, type ShownFacts, sublineOf } from './company-facts.ts';
import { countryOf, namesHandle, nodeFor, plain, postsOf, SHOWN } from './json-ld-nodes.ts';

/** Followers in the languages of LinkedIn. */
const FOLLOWERS = nounOf(
  'follower|seguidor|abonn|volger|obserwuj|takipçi|подписчик|отслежива|підписник|стежать|フォロワー|关注|關注|追蹤|粉丝|팔로워|följare|følgere|seuraaja|sledujíc|követő|urmăritor|ακόλουθ|متابع|دنبال|עוקב|फ़ॉलोअर|फॉलोअर|अनुयायी|ผู้ติดตาม|pengikut|tagasubaybay|người theo dõi|последовател|অনুসরণ',
);

/** A line below a name is not longer. */
const SUBLINE_CHARS = 300;

/** The follower count ends the line below the name, after industry and address. */
const followersOf = (html: string, organization: Json, fields: Fields): number | null => {
  const counted = fields.count('followers', followCounts(organization).follow);
  if (counted !== null) return counted;
  const line = (sublineOf(html) ?? '').slice(0, SUBLINE_CHARS);
  const count = fromLastNumber(line);
  if (count === null) return null;
  const [noun] = line.match(FOLLOWERS) ?? [];
  const followers =
    noun === undefined ? null : labelledCount(count.includes(noun) ? count : `${noun} ${count}`, FOLLOWERS);
  if (followers === null) fields.unknownLabel(line);
  return followers;
};

/** A list as LinkedIn writes it: `A and B`, or `A, B, and C`. */
const itemsOf = (list: string): readonly string[] =>
  list
    .split(list.includes(',') ? ',' : /\sand\s/)
    .map((item) => item.trim().replace(/^and\s+/, ''))
    .filter(Boolean);

/** Whether the page has the section of facts. */
const isShown = (facts: ShownFacts): boolean => Object.values(facts).some((fact) => fact !== null);

const leadFacts = (organization: Json, shown: ShownFacts, fields: Fields, handle: string): CompanyFacts => ({
  slug: companySlug(handle) ?? handle,
  name: plain(textAt(organization, 'name')),
  description: plain(textAt(organization, 'description')),
  industry: shown.industry,
  size: shown.size,
  employees: fields.count(
    'employees',
    at(organization, 'numberOfEmployees', 'value') ?? at(organization, 'numberOfEmployees'),
  ),
  headquarters: shown.headquarters ?? textAt(organization, 'address', 'addressLocality'),
  country: countryOf(organization),
  founded: shown.founded ?? textAt(organization, 'foundingDate'),
  website: shown.website,
  specialties: shown.specialties === null ? null : [...itemsOf(shown.specialties)],
});

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
  const facts = companyFacts(page.body, fields);
  const shown = present(
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
    false,
    {
      facts: {
        kind: 'company',
        isWhole: isShown(facts),
        facts: leadFacts(organization, facts, fields, handle),
      },
    },
  );
  return namesHandle(organization, handle) ? shown : unnamed(shown);
};

const request = pageRequest('linkedin', profileUrl);

export const company = surfaceOf(
  'linkedin',
  'company',
  'html',
  (url) => addressOf(url) !== null && /^\/(?:company|school|showcase)\//.test(url.pathname),
  (address) => (address.kind === 'handle' && companySlug(address.handle) !== null ? request(address) : null),
  parse,
);
