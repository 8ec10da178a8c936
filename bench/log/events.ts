import { uuidV7 } from '../../src/kernel/ids.ts';
import type { NewEvent } from '../../src/write/log/port.ts';

/** A whole reading of an account: about 550 bytes of JSON, as most readings that change something are. */
export const readingData = (writer: number, n: number) => ({
  observed_at: new Date(1_795_000_000_000 + n * 1_000).toISOString(),
  source: 'crawler' as const,
  surface: 'page',
  status: 'active' as const,
  profile: {
    id: String(7_000_000_000 + writer * 1_000_000 + n),
    handle: `writer${writer}`,
    display_name: `Writer number ${writer}`,
    followers: 10_000 + n,
    following: 118,
    posts: 75 + n,
    verified: false,
    created_at: '2019-12-19T20:20:32.000Z',
    bio: 'Says in about a hundred characters what this account is about, and where else it can be found on the web.',
    avatar_url: 'https://pbs.example.com/profile_images/1321163587679784960/0ZxKlEKB_400x400.jpg',
    location: 'Lisbon, Portugal',
    links: ['https://www.example.org/about'],
  },
});

export const TYPE = 'AccountSighted';

export const newReading = (writer: number, n: number): NewEvent => ({
  id: uuidV7(Date.now()),
  type: TYPE,
  data: readingData(writer, n),
});

export const newReadings = (writer: number, from: number, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, i) => newReading(writer, from + i));
