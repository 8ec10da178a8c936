import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Counter } from 'prom-client';
import { startChromium } from '../crawlers/browser/chromium.ts';
import { createRenderer } from '../crawlers/browser/renderer.ts';
import { createRenderingHttp } from '../crawlers/browser/rendering-http.ts';
import type { Transport } from '../crawlers/http/port.ts';
import type { Registry } from '../crawlers/platforms/registry.ts';
import { userAgentOf } from '../kernel/config.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Runtime } from './open-runtime.ts';

export interface BrowserOptions {
  /** True by default; tests that run as root have no sandbox. */
  readonly sandbox?: boolean;
}

/** @throws {OperatorError} `setting_invalid` */
const checkedExecutable = async (executable: string, sandbox: boolean): Promise<string> => {
  try {
    await access(executable, constants.X_OK);
  } catch (error) {
    throw new OperatorError('setting_invalid', `BROWSER_EXECUTABLE names no program: ${executable}`, {
      cause: error,
    });
  }
  if (sandbox && process.getuid?.() === 0) {
    throw new OperatorError(
      'setting_invalid',
      'BROWSER_EXECUTABLE is set, but the sandbox of Chromium does not work for root. Start Sightline as another user.',
    );
  }
  return executable;
};

/**
 * HTTP that renders pages with the configured browser; as it is if none is configured.
 * @throws {OperatorError} `setting_invalid` if there is no such program, or the user is root.
 */
export const withPageRendering = async (
  http: Transport,
  { config, logger, metrics }: Pick<Runtime, 'config' | 'logger' | 'metrics'>,
  registry: Registry,
  { sandbox = true }: BrowserOptions = {},
): Promise<Transport> => {
  if (config.BROWSER_EXECUTABLE === undefined) return http;
  const executable = await checkedExecutable(config.BROWSER_EXECUTABLE, sandbox);
  const userAgent = userAgentOf(config);
  const pages = new Counter({
    name: 'sightline_browser_pages_total',
    help: 'Pages rendered by browsers of this process, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
    registers: [metrics],
  });
  return createRenderingHttp({
    http,
    renderer: createRenderer({
      start: () => startChromium({ executable, userAgent, sandbox }),
      concurrency: config.BROWSER_PAGES,
      logger,
    }),
    hostsOf: registry.hostsOf,
    onPage: (platform, outcome) => pages.inc({ platform, outcome }),
  });
};
