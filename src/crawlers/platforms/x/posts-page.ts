import type { PostsOptions, PostsReading } from '../adapter.ts';
import { readStep } from '../shared/read-surfaces.ts';
import { EMPTY_TIMELINE, graphql } from './graphql.ts';
import { tweetsRequest, type XOperations } from './operations.ts';

/** Reads one page of a user's posts. Needs a session. */
export const createReadPosts =
  (operations: XOperations) =>
  async (owner: string, { http, cursor, limit, session = null }: PostsOptions): Promise<PostsReading> => {
    const request = tweetsRequest(operations, owner, limit, cursor, session);
    const reading = await readStep(http, { surface: graphql, request }, { kind: 'id', id: owner });
    return reading.status === 'unknown' && reading.detail === EMPTY_TIMELINE
      ? { status: 'empty', surface: reading.surface, warnings: reading.warnings }
      : reading;
  };
