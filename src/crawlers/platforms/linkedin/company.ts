import { addressOf, companySlug, handleOfUrl, profileUrl } from '../../../platforms/linkedin.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { CompanyFacts } from '../../../write/leads.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { followCounts, imageOf, linkedData } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { attributeOf, type Element, MOST, textOf, treeOf } from '../shared/html.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { fromLastNumber, labelledCount, nounOf } from '../shared/parse-count.ts';
import { layoutChanged, type Parsed, present, unnamed } from '../shared/reading-outcomes.ts';
import { pageRequest, surfaceOf } from '../shared/surface.ts';
import { blockOf, countryOf, namesHandle, nodeFor, plain, postsOf, SHOWN, walled } from './json-ld-nodes.ts';

/** Parses only the relevant parts of the page. */
export const companyFacts = (html: string, fields: Fields): ShownFacts => {
  const facts: Record<keyof ShownFacts, string | null> = {
    website: null,
    industry: null,
    size: null,
    headquarters: null,
    founded: null,
    specialties: null,
  };
  const about = html.indexOf('about-us');
  const from = about < 0 ? -1 : html.indexOf('<dl', about);
  const section = from < 0 ? null : between(html, from + 1, 'dl');
  const tree = section === null ? null : treeOf(section);
  if (tree === null) return facts;
  let label: string | null = null;
  for (const element of tree.select('dt, dd').slice(0, MOST)) {
    const text = textOf(element) ?? '';
    if (element.tagName === 'dt') label = text;
    if (element.tagName !== 'dd' || label === null || text === '') continue;
    const key = (markOf(element) ?? label).toLowerCase();
    const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    if (name === undefined) {
      if (!OTHERS.test(key)) fields.unknownLabel(label);
    } else {
      // The website's link has a note about opening a window.
      const link =
        name === 'website'
          ? linksOf([attributeOf(tree.within(element).select('a')[0], 'href')])[0]
          : undefined;
      facts[name] ??= ((link ?? text).split('\n')[0] ?? '').trim();
    }
    label = null;
  }
  return facts;
};

/** The line below a company's name; null if absent. */
export const sublineOf = (html: string): string | null => {
  const at = html.indexOf(SUBLINE);
  const open = at < 0 ? -1 : html.lastIndexOf('<', at);
  const tag = open < 0 ? undefined : /^<([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 20))?.[1];
  const part = tag === undefined ? null : between(html, at, tag);
  const tree = part === null ? null : treeOf(part);
  return tree === null ? null : textOf(tree.select(`.${SUBLINE}`)[0]);
};

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

const between = (html: string, start: number, tag: string): string | null => {
  const open = start < 0 ? -1 : html.lastIndexOf('<', start);
  const close = open < 0 ? -1 : html.indexOf(`</${tag}>`, start);
  return close < 0 ? null : html.slice(open, close + tag.length + 3);
};

const SUBLINE = 'top-card-layout__first-subline';

/** Names of facts by the marks of their rows, which no language changes, and by their labels on pages without marks. */
const NAMES: Readonly<Record<string, keyof ShownFacts>> = {
  website: 'website',
  industry: 'industry',
  industries: 'industry',
  size: 'size',
  companysize: 'size',
  'company size': 'size',
  headquarters: 'headquarters',
  foundedon: 'founded',
  founded: 'founded',
  specialties: 'specialties',
};

/** Rows that hold no fact. */
const OTHERS = /^(?:organizationtype|type|company type|phone|description)$/;

/** The mark of the row that an element is in; undefined without one. */
const markOf = (element: Element): string | undefined => {
  for (let at: Element['parent'] = element; at !== null && 'attribs' in at; at = at.parent) {
    const mark = /^about-us__(\w+)$/.exec(at.attribs['data-test-id'] ?? '')?.[1];
    if (mark !== undefined) return mark;
  }
  return undefined;
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

/** Raw texts of a company page; null if absent. */
interface ShownFacts {
  readonly website: string | null;
  readonly industry: string | null;
  readonly size: string | null;
  readonly headquarters: string | null;
  readonly founded: string | null;
  readonly specialties: string | null;
}
