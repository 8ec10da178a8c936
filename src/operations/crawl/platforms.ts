import type { Page } from '../../crawlers/http/port.ts';
import type { Address, PlatformAdapter, Reading, Surface } from '../../crawlers/platforms/adapter.ts';
import { adapterOf, adapters } from '../../crawlers/platforms/registry.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { handleIn, isInDirectory } from '../../platforms/index.ts';
import { factsOf } from '../../write/accounts/profile.ts';
import { inputText } from '../input-text.ts';
import { parsePlatform } from './read-accounts.ts';

export type PlatformDescription = ReturnType<typeof describePlatforms>[number];

/** The platforms: their surfaces, in order of preference, and the grammar of their handles. */
export const describePlatforms = () =>
  adapters.map((adapter) => ({
    platform: adapter.platform,
    name: adapter.name,
    in_directory: isInDirectory(adapter.platform),
    handle_pattern: adapter.handlePattern,
    profile_url: adapter.profileUrlTemplate,
    surfaces: adapter.surfaces.map(({ name, format }) => ({ name, format })),
    hosts: adapter.hosts,
  }));

/** A recorded answer of a platform: `body` is a file, or `-` for standard input. */
export interface ParseOptions {
  readonly handle: string;
  readonly body: string;
  readonly surface?: string;
  readonly status: string;
  readonly url?: string;
}

/**
 * Parses one recorded answer as the crawler would.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`, `argument_invalid`
 */
export const parseRecorded = async (
  platform: string,
  options: ParseOptions,
): Promise<Reading & { readonly platform: Platform }> => {
  const adapter = adapterOf(parsePlatform(platform));
  const address = addressNamed(adapter, options.handle);
  const status = statusFrom(options.status);
  const named = options.url === undefined ? null : urlFrom(options.url).href;
  const body = await inputText(options.body);
  const surfaces = candidates(adapter, options, body);
  const url = named ?? adapter.profileUrl(address.kind === 'handle' ? address.handle : address.id);
  const page: Page = { url, status, headers: {}, body, bytes: Buffer.byteLength(body) };
  const readings = surfaces.map((surface) => surface.parse(page, address));
  const reading = readings.find((each) => each.status !== 'unknown') ?? (readings[0] as Reading);
  return { ...reading, platform: adapter.platform };
};

export const printable = (reading: Reading & { readonly platform: Platform }) => {
  const shown = reading.status === 'present' || reading.status === 'private' ? reading : null;
  return {
    status: reading.status,
    account:
      shown === null
        ? null
        : {
            platform: reading.platform,
            id: shown.profile.id,
            handle: handleIn(reading.platform, shown.profile.handle),
            ...factsOf(shown.profile),
            first_seen_at: null,
            last_seen_at: null,
            status: shown.status === 'private' ? 'private' : 'active',
            previous_handles: [],
          },
    posts:
      shown?.posts?.map((post) => ({
        ...post,
        pinned: shown.pinned?.has(post.id) ?? null,
        coauthored: shown.coauthored?.has(post.id) ?? null,
      })) ?? null,
    reason: reading.status === 'unknown' ? reading.reason : null,
    warnings: warningsOf(reading),
    surface: reading.surface,
  };
};

const addressNamed = (adapter: PlatformAdapter, name: string): Address => {
  const id = adapter.isBareId(name) ? adapter.parseId(name) : null;
  if (id !== null) return { kind: 'id', id };
  const handle = adapter.parseHandle(name);
  if (handle !== null) return { kind: 'handle', handle };
  throw new OperatorError(
    'handle_invalid',
    `"${name}" is no handle on ${adapter.name}; give one that matches ${adapter.handlePattern}`,
  );
};

const statusFrom = (text: string): number => {
  if (/^[1-9]\d{2}$/.test(text)) return Number(text);
  throw new OperatorError('argument_invalid', `"${text}" is no HTTP status; give a number from 100 to 999`);
};

const urlFrom = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new OperatorError('argument_invalid', `"${text}" is no web address; give the URL of the page`);
};

const formatOf = (body: string): Surface['format'] => {
  const start = body.slice(0, 500).replace(/^\ufeff?\s+/, '');
  if (/^[[{]/.test(start)) return 'json';
  return /^(?:<\?xml|<feed|<rss)/.test(start) ? 'xml' : 'html';
};

/** The surfaces that may have answered: the named one, the address's, or any. */
const candidates = (adapter: PlatformAdapter, options: ParseOptions, body: string): readonly Surface[] => {
  const { surfaces } = adapter;
  if (options.surface !== undefined) {
    const named = surfaces.find(({ name }) => name === options.surface);
    if (named !== undefined) return [named];
    throw new OperatorError(
      'argument_invalid',
      `${adapter.name} has no surface "${options.surface}"; give one of: ${surfaces.map(({ name }) => name).join(', ')}`,
    );
  }
  const url = options.url === undefined ? null : urlFrom(options.url);
  const answering = url === null ? undefined : surfaces.find((surface) => surface.matches(url));
  if (answering !== undefined) return [answering];
  const format = formatOf(body);
  // Surfaces of the body's format come first. The others may read it as well.
  return surfaces.toSorted((a, b) => Number(b.format === format) - Number(a.format === format));
};

const UNNAMED =
  'The answer names no account: it proves this only together with further ones, as a crawl asks for them';

const warningsOf = (reading: Reading): readonly string[] => {
  if (reading.status === 'unknown') return [reading.detail, ...reading.warnings];
  return reading.unnamed === true ? [UNNAMED, ...reading.warnings] : reading.warnings;
};
