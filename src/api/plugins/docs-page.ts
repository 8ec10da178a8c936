import reference from '@scalar/fastify-api-reference';
import fastify, { type FastifyInstance } from 'fastify';
import type { RateLimit } from '../pipeline/rate-limit.ts';
import { serveDocument } from './documents.ts';

const PAGE = '/docs/';
const SCRIPT = '/docs/js/scalar.js';

export const DOCS_PATHS = [PAGE, SCRIPT] as const;

/** The page and its script, rendered once: the plugin would render them for each request. */
const readFiles = async (): Promise<
  ReadonlyMap<string, { readonly text: string; readonly type: string }>
> => {
  const app = fastify({ logger: false });
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/v2/openapi.json',
      pageTitle: 'Sightline API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  });
  const files = new Map<string, { text: string; type: string }>();
  for (const url of [PAGE, SCRIPT]) {
    const { statusCode, body, headers } = await app.inject({ url });
    if (statusCode !== 200) throw new Error(`the API reference has no ${url}`);
    files.set(url, { text: body, type: String(headers['content-type']) });
  }
  await app.close();
  return files;
};

let files: ReturnType<typeof readFiles> | undefined;

/** `/docs`: the interactive API reference; everything it loads is served from here. */
export const registerDocsPage = async (app: FastifyInstance, limit: RateLimit): Promise<void> => {
  files ??= readFiles();
  for (const [url, { text, type }] of await files) {
    const serve = serveDocument(text, type, limit);
    // Links of the page are relative to it.
    app.get(url, async (request, reply) =>
      url === PAGE && request.url.split('?')[0] === '/docs'
        ? reply.redirect(PAGE, 301)
        : serve(request, reply),
    );
  }
};
