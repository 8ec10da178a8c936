import { describe, expect, it } from 'vitest';
import { type SharedReads, sharedRead } from '../../../src/crawlers/live-read/reader.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';

const call = (untilMs: number) => ({ holder: 'h', requestId: 'r', untilMs });

const createSource = () => {
  const reads: SharedReads<string> = new Map();
  const begun: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = (untilMs: number) =>
    sharedRead(
      reads,
      'key',
      call(untilMs),
      () => 0,
      () => {
        return new Promise<string>((resolve, reject) => {
          begun.push({ end: resolve, fail: reject });
        });
      },
    );
  return { reads, begun, read };
};

describe('a caller that joins a read in progress', () => {
  it('waits no longer than its own deadline', async () => {
    const { begun, read } = createSource();
    const long = read(60_000);
    expect(await read(20).catch((error: ServiceError) => error.code)).toBe('platform_timeout');
    begun[0]?.end('done');
    expect(await long).toBe('done');
    expect(begun).toHaveLength(1);
  });

  it('starts its own if that one has far less time', async () => {
    const { begun, read } = createSource();
    const [short, long] = [read(10_000), read(60_000)];
    expect(begun).toHaveLength(2);
    begun[0]?.end('short');
    begun[1]?.end('long');
    expect(await Promise.all([short, long])).toEqual(['short', 'long']);
  });

  it('starts its own if that one ran out of its owner’s time, and not for other failures', async () => {
    const { begun, read } = createSource();
    const [first, second] = [read(9_000).catch(String), read(10_000)];
    begun[0]?.fail(new ServiceError('service_unavailable', 'late'));
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toHaveLength(2);
    begun[1]?.end('own');
    expect(await second).toBe('own');
    const both = [read(9_000), read(10_000)].map((each) => each.catch((error: ServiceError) => error.code));
    begun[2]?.fail(new ServiceError('platform_error', 'broken'));
    expect(await Promise.all(both)).toEqual(['platform_error', 'platform_error']);
    expect(begun).toHaveLength(3);
  });

  it('leaves nothing behind', async () => {
    const { reads, begun, read } = createSource();
    const done = read(10_000);
    begun[0]?.end('x');
    await done;
    expect(reads.size).toBe(0);
  });
});
