import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { searchPeople } from '../../../read/people/search.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text, wholeNumber } from '../../contract/parse-request.ts';
import { confidenceShare, EXAMPLE_PERSON, personSchema } from '../../contract/schemas/people.ts';
import type { Services } from '../../services.ts';
import { answerOf, withConfidence } from './person-answers.ts';

/** Persons of the accounts that had a handle last. */
const formerlyNamed = async (
  { people, adapterOf }: Pick<Services, 'people' | 'adapterOf'>,
  q: string,
): Promise<readonly string[]> => {
  const found = await Promise.all(
    DIRECTORY_PLATFORMS.map((platform) => {
      const value = adapterOf(platform).parseHandle(q);
      return value === null ? null : people.ofAccount({ platform, by: 'handle', value });
    }),
  );
  return found.flatMap((one) => one?.person.person_id ?? []);
};

export default endpoint({
  operation: 'searchPeople',
  group: 'people',
  method: 'GET',
  path: '/people/search',
  scope: 'people:read',
  meter: 'catalog',
  list: true,
  summary: 'Persons by name or handle',
  description:
    'Persons whose names or handles contain words that begin with the words of `q`, and persons of the account that last had the handle `q`. Persons with the largest account come first; sizes are ranked in steps of an eighth. Persons with LinkedIn accounts only require the scope `leads:read`. A page may have fewer items than `limit` although `next_cursor` leads to more.',
  params: z.strictObject({}),
  query: z.strictObject({
    q: text(1, 100).describe('Prefixes of words of a name or handle.'),
    platform: platformSchema.optional().describe('Persons with an account there.'),
    min_followers: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Followers of the largest account; a LinkedIn account counts only if there is no other.'),
    min_confidence: confidenceShare()
      .optional()
      .describe('Minimum confidence. Accounts below it are omitted, except the largest if all are below.'),
  }),
  data: z.array(personSchema),
  errors: [],
  example: { query: { q: 'nasa' }, data: [EXAMPLE_PERSON] },
  handler: async (request) => {
    const { query, services, visible, queuedReads, after, limit } = request;
    const { q, platform, min_followers } = query;
    const formerly = await formerlyNamed(services, q);
    const with_linkedin_only = visible.sees('linkedin', 'display_name');
    const filters = { q, platform, min_followers, with_linkedin_only, formerly };
    const page = await searchPeople(queuedReads, services.builds, filters, limit, after);
    return {
      data: await Promise.all(
        page.items.map(async (person) =>
          answerOf(
            withConfidence(visible.person(person), query.min_confidence),
            await services.claims.of(person),
          ),
        ),
      ),
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
