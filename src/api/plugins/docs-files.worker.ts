import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { GUIDE, PAGE, SCRIPT } from '../description/docs-paths.ts';
import type { DocsFile } from './docs-page.ts';
import { guidePage } from './guide-page.ts';

/** Renders the pages and the script in a thread: the plugin parses megabytes. */

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
const files: DocsFile[] = [];
for (const url of [PAGE, SCRIPT]) {
  const { statusCode, body, headers } = await app.inject({ url });
  if (statusCode !== 200) throw new Error(`the API reference has no ${url}`);
  files.push({ url, text: body, type: String(headers['content-type']) });
}
await app.close();
const markdown = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
files.push({ url: GUIDE, text: guidePage(markdown), type: 'text/html; charset=utf-8' });
parentPort?.postMessage(files);
