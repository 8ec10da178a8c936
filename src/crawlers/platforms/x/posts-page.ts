import type { PostsOptions, Reading } from '../adapter.ts';
import { readStep } from '../shared/read-surfaces.ts';
import { graphql } from './graphql.ts';
import { tweetsRequest, type XOperations } from './operations.ts';

/** Reads one page of a user's posts. Needs a session. */
export const createReadPosts =
  (operations: XOperations) =>
  (owner: string, { http, cursor, limit, session = null }: PostsOptions): Promise<Reading> => {
    const request = tweetsRequest(operations, owner, limit, cursor, session);
    return readStep(http, { surface: graphql, request }, { kind: 'id', id: owner });
  };
