import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { entrySchema } from '../../../src/api/contract/schemas/directory.ts';
import { platformsCommand } from '../../../src/cli/commands/platforms.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import * as s from './samples.ts';

const dir = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(dir, { recursive: true }));

const file = (body: string | object): string => {
  const path = join(dir, `${Math.trunc(performance.now() * 1000)}.body`);
  writeFileSync(path, typeof body === 'string' ? body : JSON.stringify(body));
  return path;
};

let out = '';
let err = '';
beforeEach(() => {
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const run = (...args: string[]) => platformsCommand().parseAsync(args, { from: 'user' });

const parsed = async (...args: string[]) => {
  await run('parse', ...args);
  return JSON.parse(out) as {
    status: string;
    surface: string;
    account: Record<string, unknown> | null;
    posts: unknown;
    reason: unknown;
    warnings: string[];
  };
};

test('list shows all platforms, as a table and as JSON', async () => {
  await run('list');
  for (const name of ['instagram', 'telegram']) expect(out).toContain(name);
  out = '';
  await run('list', '--json');
  expect(JSON.parse(out)).toHaveLength(PLATFORMS.length);
  expect(out).toContain('web_profile_info');
});

test('parse prints no handle for a channel without one, on any surface', async () => {
  for (const body of [s.youtubeFeed, s.youtubeData([], { header: undefined, metadata: withoutHandle() })]) {
    out = '';
    const { account } = await parsed('youtube', '--handle', s.CHANNEL, '--body', file(body));
    expect(account).toMatchObject({ id: s.CHANNEL, handle: null });
  }
});

const withoutHandle = () => {
  const { vanityChannelUrl: _, ...metadata } = s.youtubeData().metadata.channelMetadataRenderer;
  return { channelMetadataRenderer: metadata };
};

test('parse prints an account with exactly the fields of a directory entry', async () => {
  const result = await parsed(
    'x',
    '--handle',
    '@Sample',
    '--body',
    file(s.xUser({ privacy: { protected: true } })),
  );
  expect(Object.keys(result)).toEqual(['status', 'account', 'posts', 'reason', 'warnings', 'surface']);
  expect(result).toMatchObject({
    status: 'private',
    surface: 'graphql',
    posts: null,
    reason: null,
    warnings: [],
  });
  expect(Object.keys(result.account ?? {})).toEqual(
    Object.keys(entrySchema.shape).filter((name) => name !== 'measured_at'),
  );
  expect(result.account).toMatchObject({
    platform: 'x',
    status: 'private',
    first_seen_at: null,
    previous_handles: [],
  });
});

test('parse prints no account where there is none, and why nothing is known', async () => {
  expect(await parsed('x', '--handle', 'sample', '--body', file({ data: {} }))).toMatchObject({
    status: 'absent',
    account: null,
    reason: null,
  });
  out = '';
  const unknown = await parsed('instagram', '--handle', 'sample', '--status', '429', '--body', file(''));
  expect(unknown).toMatchObject({ status: 'unknown', account: null, reason: 'rate_limited' });
});

test('parse is inconclusive for another account’s address, and warns if an answer names no account', async () => {
  const body = file('<html><title>Profile Not Found | LinkedIn</title></html>');
  const asked = (url: string) =>
    parsed('linkedin', '--handle', 'sample', '--status', '404', '--url', url, '--body', body);
  for (const url of ['https://www.linkedin.com/in/other', 'https://www.linkedin.com/consent']) {
    out = '';
    expect(await asked(url)).toMatchObject({ status: 'unknown' });
  }
  out = '';
  const own = await asked('https://www.linkedin.com/in/Sample/');
  expect(own).toMatchObject({ status: 'absent', reason: null });
  expect(own.warnings[0]).toContain('names no account');
});

describe('the parsed surface', () => {
  test.for<[string, string, string | object, string[], string]>([
    ['by name', 'telegram', s.telegramPreview(''), ['--surface', 'landing'], 'landing'],
    ['by address', 'telegram', s.telegramPreview(''), ['--url', 'https://t.me/s/sample'], 'preview'],
    ['by what reads the body', 'telegram', s.telegramPreview(''), [], 'preview'],
    ['by what reads the body', 'x', s.xTimeline([s.xTweet()]), [], 'syndication'],
    ['by format', 'youtube', s.youtubeFeed, [], 'feed'],
    ['by format', 'youtube', s.youtubeData(), [], 'browse'],
    ['as the first, where nothing tells', 'tiktok', { statusCode: 10202 }, [], 'page'],
  ])('is chosen for %s: %s', async ([, platform, body, options, surface]) => {
    expect((await parsed(platform, '--handle', 'sample', '--body', file(body), ...options)).surface).toBe(
      surface,
    );
  });
});

describe('a mistake in the command', () => {
  const body = file('');
  test.for<[string, string[]]>([
    ['The platforms are', ['myspace', '--handle', 'sample', '--body', body]],
    ['give one that matches', ['x', '--handle', 'not-a-handle', '--body', body]],
    ['give one of', ['x', '--handle', 'sample', '--surface', 'feed', '--body', body]],
    ['name a readable file', ['x', '--handle', 'sample', '--body', join(dir, 'none')]],
    ['give a number from 100 to 999', ['x', '--handle', 'sample', '--status', 'ok', '--body', body]],
    ['give the URL of the page', ['x', '--handle', 'sample', '--url', 'x.com', '--body', body]],
  ])('is reported in one line, with exit code 2: %s', async ([advice, args]) => {
    await run('parse', ...args);
    expect(process.exitCode).toBe(2);
    expect(out).toBe('');
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(advice);
  });
});
