import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { type Platform, platformSchema } from '../../../kernel/platform.ts';
import {
  type AccountRef,
  accountOfText,
  parseAccountRef,
  personSource,
  requireAccount,
} from '../../contract/account-ref.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { accountText } from '../../contract/schemas/accounts.ts';
import { confidenceShare, EXAMPLE_PERSON, lookedUpPersonSchema } from '../../contract/schemas/people.ts';
import type { Services } from '../../services.ts';
import { answerOf, oldestMs, withConfidence } from './person-answers.ts';

const query = z.strictObject({
  platform: platformSchema.optional(),
  handle: accountText.optional(),
  url: text(1, 2_048).optional().describe('A profile URL, or `platform:handle`.'),
  person_id: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('`person_id` of an earlier answer; `merged_into` names the person that it has become.'),
  min_confidence: confidenceShare()
    .optional()
    .describe(
      'Minimum confidence. Accounts below it are omitted, except the requested account (for `person_id`, the account that the ID was made from).',
    ),
});

/** The account that a request is for; null if it is for the ID of a person. */
const accountIn = (
  services: Services,
  { platform, handle, url, person_id }: z.output<typeof query>,
): AccountRef | null => {
  if (person_id !== undefined) return null;
  if (url !== undefined) return accountOfText(services, url);
  return parseAccountRef(services, platform as Platform, handle as string, 'query.handle');
};

export default endpoint({
  operation: 'lookupPerson',
  group: 'people',
  method: 'GET',
  path: '/people/lookup',
  scope: 'people:read',
  meter: 'catalog',
  list: false,
  summary: 'The person behind an account',
  description:
    'The accounts of all platforms that evidence of both sides joins with the requested one, each with its confidence and the evidence whose weights add up to its log odds: links both ways, and link pages that list both. Links that nobody answers are claims, which join nobody: anyone can link to anyone under any name. An account without an answer is a person of its own.',
  params: z.strictObject({}),
  query,
  queryRules: [
    { kind: 'exactly_one', fields: ['handle', 'url', 'person_id'] },
    { kind: 'together', fields: ['platform', 'handle'] },
  ],
  data: lookedUpPersonSchema,
  errors: ['not_found'],
  example: {
    query: { platform: 'x', handle: 'nasa' },
    data: { ...EXAMPLE_PERSON, merged_into: null },
  },
  handler: async (request) => {
    const { services, query: asked } = request;
    const ref = accountIn(services, asked);
    const found =
      ref === null
        ? await services.people.byId(asked.person_id as string)
        : await requireAccount(request, ref, personSource(services));
    if (found === null) throw new ServiceError('not_found', 'The catalog has no such person.');
    const { person_id } = found.person;
    const person = withConfidence(found.person, asked.min_confidence, found.asked);
    return {
      data: {
        ...answerOf(person, await services.claims.of(found.person)),
        merged_into: asked.person_id === undefined || asked.person_id === person_id ? null : person_id,
      },
      source: 'catalog',
      readAtMs: oldestMs(person),
    };
  },
});
