import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, isRoot } from '../../support/chromium.ts';

const NOBODY = '65534';

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
const rendered = await browser.render({
  document, answer: async () => null, maxChars: 1e6, quietMs: 100, settleMs: 5_000, signal,
});
const renderers = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
  try {
    const status = readFileSync('/proc/' + pid + '/status', 'utf8');
    const command = readFileSync('/proc/' + pid + '/cmdline', 'utf8');
    const isOwn = Number(/^Uid:\\s+(\\d+)/m.exec(status)?.[1]) === process.getuid();
    if (!isOwn || !command.includes('--type=' + 'renderer')) return [];
    return [{
      hasFilter: /^Seccomp:\\s+2/m.test(status),
      hasNamespace: /^NSpid:\\s+\\d+\\s+\\d+/m.test(status),
    }];
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return [];
    throw error;
  }
});
await browser.close();
console.log(JSON.stringify({ rendered, renderers }));
`;

describe.skipIf(CHROMIUM === undefined)('the sandbox of Chromium', () => {
  it('is around every renderer, in a namespace and with a filter of system calls', async () => {
    const node = [process.execPath, '--input-type=module', '-e', PROGRAM];
    const [command = '', ...args] = isRoot
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...node]
      : node;
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: fileURLToPath(new URL('/', import.meta.url)),
      env: { PATH: process.env.PATH, HOME: '/tmp' },
    });
    const { rendered, renderers } = JSON.parse(stdout);
    expect(rendered.html).toContain('<p id="p">run</p>');
    expect(renderers.length).toBeGreaterThan(0);
    for (const renderer of renderers) expect(renderer).toEqual({ hasFilter: true, hasNamespace: true });
  });
});
