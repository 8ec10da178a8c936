import { describe, expect, test } from 'vitest';
import { youtube } from '../../../src/crawlers/platforms/youtube/index.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import { handle, parseWith, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const parse = (surface: string, body: string | object, more = {}) =>
  parseWith(youtube, surface, 'sample', body, more);

test('a page has the channel', () => {
  const reading = shown(parse('page', s.youtubePage(s.youtubeData())));
  expect(reading.profile).toEqual({
    ...emptyProfile('sample'),
    id: s.CHANNEL,
    display_name: 'A Sample',
    followers: 1200,
    following: null,
    posts: 7,
    verified: false,
    created_at: null,
    bio: 'Hello',
    avatar_url: 'https://yt3.ggpht.com/b',
    location: null,
    links: [],
  });
  expect(reading.posts).toBeNull();
});

test.for<[readonly string[], number | null, number | null]>([
  [['25m subscribers', '1.2K videos'], 25_000_000, 1_200],
  [['1.2K videos'], null, 1_200],
  [['1 subscriber'], 1, null],
  [['No subscribers', 'No videos'], 0, 0],
  [['1,2 Mio. Abonnenten', '337 Videos'], 1_200_000, 337],
  [['12 тыс. подписчиков', '5 видео'], 12_000, 5],
  [['チャンネル登録者数 3.4万人', '120 本の動画'], 34_000, 120],
  [['1,5 M de suscriptores', '7 vídeos'], 1_500_000, 7],
  [['1,2 k abonnés', '1 234 vidéos'], 1_200, 1_234],
  [['구독자 5.6만명', '동영상 12개'], 56_000, 12],
  [['something new', '12 of it'], null, null],
])('the parts %j are %j subscribers and %j videos', ([parts, followers, posts]) => {
  expect(shown(parse('browse', s.youtubeData(parts))).profile).toMatchObject({ followers, posts });
});

