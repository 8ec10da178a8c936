import { describe, expect, test } from 'vitest';
import { telegram } from '../../../src/crawlers/platforms/telegram/index.ts';
import { handle, parseWith, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const parse = (surface: string, body: string, more = {}) =>
  parseWith(telegram, surface, 'sample', body, more);

test.for<[string, number | null]>([
  [s.extra('1 474 933 subscribers'), 1_474_933],
  [s.extra('1\u202f234 subscribers'), 1234],
  [s.extra('1 subscriber'), 1],
  [s.extra('no subscribers'), 0],
  [s.extra('5 678 members, 123 online'), 5678],
  [s.extra('@sample'), null],
  [s.extra('@sample') + s.extra('12 subscribers'), 12],
  [s.extra('1 234 567 monthly users'), null],
  ['', null],
])('a landing page with %s has %j followers', ([extra, followers]) => {
  const reading = shown(parse('landing', s.telegramLanding(extra)));
  expect(reading.profile).toMatchObject({
    handle: 'sample',
    display_name: 'A Sample',
    followers,
    verified: false,
  });
  expect(reading.warnings).toEqual([]);
});

test('a landing page has a badge, a description with line breaks, and links without mentions', () => {
  const { profile } = shown(parse('landing', s.telegramLanding('', '<i class="verified-icon"> ✔</i>')));
  expect(profile).toMatchObject({
    display_name: 'A Sample',
    verified: true,
    bio: 'Hello @friend_1\nsee here',
    links: ['https://sample.example/x'],
    avatar_url: 'https://cdn4.telesco.pe/a.jpg',
  });
});

test.for<[string, string, object, string]>([
  ['nobody', s.telegramMissing, {}, 'absent'],
  ['nobody, broken off', s.telegramMissing.replace('</body></html>', ''), {}, 'unknown:layout_changed'],
  [
    'nobody, but to be indexed',
    s.telegramMissing.replace('noindex, nofollow', 'all'),
    {},
    'unknown:layout_changed',
  ],
  [
    'nobody by another name',
    s.telegramMissing.replace('domain=sample', 'domain=other_one'),
    {},
    'unknown:layout_changed',
  ],
  ['nobody with HTTP 500', s.telegramMissing, { status: 500 }, 'unknown:http_error'],
  [
    'somebody not to be indexed',
    s.telegramLanding('', '', '<meta name="robots" content="noindex">'),
    {},
    'present',
  ],
  [
    'another page not to be indexed',
    '<html><head><meta name="robots" content="noindex"></head><body></body></html>',
    {},
    'unknown:layout_changed',
  ],
  ['somebody else', s.telegramLanding(s.extra('@other_one')), {}, 'unknown:layout_changed'],
])('a page of Telegram is read for what it shows: %s', ([, body, more, expected]) => {
  expect(verdict(parse('landing', body, more))).toBe(expected);
});

test.for<[string, boolean]>([
  ['1 234 subscribers', false],
  ['12 monthly users', false],
  ['12 members, 3 online', false],
  ['12 abonentów', true],
])('a count with an unknown word is a warning: %s', ([text, isUnknown]) => {
  const landing = shown(parse('landing', s.telegramLanding(s.extra(text))));
  expect(landing.warnings).toEqual(isUnknown ? [`unknown label: ${JSON.stringify(text)}`] : []);
  const counter = text.replace(/^[\d ]+/, '');
  const preview = s.telegramPreview('').replace('>subscribers<', `>${counter}<`);
  const found = parse('preview', preview);
  if (!counter.includes('user') && !counter.includes('online'))
    expect(shown(found).warnings).toEqual(isUnknown ? [`unknown label: ${JSON.stringify(counter)}`] : []);
});

describe('preview', () => {
  test('has posts with views, reactions and kinds', () => {
    const body = s.telegramPreview(
      s.telegramMessage('sample/1', 'Channel created', 'service_message') +
        s.telegramMessage(
          'Sample/2',
          '<div class="tgme_widget_message_text js-message_text">One<br>two</div><span class="tgme_widget_message_views">37.2K</span><span class="tgme_reaction"><i class="emoji"><b>👍</b></i>12</span><span class="tgme_reaction"><i>5️⃣</i> 1.2K</span>',
        ) +
        s.telegramMessage(
          'sample/3',
          '<div class="tgme_widget_message_forwarded_from">x</div><a class="tgme_widget_message_photo_wrap"></a>',
        ) +
        s.telegramMessage(
          'sample/4',
          '<a class="tgme_widget_message_reply"><div class="tgme_widget_message_text js-message_reply_text">old</div></a><div class="tgme_widget_message_text js-message_text">new</div>',
        ) +
        s.telegramMessage('stranger/5', ''),
    );
    const { profile, posts } = shown(parse('preview', body));
    expect(profile).toMatchObject({
      followers: 1200,
      display_name: 'A Sample',
      created_at: '2023-02-28T08:09:50.000Z',
    });
    expect(
      posts?.map(({ id, kind, likes, views, text, media }) => [id, kind, likes, views, text, media]),
    ).toEqual([
      ['4', 'reply', null, null, 'new', 'none'],
      ['3', 'repost', null, null, null, 'photo'],
      ['2', 'original', 1212, 37_200, 'One\ntwo', 'none'],
    ]);
  });

  test.for<[string, string, string | null]>([
    ['a text', '<div class="tgme_widget_message_text">Hi</div>', 'none'],
    [
      'what it can’t show',
      '<div class="message_media_not_supported_wrap"><div class="message_media_not_supported"></div></div>',
      null,
    ],
    [
      'a text and what it can’t show',
      '<div class="message_media_not_supported"></div><div class="tgme_widget_message_text">Hi</div>',
      null,
    ],
    [
      'a video that is too large to be shown',
      '<a class="tgme_widget_message_video_player not_supported"><div class="message_media_not_supported"></div></a>',
      'video',
    ],
    ['neither text nor known media', '<div class="tgme_widget_message_newer"></div>', null],
    ['a poll', '<div class="tgme_widget_message_poll"></div>', 'other'],
  ])('has unknown media for a message with %s where they are not shown', ([, inner, media]) => {
    const body = s.telegramPreview(s.telegramMessage('sample/2', inner));
    expect(shown(parse('preview', body)).posts?.[0]?.media).toBe(media);
  });

  test('is read as a landing page if it was redirected there', () => {
    const reading = shown(
      parse('preview', s.telegramLanding(s.extra('@sample')), { url: 'https://t.me/sample' }),
    );
    expect(reading).toMatchObject({ surface: 'preview', posts: null });
  });
});

test('a read adds posts where they are wanted', async () => {
  const answers = {
    '/s/': { body: s.telegramPreview(s.telegramMessage('sample/2', '')) },
    't.me/sample': { body: s.telegramLanding(s.extra('1 234 subscribers')) },
  };
  const http = stubHttp(answers);
  const reading = shown(await telegram.read(handle('sample'), { http, posts: true }));
  expect(reading).toMatchObject({ surface: 'landing', profile: { followers: 1234 } });
  expect(reading.posts).toHaveLength(1);
  const bare = stubHttp(answers);
  expect(shown(await telegram.read(handle('sample'), { http: bare, posts: false })).posts).toBeNull();
  expect(bare.asked).toHaveLength(1);
});

test('a link behind words counts as a link, once if also written out, and not as a mention or hashtag', () => {
  const text = `<div class="tgme_widget_message_text js-message_text">Read <a href="https://a.example/one">this</a>,
    <a href="http://b.example/">b.example</a>, <a href="https://c.example/x">https://c.example/x</a>,
    <a href="https://t.me/friend_1">@friend_1</a> <a href="?q=%23news">#news</a> <a href="tg://resolve?domain=x">app</a></div>`;
  const { posts } = shown(
    parseWith(telegram, 'preview', 'sample', s.telegramPreview(s.telegramMessage('sample/5', text))),
  );
  expect(posts?.[0]).toMatchObject({ links: 3, mentions: ['friend_1'], hashtags: ['news'] });
});

test('a link counts inside nested text, and behind words that only look like a mention', () => {
  const text = `<div class="tgme_widget_message_text"><div class="tgme_widget_message_text js-message_text">
    <b><a href="https://a.example/one">this</a></b> <a href="https://b.example/">@home deals</a>
    <a href="https://c.example/">#1</a> <a href="https://t.me/Friend_1">@friend_1</a></div></div>`;
  const { posts } = shown(
    parseWith(telegram, 'preview', 'sample', s.telegramPreview(s.telegramMessage('sample/5', text))),
  );
  expect(posts?.[0]).toMatchObject({ links: 3 });
});
