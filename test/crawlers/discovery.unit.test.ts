import { expect, test } from 'vitest';
import type { Reading } from '../../src/crawlers/platforms/adapter.ts';
import { mentionsOf } from '../../src/crawlers/recruiter.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { plainPost } from '../support/plain-post.ts';

const reading = (
  handle: string,
  bio: string | null,
  links: readonly string[] = [],
  posts: readonly string[] = [],
): Reading => ({
  status: 'present',
  profile: { ...emptyProfile(handle), bio, links: [...links] },
  posts: posts.map((text) => plainPost(text)),
  measured: [],
  surface: 'page',
  warnings: [],
});

const found = (platform: Platform, given: Reading) =>
  mentionsOf(given, platform).map((m) => `${m.via} ${m.platform}:${m.handle}`);

test('mentions are parsed by the grammar of their own platform', () => {
  const bio =
    'Hi @NASA, @esa. (@jaxa) me@mail.example @waytoolongforanyhandle @sample https://medium.com/@writer';
  expect(found('x', reading('sample', bio))).toEqual(['mention x:nasa', 'mention x:esa', 'mention x:jaxa']);
  expect(found('instagram', reading('sample', 'with @some.one. and @other'))).toEqual([
    'mention instagram:some.one',
    'mention instagram:other',
  ]);
  expect(found('x', reading('sample', 'with @some.one'))).toEqual(['mention x:some']);
  expect(found('bluesky', reading('sample.example', '@jay.bsky.team and @nobody'))).toEqual([
    'mention bluesky:jay.bsky.team',
  ]);
  expect(found('linkedin', reading('sample', 'with @somebody'))).toEqual([]);
});

test('links lead to accounts of any platform', () => {
  const links = [
    'https://www.youtube.com/@Kurzgesagt',
    'https://t.me/s/durov',
    'https://bsky.app/profile/jay.bsky.team',
    'https://www.linkedin.com/company/microsoft',
    'https://x.com/i/user/42',
    'https://x.com/home',
    'https://sample.example/',
  ];
  expect(found('tiktok', reading('sample', null, links))).toEqual([
    'link youtube:kurzgesagt',
    'link telegram:durov',
    'link bluesky:jay.bsky.team',
    'link linkedin:company:microsoft',
  ]);
});

test('posts name accounts too; each is listed once, and never the author', () => {
  const given = reading(
    'sample',
    'me: @sample, friend: @friend_1',
    ['https://x.com/Sample', 'https://x.com/friend_1'],
    ['@friend_1 see https://www.instagram.com/natgeo/?hl=en.', '@friend_2!'],
  );
  expect(found('x', given)).toEqual(['mention x:friend_1', 'mention x:friend_2', 'link instagram:natgeo']);
});

test('a reading of an unavailable account names no account', () => {
  expect(mentionsOf({ status: 'absent', surface: 'page', warnings: [] }, 'x')).toEqual([]);
});
