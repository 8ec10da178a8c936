import { DIRECTORY_PLATFORMS } from '../../../kernel/platform.ts';
import type { Candidate } from '../account.ts';

/** Accounts with one name that are compared: of a name with more bearers the first by their keys. */
export const MAX_NAMESAKES = 200;

const SHARED_DOMAIN = '.bsky.social';

/** `platform:handle` of accounts that have the handle of one elsewhere, or a former one of its own. */
export const handlesAlike = (
  { platform, comparable }: Pick<Candidate, 'platform' | 'comparable'>,
  former: readonly string[],
): readonly string[] => [
  ...(comparable === null
    ? []
    : DIRECTORY_PLATFORMS.filter((other) => other !== platform).map(
        (other) => `${other}:${comparable}${other === 'bluesky' ? SHARED_DOMAIN : ''}`,
      )),
  ...former.map((handle) => `${platform}:${handle}`),
];
