import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { engineReportStream, engineStream } from '../../src/write/engines.ts';
import { followsStream } from '../../src/write/follows.ts';
import { poolStream } from '../../src/write/pools/pool.ts';
import { isOfPlatforms, platformOf, platformPrefixes } from '../../src/write/stream-platform.ts';

describe('the platform of a stream', () => {
  it('is in its name, for every category with platforms', () => {
    for (const platform of PLATFORMS) {
      const streams = [
        accountStream(platform, 'a:b-c'),
        followsStream(platform, 'nasa'),
        engineStream(platform),
        engineReportStream(platform),
      ];
      for (const stream of streams) expect(platformOf(stream), stream).toBe(platform);
    }
  });

  it('is none for a category without platforms, whatever the rest of its name', () => {
    for (const stream of [
      poolStream('x'),
      poolStream('seed-x'),
      'holder-x',
      'projection-accounts',
      'account',
    ]) {
      expect(platformOf(stream), stream).toBeNull();
    }
    expect(isOfPlatforms('pool-')).toBe(false);
  });

  it('is undefined for an unknown platform', () => {
    expect(platformOf('account-myspace:tom')).toBeUndefined();
    expect(platformOf('account-:tom')).toBeUndefined();
  });
});

describe('the prefixes of platforms', () => {
  it('cover exactly these platforms’ streams, and categories without platforms', () => {
    const prefixes = platformPrefixes(['account-', 'pool-'], ['x', 'tiktok']);
    const isCovered = (stream: string) => prefixes.some((prefix) => stream.startsWith(prefix));
    for (const platform of PLATFORMS) {
      const isWanted = platform === 'x' || platform === 'tiktok';
      expect(isCovered(accountStream(platform, 'nasa')), platform).toBe(isWanted);
    }
    expect(isCovered(poolStream('seed-instagram'))).toBe(true);
    expect(isCovered(followsStream('x', 'nasa'))).toBe(false);
  });
});
