import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../../../infra/checks/contract/breaking-changes.ts';
import type { Json } from '../../../../src/api/contract/json.ts';
import { ANSWER, base, CAT, changed, GET } from './cats.ts';

describe('a breaking change of an answer', () => {
  it.each<[string, string, Json | undefined, readonly string[]]>([
    ['a removed status', `${GET}|responses|404`, undefined, ['GET /cats: status 404: removed']],
    [
      'a removed media type of an answer',
      `${GET}|responses|200|content|text/csv`,
      undefined,
      ['GET /cats: status 200: text/csv removed'],
    ],
    [
      'a retyped answer that is not JSON',
      `${GET}|responses|200|content|text/csv|schema|type`,
      'null',
      [
        'GET /cats: status 200 (text/csv): type string removed',
        'GET /cats: status 200 (text/csv): type null added',
      ],
    ],
    [
      'a removed header',
      `${GET}|responses|200|headers|x-plan`,
      undefined,
      ['GET /cats: status 200: header x-plan: removed'],
    ],
    [
      'a header that is no longer promised',
      `${GET}|responses|200|headers|ETag|required`,
      false,
      ['GET /cats: status 200: header etag: no longer in every answer'],
    ],
    [
      'a header without its pattern',
      `${GET}|responses|200|headers|ETag|schema|pattern`,
      undefined,
      ['GET /cats: status 200: header etag: pattern changed from "^W/" to none'],
    ],
    ['a removed field', `${CAT}|mood`, undefined, ['GET /cats: status 200: cats[].mood: removed']],
    [
      'a removed field of an error',
      'components|responses|NotFound|content|application/json|schema|properties|code',
      undefined,
      ['GET /cats: status 404: code: removed'],
    ],
    [
      'a retyped field',
      `${ANSWER}|properties|total|type`,
      'string',
      [
        'GET /cats: status 200: total: type integer removed',
        'GET /cats: status 200: total: type string added',
      ],
    ],
    [
      'a field that may have fractions now',
      `${ANSWER}|properties|total|type`,
      'number',
      [
        'GET /cats: status 200: total: type integer removed',
        'GET /cats: status 200: total: type number added',
      ],
    ],
    [
      'a field that may be null now',
      `${CAT}|born_at|type`,
      ['string', 'null'],
      ['GET /cats: status 200: cats[].born_at: type null added'],
    ],
    [
      'a field that may be below its bound now',
      `${ANSWER}|properties|total|minimum`,
      undefined,
      ['GET /cats: status 200: total: minimum changed from 0 to none'],
    ],
    [
      'a field of another format',
      `${CAT}|born_at|format`,
      'date',
      ['GET /cats: status 200: cats[].born_at: format changed from "date-time" to "date"'],
    ],
    [
      'a field that some answers lack now',
      'components|schemas|Cat|required',
      ['name'],
      ['GET /cats: status 200: cats[].mood: no longer in every answer'],
    ],
    [
      'a removed value of an enum in an answer',
      `${CAT}|mood|enum`,
      ['calm', 'asleep'],
      ['GET /cats: status 200: cats[].mood: value "cross" removed'],
    ],
    [
      'an enum that is opened in an answer',
      `${CAT}|mood|enum`,
      undefined,
      ['GET /cats: status 200: cats[].mood: any value is possible'],
    ],
    [
      'another constant',
      `${CAT}|kind|const`,
      'feline',
      ['GET /cats: status 200: cats[].kind: value "cat" removed'],
    ],
    [
      'a removed choice of types',
      `${ANSWER}|properties|owner`,
      { type: 'string' },
      ['GET /cats: status 200: owner: type object removed'],
    ],
    [
      'a retyped field of a choice',
      `${ANSWER}|properties|owner|anyOf|1|properties|id|type`,
      'integer',
      [
        'GET /cats: status 200: owner.id: type string removed',
        'GET /cats: status 200: owner.id: type integer added',
      ],
    ],
    [
      'retyped items',
      `${ANSWER}|properties|cats|items`,
      { type: 'string' },
      [
        'GET /cats: status 200: cats[]: type object removed',
        'GET /cats: status 200: cats[]: type string added',
      ],
    ],
    [
      'retyped values of a map',
      `${ANSWER}|properties|tags|additionalProperties|type`,
      'integer',
      [
        'GET /cats: status 200: tags.*: type string removed',
        'GET /cats: status 200: tags.*: type integer added',
      ],
    ],
    [
      'a map whose values have no type now',
      `${ANSWER}|properties|tags|additionalProperties`,
      undefined,
      ['GET /cats: status 200: tags.*: removed or without a type'],
    ],
  ])('is reported: %s', (_, path, value, expected) => {
    expect(breakingChanges(base(), changed(path, value))).toEqual(expected);
  });
});
