import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CHROMIUM } from '../../support/chromium.ts';
import { isReadable, ORDINARY_USER } from '../../support/ordinary-user.ts';

const MODULE = new URL('../../../src/crawlers/browser/chromium.ts', import.meta.url).href;

/** Renders a page in Chromium with its sandbox, and prints the page and the state of the renderers. */
const PROGRAM = `
import { readdirSync, readFileSync } from 'node:fs';
import { startChromium } from '${MODULE}';
const browser = await startChromium({ executable: '${CHROMIUM}', userAgent: 'Sightline', sandbox: true });
const document = {
  url: 'https://www.tiktok.com/@one', status: 200, headers: {}, bytes: 0,
  body: '<p id="p"></p><script>p.textContent = "run"</script>',
};
const signal = AbortSignal.timeout(60_000);
const scan = () => readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
  try {
    const status = readFileSync('/proc/' + pid + '/status', 'utf8');
    const command = readFileSync('/proc/' + pid + '/cmdline', 'utf8');
    const isOwn = Number(/^Uid:\\s+(\\d+)/m.exec(status)?.[1]) === process.getuid();
    if (!isOwn || !command.includes('--type=' + 'renderer')) return [];
    return [{
      pid,
      hasFilter: /^Seccomp:\\s+2/m.test(status),
      hasNamespace: /^NSpid:\\s+\\d+\\s+\\d+/m.test(status),
    }];
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return [];
    throw error;
  }
});
const rendering = browser.render({
  document, answer: async () => null, maxChars: 1e6, quietMs: 1_500, settleMs: 5_000, signal,
});
let isRendering = true;
rendering.finally(() => { isRendering = false; }).catch(() => undefined);
// A renderer sets its sandbox up while it starts: what counts is how it is later.
const seen = new Map();
while (isRendering) {
  for (const { pid, ...state } of scan()) seen.set(pid, { n: (seen.get(pid)?.n ?? 0) + 1, state });
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const renderers = [...seen.values()].filter(({ n }) => n >= 10).map(({ state }) => state);
const rendered = await rendering;
await browser.close();
console.log(JSON.stringify({ rendered, renderers }));
`;

describe.skipIf(CHROMIUM === undefined || !isReadable())('the sandbox of Chromium', () => {
  it('surrounds every renderer with a namespace and a filter of system calls', {
    tags: 'long',
  }, async () => {
    const args = ['--input-type=module', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      ...ORDINARY_USER,
      cwd: fileURLToPath(new URL('/', import.meta.url)),
      env: { PATH: process.env.PATH, HOME: '/tmp' },
    });
    const { rendered, renderers } = JSON.parse(stdout);
    expect(rendered.html).toContain('<p id="p">run</p>');
    expect(renderers.length).toBeGreaterThan(0);
    for (const renderer of renderers) expect(renderer).toEqual({ hasFilter: true, hasNamespace: true });
  });
});
