import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHome, curlLines, type RunningProgram, sendLine, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;

beforeAll(async () => {
  home = await createTestHome({ PORT: '0' });
});

afterAll(() => home.remove());

const welcome = async (program: RunningProgram) => {
  await program.says(/API reference, where you can try every endpoint: (\S+)/);
  const text = program.out();
  const key = /\n {2}(slk_[0-9A-Za-z]{38})\n/.exec(text)?.[1] ?? '';
  const lines = curlLines(text);
  for (const line of lines) expect(line.key).toBe(key);
  return { key, lines, docs: /API reference, where you can try every endpoint: (\S+)/.exec(text)?.[1] ?? '' };
};

/** Accounts read on all platforms, by the progress lines. */
const counts = (text: string): number[] =>
  [...text.matchAll(/ read {2}(.+)/g)].map((m) =>
    [...(m[1] ?? '').matchAll(/\w+ (\d+)/g)].reduce((sum, n) => sum + Number(n[1]), 0),
  );

describe('the demo', () => {
  let first: RunningProgram;
  let shown: Awaited<ReturnType<typeof welcome>>;
  let reached: number;
  beforeAll(async () => {
    first = home.start(['demo', '--size', '150']);
    shown = await welcome(first);
  });

  it('prints a request of each group, all of which are answered, and counts none of its own', async () => {
    const { lines } = shown;
    expect(lines.map(({ url }) => new URL(url).pathname.split('/')[2])).toEqual([
      'accounts',
      'directory',
      'scrape',
      'marketplace',
      'leads',
      'leads',
      'people',
      'insights',
      'research',
      'engines',
      'tools',
    ]);
    for (const line of lines) {
      const response = await until('it is answered in time', async () => {
        const answer = await sendLine(line);
        return answer.status !== 503 && answer;
      });
      expect(response.status, line.url).toBe(200);
      if (line === lines[0]) expect(response.headers.get('x-quota-used')).toBe('0');
    }
  });

  it('keeps its key in the home, which opens an account that was read', async () => {
    const { key, lines, docs } = shown;
    const check = await fetch(lines[0]?.url ?? '', { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await check.json()) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ exists: true, followers: expect.any(Number), stale_s: expect.any(Number) });
    expect(data.followers).toBeGreaterThan(0);
    expect((await fetch(docs)).status).toBe(200);
    expect((await readFile(join(home.home, 'demo-key'), 'utf8')).trim()).toBe(key);
  });

  it('shows that the crawl goes on, and stops cleanly', async () => {
    reached = await until('the progress lines show that the crawl goes on', () => {
      const read = counts(first.out());
      const last = read.at(-1) ?? 0;
      return (read[0] ?? 0) < last && last;
    });
    expect(await first.end('SIGINT')).toBe(0);
    expect(first.out()).toMatch(/Stopped\.\n$/);
  });

  it('resumes at the next start, with the same key', async () => {
    const second = home.start(['demo', '--size', '150']);
    expect((await welcome(second)).key).toBe(shown.key);
    const resumed = await until('the second run shows its progress', () => counts(second.out())[0]);
    expect(resumed).toBeGreaterThanOrEqual(reached);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('accepts a key of an older demo, and grants it the scopes that must be named', async () => {
    const old = await createTestHome({ PORT: '0' });
    try {
      await old.run(['holders', 'add', 'Demo', '--id', 'demo', '--plan', 'enterprise']);
      const issued = await old.run(['keys', 'issue', 'demo']);
      const kept = /slk_[0-9A-Za-z]{38}/.exec(issued.out)?.[0] ?? '';
      await writeFile(join(old.home, 'demo-key'), `${kept}\n`);
      const program = old.start(['demo', '--size', '150']);
      const { key, docs } = await welcome(program);
      expect(key).toBe(kept);
      const companies = await fetch(`${new URL(docs).origin}/v2/leads/linkedin/companies?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(companies.status).toBe(200);
      expect(await program.end('SIGTERM')).toBe(0);
    } finally {
      await old.remove();
    }
  });
});
