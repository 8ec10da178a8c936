import type { PostsOptions, PostsReading, Reading } from '../adapter.ts';
import { agreedAnswer } from '../shared/agreed-answer.ts';
import { readStep, unknownReading } from '../shared/read-surfaces.ts';
import { EMPTY_TIMELINE, graphql } from './graphql.ts';
import { tweetsRequest, type XOperations } from './operations.ts';

const surface = graphql.name;

/** Reads one page of a user's posts. Needs a session. A refusal names no user. */
export const createReadPosts =
  (operations: XOperations) =>
  async (owner: string, { http, cursor, limit, session = null }: PostsOptions): Promise<PostsReading> => {
    const reading = await agreedAnswer<Reading>({
      request: tweetsRequest(operations, owner, limit, cursor, session),
      ask: (request) => readStep(http, { surface: graphql, request }, { kind: 'id', id: owner }),
      isVerdict: ({ status }) => status !== 'present' && status !== 'private' && status !== 'unknown',
      unconfirmed: (first, other) =>
        unknownReading(
          surface,
          'unconfirmed',
          `X says ${first.status} of the user, and then ${other.status}`,
        ),
    });
    return reading.status === 'unknown' && reading.detail === EMPTY_TIMELINE
      ? { status: 'empty', surface: reading.surface, warnings: reading.warnings }
      : reading;
  };
