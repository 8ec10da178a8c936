import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/kernel/logger.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../support/hidden-characters.ts';

it.each(['json', 'pretty'] as const)(
  'a line in the form %s has no hidden characters of strangers',
  async (form) => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
    try {
      const file = join(folder, 'log');
      const fd = openSync(file, 'w');
      const logger = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: form }, { fd });
      logger.warn({ name: WITH_ALL_HIDDEN, err: new Error(WITH_ALL_HIDDEN) }, WITH_ALL_HIDDEN);
      const line = await vi.waitFor(() => {
        const written = readFileSync(file, 'utf8');
        expect(written).toContain('abbb');
        return written;
      });
      closeSync(fd);
      expect(hiddenIn(line)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

describe('lines as JSON', () => {
  let folder: string;
  let fd: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
    fd = openSync(join(folder, 'log'), 'w');
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  const open = () => createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, { fd });
  /** All lines that were written, in text, once there are as many. */
  const lines = async (n: number): Promise<readonly string[]> => {
    vi.useRealTimers();
    const written = await vi.waitFor(() => {
      const found = readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(0, -1);
      expect(found.length).toBeGreaterThanOrEqual(n);
      return found;
    });
    vi.useFakeTimers();
    return written;
  };
  /** Names of the fields of a line, in order, as often as they stand there. */
  const namesOf = (line: string): readonly string[] =>
    [...line.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name ?? '');

  it('have each field once, whatever loggers and lines name alike', async () => {
    const logger = open().child({ projection: 'accounts' }).child({ engine: 'x' });
    logger.info({ projection: 'accounts', engine: 'x', n: 1 }, 'the same');
    logger.warn({ projection: 'posts', pid: 7, hostname: 'elsewhere', time: 1, level: 'x' }, 'others');
    logger.error(new Error('only an error'));
    const written = await lines(3);
    for (const line of written) expect(namesOf(line)).toEqual([...new Set(namesOf(line))]);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ projection: 'accounts', engine: 'x', n: 1 });
    expect(JSON.parse(written[1] ?? '')).toMatchObject({
      projection: 'accounts',
      line_projection: 'posts',
      line_pid: 7,
    });
  });

  it('report one outage once a minute each, with how often it was met, and lose no other failure', async () => {
    const logger = open();
    const fail = (engine: string, text: string) =>
      logger.warn({ engine, delay: Math.random(), err: text }, 'state unavailable');
    for (let second = 0; second < 100; second++) {
      for (const engine of ['x', 'tiktok']) fail(engine, 'refused');
      vi.advanceTimersByTime(1_000);
    }
    fail('x', 'another error');
    logger.warn({ engine: 'x' }, 'no failure');
    logger.warn({ engine: 'x' }, 'no failure');
    vi.advanceTimersByTime(200_000);
    fail('x', 'refused');
    const written = (await lines(10)).map((line) => JSON.parse(line));
    const about = (engine: string, err: string) =>
      written.filter((line) => line.engine === engine && line.err === err).map(({ repeated }) => repeated);
    expect(about('x', 'refused')).toEqual([undefined, 59, 40, undefined]);
    expect(about('tiktok', 'refused')).toEqual([undefined, 59, 40]);
    expect(about('x', 'another error')).toEqual([undefined]);
    expect(written.filter(({ msg }) => msg === 'no failure')).toHaveLength(2);
    expect(written).toHaveLength(10);
  });
});
