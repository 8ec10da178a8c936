import { html, json } from './platforms/response.ts';
import type { Reply, SiteRequest } from './platforms/site.ts';

const SCRIPT = '/assets/page.js';
const DATA = '/assets/page.json';

/** A page that is empty until its script has asked for its content. */
const SHELL = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Loading…</title>
<link rel="stylesheet" href="/assets/page.css"><link rel="icon" href="/favicon.ico"></head>
<body><div id="app"><img src="/assets/logo.png" alt=""></div><noscript>Please enable JavaScript.</noscript>
<script src="${SCRIPT}"></script></body></html>`;

const PROGRAM = `(async () => {
  const answer = await fetch('${DATA}?page=' + encodeURIComponent(location.pathname));
  const { content } = await answer.json();
  const page = new DOMParser().parseFromString(content, 'text/html');
  document.head.replaceWith(page.head);
  document.body.replaceWith(page.body);
})();
`;

/** A site whose pages need JavaScript; its calls and its errors are as usual. */
export const scriptOnly = (request: SiteRequest, regular: (request: SiteRequest) => Reply): Reply => {
  if (request.path === SCRIPT)
    return { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: [PROGRAM] };
  if (request.path === DATA) {
    const page = regular({ ...request, path: request.query.get('page') ?? '/' });
    return page.status === 200
      ? json({ content: page.body.map(String).join('') })
      : json({ error: 'not_found' }, page.status);
  }
  const reply = regular(request);
  const isPage = reply.status === 200 && (reply.headers['content-type'] ?? '').startsWith('text/html');
  return isPage ? html(SHELL) : reply;
};
