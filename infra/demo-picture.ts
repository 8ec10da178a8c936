import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * `npm run demo:picture`: runs the demo in a folder of its own, asks it once, and draws what a terminal shows of both into
 * `docs/demo.svg`.
 */

const OUT = new URL('../docs/demo.svg', import.meta.url);
const PROGRAM = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const PORT = '8080';
/** Lines of progress, and requests to try, that the picture has of many. */
const SHOWN = 4;
const COLUMNS = 122;
const LINE_HEIGHT = 17;
const MARGIN = 16;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const pictureOf = (lines: readonly string[]): string => {
  const [width, height] = [COLUMNS * 7.5 + 2 * MARGIN, lines.length * LINE_HEIGHT + 2 * MARGIN];
  const rows = lines.map((line, i) => {
    const color = line.startsWith('$') ? '#8fd18f' : '#dcdcdc';
    const y = MARGIN + (i + 1) * LINE_HEIGHT - 4;
    return `<text x="${MARGIN}" y="${y}" fill="${color}" xml:space="preserve">${escaped(line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12.4" role="img">
<title>The demo in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#1b1b1f"/>
${rows.join('\n')}
</svg>
`;
};

const folder = await mkdtemp(join(tmpdir(), 'sightline-picture-'));
const demo = spawn(process.execPath, [PROGRAM, 'demo'], {
  cwd: folder,
  env: { ...process.env, PORT, SIGHTLINE_HOME: undefined },
  stdio: ['ignore', 'pipe', 'pipe'],
});
const lines: string[] = [];
let url = '';
for await (const line of createInterface({ input: demo.stdout })) {
  lines.push(line);
  url = /'(http:\S+\/accounts\/x\/[^']+)'/.exec(line)?.[1] ?? url;
  if (line.startsWith('API reference')) break;
}
const key = /slk_\w+/.exec(lines.join('\n'))?.[0] ?? '';
const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).then((response) =>
  response.json(),
);
demo.kill('SIGTERM');
await new Promise((resolve) => demo.once('exit', resolve));
await rm(folder, { recursive: true, force: true });

const isProgress = (line: string): boolean => /^\d\d:\d\d:\d\d /.test(line);
const isRequest = (line: string): boolean => line.startsWith('  curl');
/** The last lines of progress and the first requests. */
const kept = new Set([...lines.filter(isProgress).slice(-SHOWN), ...lines.filter(isRequest).slice(0, SHOWN)]);
await writeFile(
  OUT,
  pictureOf(
    [
      '$ npm ci && npm run demo',
      ...lines.filter((line) => kept.has(line) || !(isProgress(line) || isRequest(line))),
      '',
      `$ curl -s -H "Authorization: Bearer $KEY" '${url}'`,
      ...JSON.stringify(answer, null, 2).split('\n'),
    ].map((line) => line.replaceAll(key, 'slk_…').replaceAll(folder, '.')),
  ),
);
