import { z } from 'zod';
import { ERRORS, type ErrorCode, ServiceError } from '../../kernel/errors.ts';
import type { AccountKey } from '../../read/accounts.ts';

/** The error of a figure whose sample is too small. */
export const insufficient = (
  path: keyof typeof LACKING,
  { had, needs }: { readonly had: number; readonly needs: number },
): ServiceError =>
  new ServiceError('insufficient_data', `The sample has ${had} of ${needs} ${LACKING[path]}.`, {
    details: [{ path, message: `has ${had}, needs ${needs}` }],
  });

/** The error of a tool about an account that the platform is proven not to have. */
export class NoSuchAccountError extends ServiceError {
  readonly key: AccountKey;

  constructor(key: AccountKey, renamedTo: string | null = null) {
    super('not_found', 'The platform has no such account.', {
      ...(renamedTo !== null && {
        details: [
          {
            path: 'body.handle',
            message: `a former handle: its account is ${renamedTo} now`,
            renamed_to: renamedTo,
          },
        ],
      }),
    });
    this.key = key;
  }
}

/** The error of a tool about an account that the platform has but does not show. */
export const hiddenAccount = (status: 'suspended' | 'deactivated'): ServiceError =>
  new ServiceError('insufficient_data', `The platform does not show the account: it is ${status}.`, {
    details: [{ path: 'status', message: `is ${status}, needs active` }],
  });

/** Why an item of a batch has no result. */
export const itemErrorSchema = z.object({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  retry_after_s: z.int().positive().nullable(),
});

/** The error of one item, which does not affect the others. Errors other than a `ServiceError` are rethrown. */
export const itemErrorOf = (error: unknown): z.input<typeof itemErrorSchema> => {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, retryAfterS = null } = error;
  return { code, message, retry_after_s: retryAfterS };
};

/** What a sample may have too little of. */
const LACKING = {
  posts: 'ripe posts',
  median_engagement: 'likes, replies, reposts and quotes of the median post',
  readings: 'readings of followers',
  accounts: 'accounts',
  lists: 'follower lists that were read',
  comparables: 'sales of accounts of the platform with a known price and followers',
  placements: 'placements of the platform that state their views',
  views: 'ripe posts with views',
  median_views: 'views of the median post',
  followers: 'known numbers of followers',
  points: 'points of parts that are known',
  days: 'days between the first and the last reading of followers',
  shown_followers: 'followers whose profiles the list shows',
} as const;
