import { z } from 'zod';
import { usernameScore } from '../../../read/analysis/username-score.ts';
import { text } from '../../contract/parse-request.ts';
import { tool } from './define-tool.ts';

const NOT_KNOWN = ['whether the name is free, and what it means to anybody'];

export default tool({
  operation: 'runUsernameScore',
  name: 'username-score',
  title: 'How good a name is',
  description:
    'Points of 100 for a name: its length, its pattern, and whether it can be said. The parts and their weights add up to the score.',
  method: 'A convention: a sum of three parts with fixed weights, in docs/methods/tools.md.',
  platforms: [],
  upstreamReads: 0,
  confidence: 'Always 1: a sum by convention.',
  errors: [],
  body: z.strictObject({ handle: text(1, 100).describe('A name, with or without `@`.') }),
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
      confidence: 1,
      inputs: [],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ handle }) => {
    const name = handle.replace(/^@/, '');
    const { score, parts, length, pattern } = usernameScore(name);
    return {
      result: {
        handle: name,
        score,
        length,
        pattern,
        readability: parts.find(({ part }) => part === 'readability')?.value ?? 0,
        components: parts.map((each) => ({ ...each, points: each.value * each.weight })),
        confidence: 1,
        inputs: [],
        not_known: NOT_KNOWN,
      },
    };
  },
});
