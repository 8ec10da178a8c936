import { type AddressInfo, createServer } from 'node:net';
import { SITES } from '../../infra/simulator/platforms/registry.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';
import { serve } from '../support/child.ts';
import { type Case, caseOf } from './cases.ts';
import { renderedBody } from './markup.ts';

/**
 * Pages rendered beforehand and sent from memory, so that serving costs as little as it can: requests are told apart
 * by their first line, answers are ready-made bytes.
 */
export interface SiteQuestion {
  readonly pages: number;
  readonly cases: readonly Case['name'][];
}

export interface SiteAnswer {
  readonly origin: string;
  readonly handles: Readonly<Record<string, readonly string[]>>;
  readonly meanBytes: Readonly<Record<string, number>>;
}

const AT = Date.UTC(2026, 9, 1);

const ROOT = '<div id="react-root">';

const withBody = (html: Buffer, body: string): Buffer =>
  Buffer.from(html.toString().replace(ROOT, () => ROOT + body));

const render = (name: Case['name'], max: number, answers: Map<string, Buffer>) => {
  const { platform, host, path, surface } = caseOf(name);
  const world = createWorld({ seed: 7, size: max * 12, clock: { now: () => AT } });
  const site = SITES[platform];
  const handles: string[] = [];
  let bytes = 0;
  for (let index = 0; index < world.size && handles.length < max; index++) {
    const account = world.account(platform, index, AT);
    const seen = site.visible(account).find((each) => each.surface === surface);
    if (seen?.status !== 'present' || account.status !== 'active' || account.quirks.size > 0) continue;
    const reply = site.serve(world, {
      method: 'GET',
      host,
      path: path(account.handle).split('?')[0] ?? '',
      query: new URLSearchParams(),
      headers: {},
      body: '',
      at: AT,
    });
    if (reply.status !== 200) continue;
    const html = Buffer.concat(reply.body.map((part) => Buffer.from(part)));
    const body = name === 'x-rendered' ? withBody(html, renderedBody(world, account, AT)) : html;
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n`;
    answers.set(`/${host}${path(account.handle)}`, Buffer.concat([Buffer.from(head), body]));
    handles.push(account.handle);
    bytes += body.length;
  }
  return { handles, meanBytes: Math.round(bytes / handles.length) };
};

const start = async ({ pages, cases }: SiteQuestion): Promise<SiteAnswer> => {
  const answers = new Map<string, Buffer>();
  const rendered = cases.map((name) => [name, render(name, pages, answers)] as const);
  const missing = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    let waiting = '';
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1');
      for (let end = waiting.indexOf('\r\n\r\n'); end >= 0; end = waiting.indexOf('\r\n\r\n')) {
        const path = decodeURIComponent(waiting.slice(4, waiting.indexOf(' ', 4)));
        waiting = waiting.slice(end + 4);
        socket.write(answers.get(path) ?? missing);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handles: Object.fromEntries(rendered.map(([name, { handles }]) => [name, handles])),
    meanBytes: Object.fromEntries(rendered.map(([name, { meanBytes }]) => [name, meanBytes])),
  };
};

if (import.meta.main) serve(start);