/** A header in the languages of YouTube: 25.6 million subscribers, and 1,200 videos. */
test.for([
  ['af', '25,6 m intekenare', '1,2 k video’s'],
  ['am', '25.6 ሚ ተመዝጋቢዎች', '1.2 ሺ ቪዲዮዎች'],
  ['ar', '25.6 مليون مشترك', '1.2 ألف فيديو'],
  ['az', '25,6 mln abunəçi', '1,2 min video'],
  ['be', '25,6 млн падпісчыкаў', '1,2 тыс. відэа'],
  ['bg', '25,6 млн. абонати', '1,2 хил. видеоклипа'],
  ['bn', '২.৫৬ কোটি সাবস্ক্রাইবার', '১.২ হা ভিডিও'],
  ['bs', '25,6 mil. pretplatnika', '1,2 hilj. videozapisa'],
  ['ca', '25,6 M de subscriptors', '1,2 k vídeos'],
  ['cs', '25,6 mil. odběratelů', '1,2 tis. videí'],
  ['da', '25,6 mio. abonnenter', '1,2 t videoer'],
  ['de', '25,6 Mio. Abonnenten', '1,2 Tsd. Videos'],
  ['el', '25,6 εκ. συνδρομητές', '1,2 χιλ. βίντεο'],
  ['en', '25.6M subscribers', '1.2K videos'],
  ['es', '25,6 M de suscriptores', '1,2 k videos'],
  ['et', '25,6 mln tellijat', '1,2 tuh videot'],
  ['eu', '25,6 M harpidedun', '1.200 bideo'],
  ['fa', '۲۵٫۶ میلیون مشترک', '۱٫۲ هزار ویدیو'],
  ['fi', '25,6 milj. tilaajaa', '1,2 t. videota'],
  ['fil', '25.6M subscriber', '1.2K na video'],
  ['fr', '25,6 M d’abonnés', '1,2 k vidéos'],
  ['gl', '25,6 M de subscritores', '1200 vídeos'],
  ['gu', '2.56 કરોડ સબ્સ્ક્રાઇબર', '1.2 હજાર વીડિયો'],
  ['hi', '2.56 क॰ सब्सक्राइबर', '1.2 हज़ार वीडियो'],
  ['hr', '25,6 mil. pretplatnika', '1,2 tis. videozapisa'],
  ['hu', '25,6 M feliratkozó', '1,2 E videó'],
  ['hy', '25,6 մլն բաժանորդ', '1,2 հզր տեսանյութ'],
  ['id', '25,6 jt subscriber', '1,2 rb video'],
  ['is', '25,6 m. áskrifendur', '1,2 þús. myndskeið'],
  ['it', '25,6 Mln di iscritti', '1200 video'],
  ['iw', '\u200f25.6M מנויים', '\u200f1.2K סרטונים'],
  ['ja', 'チャンネル登録者数 2560万人', '1200 本の動画'],
  ['ka', '25,6 მლნ გამომწერი', '1,2 ათ. ვიდეო'],
  ['kk', '25,6 млн жазылушы', '1,2 мың бейне'],
  ['km', 'អ្នកជាវ 25.6 លាន នាក់', 'វីដេអូ 1.2 ពាន់'],
  ['kn', '2.56ಕೋ ಸಬ್‌ಸ್ಕ್ರೈಬರ್‌ಗಳು', '1.2ಸಾ ವೀಡಿಯೊಗಳು'],
  ['ko', '구독자 2560만명', '동영상 1200개'],
  ['ky', '25,6 млн жазылуучу', '1,2 миң видео'],
  ['lo', 'ຜູ້ຕິດຕາມ 25.6 ລ້ານ ຄົນ', 'ວິດີໂອ 1.2 ພັນ ລາຍການ'],
  ['lt', '25,6 mln. prenumeratorių', '1,2 tūkst. vaizdo įrašų'],
  ['lv', '25,6 milj. abonentu', '1,2 tūkst. videoklipu'],
  ['mk', '25,6 мил. претплатници', '1,2 илј. видеа'],
  ['ml', '2.56 കോടി സബ്‌സ്ക്രൈബർമാർ', '1.2K വീഡിയോകൾ'],
  ['mn', '25.6 сая захиалагч', '1.2 мянга видео'],
  ['mr', '२.५६ कोटी सदस्य', '१.२ ह व्हिडिओ'],
  ['ms', '25.6J pelanggan', '1.2K video'],
  ['my', 'စာရင်းသွင်းသူ ၂၅.၆သန်း', 'ဗီဒီယို ၁.၂ထောင်'],
  ['ne', '२.५६ करोड सदस्य', '१.२ हजार भिडियो'],
  ['nl', '25,6 mln. abonnees', '1,2K video’s'],
  ['no', '25,6 mill. abonnenter', '1,2k videoer'],
  ['or', '2.56 କୋଟି ସବସ୍କ୍ରାଇବର', '1.2 ହଜାର ଭିଡିଓ'],
  ['pa', '2.56 ਕਰੋੜ ਸਬਸਕ੍ਰਾਈਬਰ', '1.2 ਹਜ਼ਾਰ ਵੀਡੀਓ'],
  ['pl', '25,6 mln subskrybentów', '1,2 tys. filmów'],
  ['pt', '25,6 mi de inscritos', '1,2 mil vídeos'],
  ['pt-PT', '25,6 M de subscritores', '1,2 mil vídeos'],
  ['ro', '25,6 mil. de abonați', '1,2 K videoclipuri'],
  ['ru', '25,6 млн подписчиков', '1,2 тыс. видео'],
  ['si', 'ග්‍රාහකයින් මි25.6', 'වීඩියෝ ද1.2'],
  ['sk', '25,6 mil. odberateľov', '1,2 tis. videí'],
  ['sl', '25,6 mio. naročnikov', '1,2 tis. videoposnetkov'],
  ['sq', '25,6 mln. abonues', '1,2 mijë video'],
  ['sr', '25,6 мил. пратилаца', '1,2 хиљ. видео снимака'],
  ['sr-Latn', '25,6 mil. pratilaca', '1,2 hilj. video snimaka'],
  ['sv', '25,6 mn prenumeranter', '1,2 tn videor'],
  ['sw', 'Watu milioni 25.6 wanaofuatilia', 'Video elfu 1.2'],
  ['ta', '2.56கோ சந்தாதாரர்கள்', '1.2ஆ வீடியோக்கள்'],
  ['te', '2.56కో మంది సభ్యులు', '1.2వే వీడియోలు'],
  ['th', 'ผู้ติดตาม 25.6 ล้าน คน', 'วิดีโอ 1.2 พัน รายการ'],
  ['tr', '25,6 Mn abone', '1,2 B video'],
  ['uk', '25,6 млн підписників', '1,2 тис. відео'],
  ['ur', '25.6 ملین سبسکرائبرز', '1.2 ہزار ویڈیوز'],
  ['uz', '25,6 mln obunachi', '1,2 ming ta video'],
  ['vi', '25,6 Tr người đăng ký', '1,2 N video'],
  ['zh-CN', '2560万位订阅者', '1200 个视频'],
  ['zh-TW', '2560萬 位訂閱者', '1200 部影片'],
  ['zu', '25.6M ababhalisile', '1.2K amavidiyo'],
] as const)('a header in %s is read: %s and %s', ([, subscribers, videos]) => {
  const { profile, warnings } = shown(parse('browse', s.youtubeData([subscribers, videos])));
  expect([profile.followers, profile.posts, warnings]).toEqual([25_600_000, 1_200, []]);
});

