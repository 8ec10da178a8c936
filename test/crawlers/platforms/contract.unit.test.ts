import { expect, test } from 'vitest';
import type { Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { adapterOf, adapters } from '../../../src/crawlers/platforms/registry.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { describePlatformAdapter, type PlatformCases } from '../../contracts/platform-adapter.ts';
import * as samples from './samples.ts';

const long = (n: number) => 'a'.repeat(n);
const BAD = ['', '@', 'a b', 'a/b', '../etc', 'a?b', 'a#b', 'a\nb', ' sample', '<b>'];

const json = JSON.stringify;

const CASES: Readonly<Record<Exclude<Platform, 'linkedin'>, PlatformCases>> = {
  x: {
    handle: 'sample',
    spellings: ['Sample', '@SAMPLE'],
    badHandles: [...BAD, long(21), 'a-b', 'a.b', 'ä'],
    samples: {
      page: samples.xPage(),
      syndication: samples.xTimeline([samples.xTweet()]),
      graphql: json(samples.xUser()),
    },
  },
  instagram: {
    handle: 'sample',
    spellings: ['Sample', '@sample'],
    badHandles: [...BAD, long(31), 'a-b', '.'],
    samples: {
      page: samples.instagramPage(samples.instagramUser()),
      web_profile_info: json(samples.instagramInfo()),
    },
  },
  tiktok: {
    handle: 'sample',
    spellings: ['Sample', '@sample'],
    badHandles: [...BAD, '1', '.', long(25), '12345', 'sample.', '.sample', 'a-b'],
    samples: {
      page: samples.tiktokPage(samples.tiktokDetail()),
      embed: samples.tiktokEmbed(),
      item_list: json(samples.tiktokItems([samples.tiktokItem('1', 1_700_000_000)])),
    },
  },
  youtube: {
    handle: 'sample',
    spellings: ['Sample', '@sample'],
    badHandles: [...BAD, 'ab', long(31)],
    samples: {
      page: samples.youtubePage(samples.youtubeData()),
      browse: json(samples.youtubeData()),
      resolve_url: json({ endpoint: { browseEndpoint: { browseId: samples.CHANNEL } } }),
      feed: samples.youtubeFeed,
    },
  },
  telegram: {
    handle: 'sample',
    spellings: ['Sample', '@SAMPLE'],
    badHandles: [...BAD, 'abc', long(33), '1abcd', '_abcd', 'ab-cd'],
    samples: {
      landing: samples.telegramLanding(samples.extra('1 234 subscribers')),
      preview: samples.telegramPreview(samples.telegramMessage('sample/5', '')),
    },
  },
  bluesky: {
    handle: 'sample.example',
    spellings: ['Sample.Example', '@sample.example'],
    badHandles: [...BAD, 'sample', 'sample.', '127.0.0.1', 'did:plc:short'],
    samples: {
      profile: json(samples.blueskyProfile()),
      feed: json({ feed: [samples.blueskyItem('3a')] }),
    },
  },
};

for (const [platform, cases] of Object.entries(CASES)) {
  describePlatformAdapter(adapterOf(platform as Platform), cases);
}

// LinkedIn's two surfaces are of two kinds of account.
const linkedin = adapterOf('linkedin');
const [person, company] = linkedin.surfaces;
if (person === undefined || company === undefined) throw new RangeError('LinkedIn has two surfaces');
describePlatformAdapter(
  { ...linkedin, surfaces: [person] },
  {
    handle: 'sample',
    spellings: ['Sample', '@sample'],
    badHandles: [...BAD, 'ab', long(101), 'a.b.c', 'company:'],
    samples: { person: samples.linkedinPage([samples.linkedinPerson()]) },
  },
);
describePlatformAdapter(
  { ...linkedin, surfaces: [company], profileUrlTemplate: 'https://www.linkedin.com/company/sample' },
  {
    handle: 'company:sample',
    spellings: ['Company:Sample'],
    badHandles: [...BAD, 'company:', 'company:a/b'],
    samples: { company: samples.linkedinPage([samples.linkedinCompany]) },
  },
);

test('the registry has every platform once, by its name', () => {
  expect(adapters.map(({ platform }) => platform)).toEqual([...PLATFORMS]);
});
