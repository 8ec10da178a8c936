import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { handleIn } from '../../src/platforms/index.ts';

const CHANNEL = `UC${'a'.repeat(22)}`;
const DID = `did:plc:${'a'.repeat(24)}`;

describe('the handle in the name of a stream', () => {
  it.each<[Platform, string]>([
    ['youtube', CHANNEL],
    ['bluesky', DID],
    ['bluesky', 'did:web:example.com'],
  ])('is null on %s for the native id %s', (platform, name) => {
    expect(handleIn(platform, name)).toBeNull();
  });

  it.each<[Platform, string]>([
    ['youtube', 'nasa'],
    // A handle in normal form is in small letters, also one that looks like an id.
    ['youtube', CHANNEL.toLowerCase()],
    ['youtube', DID],
    ['bluesky', 'nasa.bsky.social'],
    ['x', CHANNEL],
    ['linkedin', 'company:nasa'],
  ])('is the name itself on %s for %s', (platform, name) => {
    expect(handleIn(platform, name)).toBe(name);
  });
});
