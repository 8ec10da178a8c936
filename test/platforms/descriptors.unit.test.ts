import { describe, expect, it } from 'vitest';
import { FIGURES_WINDOW_DAYS } from '../../src/analysis/account-figures.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { descriptorOf, platformNames, ripeMsOf } from '../../src/platforms/index.ts';

describe.each(PLATFORMS)('the descriptor of %s', (platform) => {
  const descriptor = descriptorOf(platform);
  const adapter = adapterOf(platform);

  it('says what its adapter can read', () => {
    expect(descriptor.platform).toBe(platform);
    expect(descriptor.follows !== undefined).toBe(adapter.readFollows !== undefined);
    expect(descriptor.isSearchable === true).toBe(adapter.visibility !== undefined);
    expect(descriptor.indirectUrl !== undefined).toBe(adapter.resolveUrl !== undefined);
  });

  it('lets posts ripen within half of the usual window, so that figures have a sample', () => {
    expect(ripeMsOf(platform)).toBeLessThanOrEqual((FIGURES_WINDOW_DAYS / 2) * 86_400_000);
  });

  it('accepts the names of its probes, and the addresses that it makes of them', () => {
    for (const name of adapter.probes) {
      expect(descriptor.parseHandle(name)).toBe(name);
      expect(descriptor.addressOf(new URL(descriptor.profileUrl(name)))).toEqual({
        kind: 'handle',
        handle: name,
      });
    }
  });
});

it('platforms are named as people write them', () => {
  expect(platformNames()).toMatch(/^X, .* and LinkedIn$/);
  expect(platformNames(['bluesky'])).toBe('Bluesky');
});
