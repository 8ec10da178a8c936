import { describe, expect, it } from 'vitest';
import { free } from '../../../src/crawlers/http/transport.ts';

describe('freeing the memory of a buffer', () => {
  it('returns it at once, for any slice of the buffer', () => {
    const whole = Buffer.alloc(100_000, 'a');
    const slice = whole.subarray(50_000);
    free(slice);
    expect([whole.length, slice.length, whole.buffer.byteLength]).toEqual([0, 0, 0]);
  });

  it('leaves the shared pool alone', () => {
    const others = Buffer.from('others');
    const pooled = Buffer.allocUnsafe(20_000).fill('p');
    free(pooled);
    expect(others.toString()).toBe('others');
    expect(pooled.length).toBe(20_000);
  });

  it('may be repeated', () => {
    const whole = Buffer.alloc(100_000);
    free(whole);
    free(whole);
    expect(whole.length).toBe(0);
  });
});
