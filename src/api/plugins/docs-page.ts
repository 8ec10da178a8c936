import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GUIDE, PAGE, SCRIPT } from '../description/docs-paths.ts';
import type { RateLimit } from '../pipeline/rate-limit.ts';
import { serveDocument } from './documents.ts';

/** A file of the reference, rendered. */
export interface DocsFile {
  readonly url: string;
  readonly text: string;
  readonly type: string;
}

export const DOCS_PATHS = [PAGE, SCRIPT, GUIDE] as const;

const RENDERER = new URL('./docs-files.worker.ts', import.meta.url);

/** Renders the files in a thread of its own: it takes a few hundred milliseconds, in which no response may wait. */
const renderFiles = async (): Promise<readonly DocsFile[]> => {
  const worker = new Worker(RENDERER);
  // Rejects with the thread's error if it fails.
  const [files] = (await once(worker, 'message')) as [readonly DocsFile[]];
  return files;
};

/** Calls `make` once, and again only after a failure. */
export const onceMade = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** Rendered for the first reader of this process, not at the start: most processes never serve the page. */
const docsFiles = onceMade(renderFiles);

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** `/docs`: the interactive API reference, and the guide; everything they load is served from here. */
export const registerDocsPage = (app: FastifyInstance, limit: RateLimit): void => {
  const serving = onceMade(
    async (): Promise<ReadonlyMap<string, Serve>> =>
      new Map((await docsFiles()).map(({ url, text, type }) => [url, serveDocument(text, type, limit)])),
  );
  for (const url of DOCS_PATHS) {
    app.get(url, async (request, reply) => {
      // Links of the page are relative to it.
      if (url === PAGE && request.url.split('?')[0] === '/docs') return reply.redirect(PAGE, 301);
      const serve = (await serving()).get(url);
      if (serve === undefined) throw new Error(`the API reference has no ${url}`);
      return serve(request, reply);
    });
  }
};
