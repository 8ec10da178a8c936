import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';

let home: TestHome;

beforeAll(async () => {
  home = await createTestHome({ PORT: '0' });
});

afterAll(() => home.remove());

const welcome = async (program: RunningProgram) => {
  await program.says(/The reference, to read and to try: (\S+)/, 120_000);
  const text = program.out();
  const key = /\n {2}(slk_[0-9A-Za-z]{38})\n/.exec(text)?.[1] ?? '';
  const urls = [...text.matchAll(/curl -s -H 'Authorization: Bearer (slk_\w+)' '(\S+)'/g)].map((m) => {
    expect(m[1]).toBe(key);
    return m[2] as string;
  });
  return { key, urls, docs: /The reference, to read and to try: (\S+)/.exec(text)?.[1] ?? '' };
};

/** Accounts read on all platforms, by the progress lines. */
const counts = (text: string): number[] =>
  [...text.matchAll(/ read {2}(.+)/g)].map((m) =>
    [...(m[1] ?? '').matchAll(/\w+ (\d+)/g)].reduce((sum, n) => sum + Number(n[1]), 0),
  );

describe('the demo', () => {
  it('crawls, prints a key and URLs that work, stops cleanly, and resumes at the next start', async () => {
    const first = home.start(['demo', '--size', '150']);
    const { key, urls, docs } = await welcome(first);
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status, url).toBe(200);
    }
    const check = await fetch(urls[0] as string, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await check.json()) as {
      data: { exists: boolean; followers: number; stale_s: number };
    };
    expect(data.exists).toBe(true);
    expect(data.followers).toBeGreaterThan(0);
    expect(data.stale_s).toBeGreaterThanOrEqual(0);
    expect((await fetch(docs)).status).toBe(200);
    expect((await readFile(join(home.home, 'demo-key'), 'utf8')).trim()).toBe(key);
    const read = counts(first.out());
    expect(read[0]).toBeLessThan(read.at(-1) as number);
    expect(await first.end('SIGINT')).toBe(0);
    expect(first.out()).toMatch(/Stopped\.\n$/);

    const second = home.start(['demo', '--size', '150']);
    const again = await welcome(second);
    expect(again.key).toBe(key);
    expect(counts(second.out())[0]).toBeGreaterThanOrEqual(read.at(-1) as number);
    expect(await second.end('SIGTERM')).toBe(0);
  });
});
