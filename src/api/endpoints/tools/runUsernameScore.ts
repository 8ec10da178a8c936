import { z } from 'zod';
import { usernameScore } from '../../../analysis/account-scores.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { PLATFORMS, type Platform, platformSchema } from '../../../kernel/platform.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import { text } from '../../contract/parse-request.ts';
import { tool } from './define-tool.ts';

const NOT_KNOWN = ['whether the name is free, and what it means to anybody'];

/** Parses a name. @throws {ServiceError} `invalid_request` if it is no valid name of the platform, or of any platform. */
const checkName = (name: string, platform: Platform | undefined): void => {
  const asked = platform === undefined ? PLATFORMS : [platform];
  // No sign, and no prefix of LinkedIn's companies or of a native ID.
  if (!/^@|:/.test(name) && asked.some((one) => descriptorOf(one).parseHandle(name) !== null)) return;
  throw new ServiceError('invalid_request', 'This is not a name that a platform takes.', {
    details: [{ path: 'body.handle', message: `not a handle of ${platform ?? 'any platform'}` }],
  });
};

export default tool({
  operation: 'runUsernameScore',
  name: 'username-score',
  title: 'How good a name is',
  description:
    '0 to 100 points for the length, the pattern and the pronounceability of a name. The score is the weighted sum of these parts.',
  method: 'A convention: a sum of three parts with fixed weights, as in docs/methods/tools.md.',
  platforms: [],
  upstreamReads: 0,
  errors: [],
  body: z.strictObject({
    platform: platformSchema
      .optional()
      .describe('Platform whose rules for names apply; by default, those of any platform.'),
    handle: text(1, 100).describe('A name, with or without `@`.'),
  }),
  data: {
    handle: z.string(),
    score: z.number().min(0).max(100),
    length: z.int(),
    pattern: z.enum(['letters', 'letters_and_digits', 'separated', 'digits']),
    readability: z.number().min(0).max(1),
    components: z.array(
      z.object({
        part: z.enum(['length', 'pattern', 'readability']),
        value: z.number(),
        weight: z.number(),
        points: z.number(),
      }),
    ),
  },
  example: {
    body: { handle: 'nasa' },
    data: {
      handle: 'nasa',
      score: 100,
      length: 4,
      pattern: 'letters',
      readability: 1,
      components: [
        { part: 'length', value: 1, weight: 40, points: 40 },
        { part: 'pattern', value: 1, weight: 35, points: 35 },
        { part: 'readability', value: 1, weight: 25, points: 25 },
      ],
      inputs: [],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle }) => {
    const name = handle.replace(/^@/, '');
    checkName(name, platform);
    const { score, parts, length, pattern } = usernameScore(name);
    return {
      result: {
        handle: name,
        score,
        length,
        pattern,
        readability: parts.find(({ part }) => part === 'readability')?.value ?? 0,
        components: parts.map((each) => ({ ...each, points: each.value * each.weight })),
        inputs: [],
        not_known: NOT_KNOWN,
      },
    };
  },
});
