import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createBuild } from '../../src/projections/builds/builds.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { posts } from '../../src/projections/views/posts/projection.ts';
import { openWriter } from '../../src/projections/writer.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { peakMb, serve } from '../support/child.ts';

export interface Question {
  readonly url: string;
  /** Events of a page that is committed on its own; a rebuild without it. */
  readonly pageSize?: number;
}

export interface Answer {
  readonly ms: number;
  readonly peakMb: number;
  /** Where the rows are. */
  readonly schema: string;
}

/** Folds the log into the view of posts: the command's own rebuild, or page by page as a projector follows. */
const run = async ({ url, pageSize }: Question): Promise<Answer> => {
  const db = createPool(url, { max: 10, logger: silentLogger, name: 'bench posts' });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const began = performance.now();
  let schema: string;
  if (pageSize === undefined) {
    const options = { db, log, logger: silentLogger, signal: new AbortController().signal, graceMs: 0 };
    schema = (await rebuild(posts, options)).schema;
  } else {
    schema = (await createBuild(db, posts, 'building')).schema;
    const writer = await openWriter(db, posts, schema);
    const { types, streamPrefixes = [] } = posts;
    for await (const page of log.readAll(0n, { types, streamPrefixes, pageSize })) await writer.write(page);
  }
  const ms = performance.now() - began;
  await log.close();
  await db.end();
  return { ms, peakMb: peakMb(), schema };
};

if (import.meta.main) serve(run);
