import {
  addressOf,
  companySlug,
  linkedin as grammar,
  handleOfUrl,
  profileUrl,
} from '../../../platforms/linkedin.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { PersonFacts } from '../../../write/leads.ts';
import type { Page } from '../../http/port.ts';
import type { Address, PlatformAdapter, Reading, ReadOptions } from '../adapter.ts';
import { followCounts, imageOf, linkedData } from '../shared/embedded-json.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, type Json, textAt } from '../shared/json-access.ts';
import { linksOf } from '../shared/links.ts';
import { firstConclusive, stepsOf, unknownReading } from '../shared/read-surfaces.ts';
import { layoutChanged, type Parsed, present, unnamed } from '../shared/reading-outcomes.ts';
import { pageRequest, surfaceOf } from '../shared/surface.ts';
import { company } from './company.ts';
import { blockOf, countryOf, namesHandle, nodeFor, plain, postsOf, SHOWN, walled } from './json-ld-nodes.ts';

const read = async (address: Address, { http }: ReadOptions): Promise<Reading> => {
  if (address.kind === 'id') {
    return unknownReading(
      'person',
      'not_configured',
      'No public surface of LinkedIn shows an account by its id',
    );
  }
  return firstConclusive(http, stepsOf([person, company], address), address);
};

/** Text that LinkedIn masks for readers who are not signed in. */
const HIDDEN = /^[*•\s]+$/;

const shownText = (value: Json): string | null => {
  const text = plain(textAt(value));
  return text === null || text === '' || HIDDEN.test(text) ? null : text;
};

const firstText = (value: Json): string | null => shownText([value].flat()[0]);

/** The employer that the page names first. */
const employerOf = (person: Json): PersonFacts['company'] => {
  const employer = [at(person, 'worksFor')].flat()[0];
  const name = shownText(at(employer, 'name'));
  const handle = handleOfUrl(textAt(employer, 'url'));
  const slug = handle === null ? null : companySlug(handle);
  return name === null && slug === null ? null : { name, slug };
};

/** A page without either hides them. */
const showsFacts = (person: Json): boolean =>
  firstText(at(person, 'jobTitle')) !== null || employerOf(person) !== null;

const leadFacts = (person: Json, slug: string): PersonFacts => ({
  slug,
  name: plain(textAt(person, 'name')),
  title: firstText(at(person, 'jobTitle')),
  company: employerOf(person),
  location: textAt(person, 'address', 'addressLocality'),
  country: countryOf(person),
});

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return blocked;
  if (address.kind === 'id' || companySlug(address.handle) !== null) {
    return layoutChanged('The page shows a person, and was asked for something else');
  }
  const { handle } = address;
  const nodes = linkedData(page.body);
  const person = nodeFor(nodes, 'Person', handle);
  if (person === 'other') return layoutChanged(`The page is about another person than ${handle}`);
  if (person === null || textAt(person, 'name') === null) return walled(page.body);
  const fields = new Fields();
  const shown = present(
    {
      ...emptyProfile(handle),
      display_name: plain(textAt(person, 'name')),
      followers: fields.count('followers', followCounts(person).follow),
      bio: plain(textAt(person, 'description')),
      avatar_url: fields.url('avatar_url', imageOf(person)),
      location: textAt(person, 'address', 'addressLocality'),
      // The links include its own pages in other countries.
      links: linksOf(
        [at(person, 'sameAs')]
          .flat()
          .map((link) => textAt(link))
          .filter((link) => handleOfUrl(link) === null),
      ),
    },
    postsOf(nodes, handle, fields),
    fields,
    SHOWN,
    false,
    { facts: { kind: 'person', isWhole: showsFacts(person), facts: leadFacts(person, handle) } },
  );
  return namesHandle(person, handle) ? shown : unnamed(shown);
};

const request = pageRequest('linkedin', profileUrl);

const person = surfaceOf(
  'linkedin',
  'person',
  'html',
  (url) => addressOf(url) !== null && url.pathname.startsWith('/in/'),
  (address) => (address.kind === 'handle' && companySlug(address.handle) === null ? request(address) : null),
  parse,
);

/** LinkedIn, people and companies. Badges and creation times are not public. */
export const linkedin: PlatformAdapter = {
  hosts: ['linkedin.com', '.linkedin.com'],
  ...grammar,
  probes: ['williamhgates', 'company:linkedin', 'company:microsoft'],
  surfaces: [person, company],
  read,
};
