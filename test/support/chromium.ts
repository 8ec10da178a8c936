import { existsSync } from 'node:fs';
import { startChromium } from '../../src/crawlers/browser/chromium.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium of this machine; undefined if it has none. */
export const CHROMIUM = PATHS.find((path) => existsSync(path));

if (CHROMIUM === undefined) console.log('skipped: Chromium is not installed, nothing is rendered');

export const isRoot = process.getuid?.() === 0;

/** Starts Chromium with its sandbox, or without one for root, who can't have any. */
export const startTestChromium = () =>
  startChromium({
    executable: CHROMIUM ?? '',
    userAgent: 'Sightline/0.1 (+https://example.org/contact)',
    sandbox: !isRoot,
    // Ends a start that hangs; a busy machine may take long.
    startMs: 600_000,
  });
