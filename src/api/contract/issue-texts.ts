import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const UNITS: Readonly<Record<string, string>> = { string: ' character', array: ' item', set: ' item' };

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string => {
  const isLeast = issue.code === 'too_small';
  const [limit, how] = isLeast ? [issue.minimum, 'at least'] : [issue.maximum, 'at most'];
  const exclusive = isLeast ? 'more than' : 'less than';
  const unit = UNITS[issue.origin];
  const verb = unit === undefined ? 'be' : 'have';
  return `must ${verb} ${issue.inclusive === false ? exclusive : how} ${limit}${unit === undefined ? '' : `${unit}${Number(limit) === 1 ? '' : 's'}`}`;
};

/**
 * What is wrong with a value, in the words of this API; those of the validation library would change with it.
 * @param issue of a schema that has no text of its own.
 */
export const issueText = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be an ISO 8601 time' : 'has the wrong format';
    default:
      return 'is not valid';
  }
};
