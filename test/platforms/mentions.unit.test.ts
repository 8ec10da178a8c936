import { expect, it } from 'vitest';
import { DIRECTORY_PLATFORMS, descriptorOf } from '../../src/platforms/index.ts';
import { handlesIn } from '../../src/platforms/mentions.ts';

it.each(DIRECTORY_PLATFORMS)('a name at a host is no handle of %s', (platform) => {
  const { parseHandle } = descriptorOf(platform);
  expect(handlesIn('me elsewhere: @someone@mastodon.example, or mail a@b.example', parseHandle)).toEqual([]);
  expect(handlesIn('with @someone.', parseHandle)).toEqual(
    [parseHandle('someone')].filter((handle) => handle !== null),
  );
});