test.for(['12 xyz', '25,6 xyz subscribers', '1,2 mln abc videos', '3 mln xyz abc'])(
  'an unknown part of a header is unknown, with its words as a warning: %s',
  (text) => {
    const { profile, warnings } = shown(parse('browse', s.youtubeData([text])));
    expect([profile.followers, profile.posts]).toEqual([null, null]);
    expect(warnings).toEqual([`unknown label: ${JSON.stringify(text)}`]);
  },
);

test('fields of older headers say what they count in any language', () => {
  const header = {
    c4TabbedHeaderRenderer: {
      title: 'A Sample',
      subscriberCountText: { simpleText: '1,5 mln xyz' },
      videosCountText: { simpleText: '12 abc' },
    },
  };
  expect(shown(parse('browse', s.youtubeData([], { header }))).profile).toMatchObject({
    followers: 1_500_000,
    posts: 12,
  });
});

test.for<[string, object, number, unknown]>([
  [
    'a channel',
    { endpoint: { browseEndpoint: { browseId: s.CHANNEL } } },
    200,
    { address: { kind: 'id', id: s.CHANNEL } },
  ],
  [
    'the channel’s newer address',
    { endpoint: { urlEndpoint: { url: 'https://www.youtube.com/@Sample' } } },
    200,
    { address: handle('sample') },
  ],
  ['nothing', { error: { code: 404, status: 'NOT_FOUND' } }, 404, { address: null }],
  [
    'something else',
    { endpoint: { urlEndpoint: { url: 'https://www.youtube.com/feed/x' } } },
    200,
    { reason: 'layout_changed' },
  ],
  ['an error', {}, 503, { reason: 'http_error' }],
])('a former address of a channel leads to %s', async ([, reply, status, expected]) => {
  const http = stubHttp({ resolve_url: { body: JSON.stringify(reply), status } });
  expect(await youtube.resolveUrl?.('https://www.youtube.com/c/Sample', http)).toMatchObject(
    expected as object,
  );
  // An answer that names nothing may be another address's.
  expect(http.asked).toHaveLength('address' in (expected as object) && status === 404 ? 3 : 1);
});

test.for(['CHECK_CIRCLE_FILLED', 'AUDIO_BADGE', 'MUSIC_FILLED'])('%s is a badge', (badge) => {
  expect(shown(parse('browse', s.youtubeData([], {}, badge))).profile.verified).toBe(true);
});

test('older headers are read too', () => {
  const header = {
    c4TabbedHeaderRenderer: {
      title: 'A Sample',
      subscriberCountText: { simpleText: '1.5M subscribers' },
      videosCountText: { runs: [{ text: '1,234' }, { text: ' videos' }] },
      badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_VERIFIED_ARTIST' } }],
    },
  };
  expect(shown(parse('browse', s.youtubeData([], { header }))).profile).toMatchObject({
    followers: 1_500_000,
    posts: 1234,
    verified: true,
  });
});

test('everything is unknown that a page without a header does not show', () => {
  expect(shown(parse('browse', s.youtubeData([], { header: undefined }))).profile).toMatchObject({
    followers: null,
    posts: null,
    verified: null,
  });
});

