import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { Marked, type Tokens } from 'marked';
import { GUIDE, GUIDE_TEXT, LLMS, PAGE, SCRIPT } from '../description/docs-paths.ts';
import type { DocsFile } from './documents.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem; max-width: 50rem; font: 1rem/1.6 system-ui, sans-serif; }
pre, code { font: 0.875em/1.5 ui-monospace, monospace; }
pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
h2 { margin-top: 2.5rem; }
`;

/** The anchor of a heading, as links of the document name it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/** The guide as a page, with links to its sections at the top. @param markdown the document, which is our own. */
const guidePage = (markdown: string): string => {
  const sections: { readonly text: string; readonly anchor: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const anchor = anchorOf(text);
        if (depth === 2) sections.push({ text: this.parser.parseInline(tokens), anchor });
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  const links = sections.map(({ text, anchor }) => `<li><a href="#${anchor}">${text}</a></li>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calling the API – Sightline</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Sections"><p><a href="${PAGE}">Reference of every endpoint</a></p><ul>
${links}
</ul></nav>
<main>
${body}</main>
</body>
</html>
`;
};

/** What models are told first (llmstxt.org), with a link to each section of the guide. */
const llmsText = (markdown: string): string => `# Sightline

> Public social accounts on X, Instagram, TikTok, YouTube, Telegram, Bluesky and LinkedIn: whether they exist, how large they are, and the age of each answer. null is unknown, 0 was measured, absent is proven.

Calls need a key: \`Authorization: Bearer <key>\`. Agents connect to \`POST /mcp\` (Model Context Protocol) with the same key.

## Docs

- [Guide](${GUIDE_TEXT}): ${[...markdown.matchAll(/^## (.+)$/gm)].map(([, title]) => title).join('; ')}
- [OpenAPI](/v2/openapi.json): every operation with its parameters, answers and code
`;

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
files.push(
  { url: GUIDE, text: guidePage(markdown), type: 'text/html; charset=utf-8' },
  { url: GUIDE_TEXT, text: markdown, type: 'text/markdown; charset=utf-8' },
  { url: LLMS, text: llmsText(markdown), type: 'text/plain; charset=utf-8' },
);
parentPort?.postMessage(files);
