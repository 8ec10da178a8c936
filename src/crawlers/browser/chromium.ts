import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser as PlaywrightBrowser } from 'playwright-core';
import type { Browser } from './browser.ts';
import { renderIn } from './render-page.ts';

interface ProcessStatus {
  readonly pid: number;
  readonly parent: number;
  /** Anonymous and shared memory. */
  readonly ownBytes: number;
  /** Files, for the most part the program itself, which all its processes share. */
  readonly fileBytes: number;
}

const statusOf = async (pid: number): Promise<ProcessStatus | null> => {
  let text: string;
  try {
    text = await readFile(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    // It has ended since.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const number = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    pid,
    parent: number('PPid'),
    ownBytes: (number('RssAnon') + number('RssShmem')) * 1024,
    fileBytes: number('RssFile') * 1024,
  };
};

/**
 * Resident memory of a process and its descendants in bytes; file pages, which they share, are counted once. Null
 * without procfs, or if the process has ended.
 */
const treeMemoryBytes = async (root: number): Promise<number | null> => {
  if (process.platform !== 'linux') return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(statusOf))).filter((status) => status !== null);
  const tree = new Set([root]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const own = all.filter(({ pid }) => tree.has(pid));
  if (own.length === 0) return null;
  return (
    own.reduce((sum, { ownBytes }) => sum + ownBytes, 0) + Math.max(...own.map(({ fileBytes }) => fileBytes))
  );
};

export interface ChromiumOptions {
  readonly executable: string;
  readonly userAgent: string;
  /** False only where Chromium can't have one, as for root. */
  readonly sandbox: boolean;
  /** Time for its start. */
  readonly startMs?: number;
}

/** The browser reaches no network: every request is answered by the program, or fails. */
const OFFLINE = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // Addresses in digits are not looked up: they go to a proxy that does not exist.
  '--proxy-server=http://offline.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy',
];

const SMALL = [
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-dev-shm-usage',
  '--disable-remote-fonts',
  '--blink-settings=imagesEnabled=false',
  '--js-flags=--max-old-space-size=256',
];

/** Starts Chromium with a limit of memory for each of its processes. */
const LIMITED = fileURLToPath(new URL('limited-chromium.sh', import.meta.url));

const START_MS = 10_000;
const CLOSE_MS = 2_000;

/** Starts Chromium with an environment of its own: none of the program's variables are passed on. */
export const startChromium = async (options: ChromiumOptions): Promise<Browser> => {
  // Loaded when needed: most processes never render a page.
  const { chromium } = await import('playwright-core');
  const home = await mkdtemp(join(tmpdir(), 'sightline-browser-'));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 5 });
  let browser: PlaywrightBrowser;
  let pid: number;
  try {
    browser = await chromium.launch({
      executablePath: process.platform === 'linux' ? LIMITED : options.executable,
      chromiumSandbox: options.sandbox,
      args: [...OFFLINE, ...SMALL],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: home,
        LANG: 'C.UTF-8',
        CHROMIUM: options.executable,
      },
      timeout: options.startMs ?? START_MS,
      // The program stops its browsers itself.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    pid = await pidOf(browser);
  } catch (error) {
    await removeHome();
    throw error;
  }
  const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  const kill = (): void => {
    if (!browser.isConnected()) return;
    try {
      // Playwright starts it as the leader of a process group.
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return {
    render: (visit) => renderIn(browser, visit, options.userAgent),
    isRunning: () => browser.isConnected(),
    memoryBytes: () => treeMemoryBytes(pid),
    kill,
    close: async () => {
      const patience = setTimeout(kill, CLOSE_MS);
      await browser.close();
      await ended;
      clearTimeout(patience);
      await removeHome();
    },
  };
};

const pidOf = async (browser: PlaywrightBrowser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main === undefined) throw new Error('Chromium does not report its process');
  await session.detach();
  return main.id;
};