test.for<[string, string, string | object, object, string]>([
  [
    'an alert of a channel that does not exist',
    'browse',
    s.youtubeAlert('This channel does not exist.'),
    {},
    'absent',
  ],
  ['a closed account', 'browse', s.youtubeAlert('This account is closed.'), {}, 'absent'],
  ['the same in short', 'page', s.youtubePage(s.youtubeAlert("This channel doesn't exist.")), {}, 'absent'],
  [
    'a termination',
    'browse',
    s.youtubeAlert('This account has been terminated for a violation.'),
    {},
    'suspended',
  ],
  [
    'a country',
    'browse',
    s.youtubeAlert('This channel is not available in your country.'),
    {},
    'unknown:region',
  ],
  [
    'an audience',
    'browse',
    s.youtubeAlert('This channel may be inappropriate for some users.'),
    {},
    'unknown:restricted',
  ],
  [
    'a removal of a channel',
    'browse',
    s.youtubeAlert('This channel was removed because it violated our Community Guidelines.'),
    {},
    'suspended',
  ],
  [
    'a removal of a playlist',
    'browse',
    s.youtubeAlert('This playlist was removed because it violated our policies.'),
    {},
    'unknown:layout_changed',
  ],
  ['another alert', 'browse', s.youtubeAlert('Something went wrong.'), {}, 'unknown:layout_changed'],
  ['no channel', 'browse', { responseContext: {} }, {}, 'unknown:layout_changed'],
  ['consent', 'page', '<form action="https://consent.youtube.com/save">', {}, 'unknown:challenge'],
  [
    'consent by address',
    'page',
    '',
    { url: 'https://consent.youtube.com/m?continue=x' },
    'unknown:challenge',
  ],
  [
    'sorry',
    'page',
    '',
    { status: 302, headers: { location: 'https://www.google.com/sorry/index?continue=x' } },
    'unknown:challenge',
  ],
  ['a page with 404', 'page', '', { status: 404 }, 'unknown:http_error'],
  ['429', 'browse', '', { status: 429 }, 'unknown:rate_limited'],
  ['data followed by code', 'page', s.youtubePage(s.youtubeData(), ';if(window.a){b("}")}'), {}, 'present'],
  ['NOT_FOUND', 'resolve_url', { error: { code: 404, status: 'NOT_FOUND' } }, { status: 404 }, 'absent'],
  ['a bare 404', 'resolve_url', '', { status: 404 }, 'unknown:http_error'],
  [
    'no channel behind it',
    'resolve_url',
    { endpoint: { urlEndpoint: { url: 'x' } } },
    {},
    'unknown:layout_changed',
  ],
  ['a feed with 404', 'feed', '', { status: 404 }, 'unknown:http_error'],
  [
    'an alert of a playlist',
    'page',
    s.youtubePage(s.youtubeAlert('The playlist does not exist.')),
    {},
    'unknown:layout_changed',
  ],
  ['a feed that is broken off', 'feed', s.youtubeFeed.slice(0, -20), {}, 'unknown:layout_changed'],
])('a page of YouTube is read for what it shows: %s on %s', ([, surface, body, more, expected]) => {
  expect(verdict(parse(surface, body, more))).toBe(expected);
});

test('a feed has the creation time and posts', () => {
  const { profile, posts } = shown(parse('feed', s.youtubeFeed));
  expect(profile).toMatchObject({ id: s.CHANNEL, created_at: '2013-07-09T20:17:20.000Z' });
  expect(posts).toEqual([
    expect.objectContaining({ id: 'abc_DEF-123', text: 'Cats & dogs', likes: 5, views: 0, media: 'video' }),
  ]);
});

test('handles of other scripts are decoded from their address', () => {
  const name = youtube.parseHandle('@Котики');
  expect(name).toBe('котики');
  expect(youtube.addressOf(new URL(youtube.profileUrl(name as string)))).toEqual(handle('котики'));
});

