/** Pictures of the demo's console for the documents: `npm run demo:console -- <link that the demo prints>`, with Chromium in BROWSER_EXECUTABLE. */

import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../docs/console/', import.meta.url));

/** Screens, with their pictures' names. */
const PICTURES = [
  ['tonight', '/', 'light'],
  ['engine', '/engines/x', 'dark'],
] as const;

const [link] = process.argv.slice(2);
const { BROWSER_EXECUTABLE: executablePath } = process.env;
if (link === undefined || executablePath === undefined) {
  console.error('Usage: BROWSER_EXECUTABLE=/usr/bin/chromium npm run demo:console -- <link>');
  process.exit(2);
}
const { origin } = new URL(link);
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
const context = await browser.newContext({ viewport: { width: 1_200, height: 760 } });
const page = await context.newPage();
await page.goto(link);
await page.getByRole('button', { name: 'Log in' }).click();
await page.getByRole('heading', { name: 'Tonight' }).waitFor();
for (const [name, path, colorScheme] of PICTURES) {
  await page.emulateMedia({ colorScheme });
  await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  console.log(`docs/console/${name}.png written.`);
}
await browser.close();