describe('read', () => {
  const full = { 'feeds/': { body: s.youtubeFeed }, '/@sample': { body: s.youtubePage(s.youtubeData()) } };

  test('adds the feed to the page', async () => {
    const reading = shown(await youtube.read(handle('sample'), { http: stubHttp(full), posts: true }));
    expect(reading).toMatchObject({
      surface: 'page',
      warnings: [],
      profile: { followers: 1200, created_at: '2013-07-09T20:17:20.000Z' },
    });
    expect(reading.posts).toHaveLength(1);
  });

  test('is not turned into absence by a missing feed', async () => {
    const reading = await youtube.read(handle('sample'), {
      http: stubHttp({ ...full, 'feeds/': { status: 404 } }),
      posts: true,
    });
    expect(reading.status).toBe('present');
    expect(reading.warnings.join()).toContain('feed');
  });

  test('resolves a name without a page, and proves its absence', async () => {
    const http = stubHttp({
      '/@sample': { status: 404 },
      resolve_url: { status: 404, body: '{"error":{"code":404,"status":"NOT_FOUND"}}' },
    });
    expect(verdict(await youtube.read(handle('sample'), { http, posts: true }))).toBe('absent');
  });

  test('browses a channel whose page is a wall', async () => {
    const http = stubHttp({
      '/@sample': { url: 'https://consent.youtube.com/m' },
      resolve_url: { body: JSON.stringify({ endpoint: { browseEndpoint: { browseId: s.CHANNEL } } }) },
      'v1/browse': { body: JSON.stringify(s.youtubeData()) },
      'feeds/': { body: s.youtubeFeed },
    });
    expect(shown(await youtube.read(handle('sample'), { http, posts: false })).surface).toBe('browse');
  });

  describe('behind an age gate', () => {
    const gate = (id: string) => ({
      responseContext: { serviceTrackingParams: [{ params: [{ key: 'browse_id', value: id }] }] },
      contents: { channelAgeGateRenderer: { channelTitle: 'A Sample' } },
    });
    const OTHER = `UC${'b'.repeat(22)}`;
    const resolve = { body: JSON.stringify({ endpoint: { browseEndpoint: { browseId: s.CHANNEL } } }) };
    const read = (answers: Parameters<typeof stubHttp>[0]) =>
      youtube.read(handle('sample'), {
        http: stubHttp({ resolve_url: resolve, 'feeds/': { status: 404 }, ...answers }),
        posts: false,
      });

    test('identifies the account by its handle’s channel', async () => {
      const reading = shown(await read({ '/@sample': { body: s.youtubePage(gate(s.CHANNEL)) } }));
      expect(reading).toMatchObject({ profile: { id: s.CHANNEL, handle: 'sample', bio: null } });
    });

    test.for<[string, Parameters<typeof stubHttp>[0]]>([
      ['of another channel', { '/@sample': { body: s.youtubePage(gate(OTHER)) } }],
      ['of no channel', { '/@sample': { body: s.youtubePage({ contents: gate(OTHER).contents }) } }],
      [
        'of a handle that leads nowhere',
        {
          '/@sample': { body: s.youtubePage(gate(s.CHANNEL)) },
          resolve_url: { status: 404, body: '{"error":{"code":404,"status":"NOT_FOUND"}}' },
        },
      ],
      [
        'that only the resolved id leads to',
        { '/@sample': { status: 503 }, 'v1/browse': { body: JSON.stringify(gate(s.CHANNEL)) } },
      ],
    ])('is inconclusive for %s', async ([, answers]) => {
      expect((await read(answers)).status).toBe('unknown');
    });
  });

  test('accepts a channel id', async () => {
    const http = stubHttp({ 'channel/UC': full['/@sample'], 'feeds/': full['feeds/'] });
    expect(
      shown(await youtube.read({ kind: 'id', id: s.CHANNEL }, { http, posts: true })).profile.handle,
    ).toBe('sample');
  });
});

describe('a channel that YouTube generates', () => {
  const id = s.CHANNEL;
  const microformat = { microformatDataRenderer: { urlCanonical: `https://www.youtube.com/channel/${id}` } };

  test('is read from the header of games', () => {
    const data = {
      header: {
        interactiveTabbedHeaderRenderer: {
          title: { simpleText: 'A Game' },
          description: { simpleText: 'About' },
          boxArt: { thumbnails: [{ url: '//yt3.ggpht.com/a', width: 10 }] },
          autoGenerated: { simpleText: 'Auto-generated by YouTube' },
        },
      },
      microformat,
    };
    expect(shown(parseWith(youtube, 'browse', id, data)).profile).toMatchObject({
      id,
      display_name: 'A Game',
      bio: 'About',
      avatar_url: 'https://yt3.ggpht.com/a',
      followers: null,
    });
  });

  test('is read from the header of topics and events', () => {
    const details = {
      title: { simpleText: 'A Topic' },
      subtitle: { simpleText: '74.2M subscribers' },
      avatar: { thumbnails: [{ url: 'https://yt3.ggpht.com/b', width: 10 }] },
      navigationEndpoint: { browseEndpoint: { browseId: id } },
    };
    const data = {
      header: {
        carouselHeaderRenderer: { contents: [{ other: {} }, { topicChannelDetailsRenderer: details }] },
      },
    };
    const { profile } = shown(parseWith(youtube, 'browse', id, data));
    expect(profile).toMatchObject({ id, display_name: 'A Topic', followers: 74_200_000 });
    // With metadata those of the header add to it.
    const whole = shown(parseWith(youtube, 'browse', 'sample', { ...s.youtubeData(), header: data.header }));
    expect(whole.profile).toMatchObject({
      handle: 'sample',
      display_name: 'A Sample',
      followers: 74_200_000,
    });
  });

  test('is not mistaken for another one', () => {
    const data = { header: { interactiveTabbedHeaderRenderer: { title: { simpleText: 'A Game' } } } };
    expect(
      verdict(
        parseWith(youtube, 'browse', id, {
          ...data,
          microformat: {
            microformatDataRenderer: { urlCanonical: `https://www.youtube.com/channel/UC${'b'.repeat(22)}` },
          },
        }),
      ),
    ).toBe('unknown:layout_changed');
    expect(verdict(parseWith(youtube, 'browse', id, data))).toBe('unknown:layout_changed');
  });
});
