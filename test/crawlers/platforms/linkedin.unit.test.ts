import { describe, expect, test } from 'vitest';
import { companyFacts } from '../../../src/crawlers/platforms/linkedin/company.ts';
import { linkedin } from '../../../src/crawlers/platforms/linkedin/index.ts';
import { Fields } from '../../../src/crawlers/platforms/shared/field-reader.ts';
import { handle, parseWith, shown, verdict } from './pages.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const person = (body: string, more = {}) => parseWith(linkedin, 'person', 'sample', body, more);
const company = (body: string, more = {}) => parseWith(linkedin, 'company', 'company:sample', body, more);

test('a person is read, also on a country’s host', () => {
  const posting = {
    '@type': 'DiscussionForumPosting',
    url: 'https://www.linkedin.com/posts/sample_activity-7123456789012345678-abcd',
    datePublished: '2025-01-02T03:04:05.000Z',
    text: 'Hi',
    author: { url: 'https://at.linkedin.com/in/sample' },
  };
  const { profile, posts } = shown(
    person(s.linkedinPage([s.linkedinPerson(), posting]), { url: 'https://at.linkedin.com/in/sample' }),
  );
  expect(profile).toMatchObject({
    id: null,
    handle: 'sample',
    display_name: 'A Sample',
    followers: 1234,
    verified: null,
    created_at: null,
    bio: 'Hello\nthere',
    avatar_url: 'https://media.licdn.com/a',
  });
  expect(posts).toEqual([
    expect.objectContaining({ id: '7123456789012345678', at: '2025-01-02T03:04:05.000Z' }),
  ]);
});

test.for<[string, string, object, string]>([
  ['404 that says so', '<title>Profile Not Found | LinkedIn</title>', { status: 404 }, 'absent'],
  ['a bare 404', '', { status: 404 }, 'unknown:http_error'],
  ['the words with HTTP 200', '<title>Profile Not Found</title>', {}, 'unknown:layout_changed'],
  ['999', '<script>window.location.href="/authwall"</script>', { status: 999 }, 'unknown:challenge'],
  ['the auth wall', '<html>', { url: 'https://www.linkedin.com/authwall?trk=x' }, 'unknown:login_wall'],
  ['the log-in', '<html>', { url: 'https://www.linkedin.com/login' }, 'unknown:login_wall'],
  ['a checkpoint', '<html>', { url: 'https://www.linkedin.com/checkpoint/lg/x' }, 'unknown:challenge'],
  [
    'an unfollowed wall',
    '',
    { status: 302, headers: { location: 'https://www.linkedin.com/authwall' } },
    'unknown:login_wall',
  ],
  ['the guest home', '<html>', { url: 'https://www.linkedin.com/' }, 'unknown:login_wall'],
  [
    'a shim that leads to the wall',
    '<html><head><script>location.href="https://www.linkedin.com/authwall?x"</script></head></html>',
    {},
    'unknown:login_wall',
  ],
  ['a shim', '<html><head><script>run()</script></head></html>', {}, 'unknown:challenge'],
  [
    'somebody else',
    s.linkedinPage([s.linkedinPerson({ url: 'https://www.linkedin.com/in/other' })]),
    {},
    'unknown:layout_changed',
  ],
  [
    'several people, none the asked one',
    s.linkedinPage([s.linkedinPerson({ url: undefined }), s.linkedinPerson({ url: undefined })]),
    {},
    'unknown:layout_changed',
  ],
  [
    'an article with its author',
    s.linkedinPage([s.linkedinPerson(), s.linkedinPerson({ url: 'https://www.linkedin.com/in/other' })]),
    {},
    'present',
  ],
])('a page of LinkedIn is read for what it shows: %s', ([, body, more, expected]) => {
  expect(verdict(person(body, more))).toBe(expected);
});

test.for([
  [{ '@type': 'SocialMediaPosting', url: 'x' }, 'repost', null],
  [{ '@type': 'DiscussionForumPosting' }, 'repost', null],
  [{ '@type': 'WebPage', url: 'https://a.example' }, 'original', 'link'],
  [undefined, 'original', null],
] as const)('a post that shares %j is of the kind %s', ([sharedContent, kind, media]) => {
  const post = {
    '@type': 'DiscussionForumPosting',
    url: 'https://www.linkedin.com/posts/sample_activity-7000000000000000000-a',
    sharedContent,
  };
  expect(shown(person(s.linkedinPage([s.linkedinPerson(), post]))).posts).toMatchObject([{ kind, media }]);
});

describe('a company', () => {
  const more = `<h3 data-x class="a top-card-layout__first-subline b"> Software <span> Graz · 12,345 followers </span></h3>
    <section data-test-id="about-us"><dl><div><dt>Website</dt><dd><a>https://www.sample.example</a></dd></div>
    <div><dt> Industry </dt><dd> Software </dd></div><div><dt>Company size</dt><dd>11-50 employees</dd></div>
    <div><dt>Headquarters</dt><dd>Graz, Styria</dd></div><div><dt>Founded</dt><dd>1999</dd></div></dl></section>`;

  test('has followers below its name and facts in its list', () => {
    const { profile } = shown(company(s.linkedinPage([s.linkedinCompany], more)));
    expect(profile).toMatchObject({
      handle: 'company:sample',
      display_name: 'Sample Ltd',
      followers: 12_345,
      location: 'Graz, Styria',
      created_at: null,
      links: ['https://sample.example', 'https://www.sample.example'],
    });
    expect(companyFacts(more, new Fields())).toEqual({
      website: 'https://www.sample.example',
      industry: 'Software',
      size: '11-50 employees',
      headquarters: 'Graz, Styria',
      founded: '1999',
      specialties: null,
    });
  });

  test.for(['Setor', 'Branche', '業種', 'القطاع'])(
    'finds facts by the marks of rows, not by the label %s',
    (label) => {
      const row = (mark: string, value: string) =>
        `<div class="x" data-test-id="about-us__${mark}"><dt>${label}</dt><dd class="y">\n ${value}\n </dd></div>`;
      const link =
        '<a href="https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fa%2Eexample%2F&amp;x=y">a.example</a>';
      const rows = [
        row('website', link),
        row('industry', 'Saws'),
        row('size', '11-50'),
        row('headquarters', 'Graz'),
        row('foundedOn', '1999'),
        row('specialties', 'A, B'),
        row('organizationType', 'C'),
      ].join('');
      const reading = shown(
        company(
          s.linkedinPage([s.linkedinCompany], `<section data-test-id="about-us"><dl>${rows}</dl></section>`),
        ),
      );
      expect(reading.facts?.facts).toMatchObject({
        website: 'https://a.example/',
        industry: 'Saws',
        size: '11-50',
        headquarters: 'Graz',
        founded: '1999',
        specialties: ['A', 'B'],
      });
      expect(reading.warnings).toEqual([]);
    },
  );

  test('warns of a row with neither a known mark nor a known label', () => {
    const rows =
      '<div><dt>Setor</dt><dd>Saws</dd></div><div data-test-id="about-us__x"><dt>X</dt><dd>Y</dd></div>';
    const section = `<section data-test-id="about-us"><dl>${rows}</dl></section>`;
    const { warnings } = shown(company(s.linkedinPage([s.linkedinCompany], section)));
    expect(warnings).toEqual(['unknown label: "Setor"', 'unknown label: "X"']);
  });

  test.for<[string, number | null]>([
    ['Software Lisboa, Lisboa 21.034 seguidores', 21_034],
    ['Software · Wien · 12.345 Follower:innen', 12_345],
    ['Logiciels Paris, 75001 Île-de-France 1 234 abonnés', 1_234],
    ['ソフトウェア フォロワー 21,034人', 21_034],
    ['软件开发 北京 21,034 位关注者', 21_034],
    ['Oprogramowanie Kraków 12K obserwujących', 12_000],
    ['Ohjelmistot Helsinki 5 678 seuraajaa', 5_678],
    ['برمجيات ٢٬٣٤٥ متابعًا', 2_345],
    ['Szoftver Budapest, 12, 21 034 követő', 21_034],
    ['Szoftver Budapest 1 követő', 1],
    ['Szoftver Budapest 2 E követő', 2_000],
    ['Программы Москва 21 тыс. отслеживающих', 21_000],
    ['Software Praha 3 tis. sledujících', 3_000],
    ['Yazılım Ankara 12 B takipçi', 12_000],
    ['Yazılım Ankara 2 bin takipçi', 2_000],
    ['Software Madrid 34 millones de seguidores', 34_000_000],
    ['برمجيات 21 ألف متابع', 21_000],
    ['Ohjelmistot Helsinki 21 zz seuraajaa', null],
    ['Sagteware Kaapstad 999 volgelinge', null],
    ['Software Graz', null],
  ])('has followers at the end of its line, or warns of the word: %s', ([line, followers]) => {
    const subline = `<h3 class="top-card-layout__first-subline">${line}</h3>`;
    const reading = shown(company(s.linkedinPage([s.linkedinCompany], subline)));
    expect(reading.profile.followers).toBe(followers);
    expect(reading.warnings.length > 0).toBe(followers === null && /\d/.test(line));
  });

  test('has unknown facts where its page lacks them', () => {
    expect(shown(company(s.linkedinPage([s.linkedinCompany]))).profile).toMatchObject({
      followers: null,
      location: null,
    });
  });

  test('is not a person of the same name', () => {
    expect(verdict(person(s.linkedinPage([s.linkedinCompany])))).toBe('unknown:layout_changed');
    expect(linkedin.addressOf(new URL('https://www.linkedin.com/company/Sample/about'))).toEqual(
      handle('company:sample'),
    );
    expect(linkedin.addressOf(new URL('https://de.linkedin.com/in/J%C3%B6rg-1'))).toEqual(handle('jörg-1'));
  });
});

describe('facts of a page', () => {
  test('are a company’s texts as shown', () => {
    const section = `<section data-test-id="about-us"><dl><div><dt>Website</dt><dd>https://www.sample.example</dd></div>
      <div><dt>Industry</dt><dd>Software</dd></div><div><dt>Company size</dt><dd>11-50 employees</dd></div>
      <div><dt>Headquarters</dt><dd>Graz, Styria</dd></div><div><dt>Founded</dt><dd>1999</dd></div>
      <div><dt>Specialties</dt><dd>Saws, Bits &amp; Pieces, and Nails</dd></div></dl></section>`;
    const node = { ...s.linkedinCompany, address: { addressCountry: 'AT', addressLocality: 'Graz' } };
    expect(shown(company(s.linkedinPage([node], section))).facts).toEqual({
      kind: 'company',
      isWhole: true,
      facts: {
        slug: 'sample',
        name: 'Sample Ltd',
        description: null,
        industry: 'Software',
        size: '11-50 employees',
        employees: 12,
        headquarters: 'Graz, Styria',
        country: 'AT',
        founded: '1999',
        website: 'https://www.sample.example',
        specialties: ['Saws', 'Bits & Pieces', 'Nails'],
      },
    });
  });

  test('are incomplete for a company page without its section', () => {
    expect(shown(company(s.linkedinPage([s.linkedinCompany]))).facts).toMatchObject({
      isWhole: false,
      facts: { industry: null, employees: 12, specialties: null },
    });
  });

  test('are a person’s title, employer and country', () => {
    const node = s.linkedinPerson({
      jobTitle: ['Head of Saws', 'Owner'],
      worksFor: [
        { '@type': 'Organization', name: 'Acme', url: 'https://www.linkedin.com/company/Acme?trk=x' },
        { name: 'Other' },
      ],
      address: { addressCountry: { '@type': 'Country', name: 'Austria' }, addressLocality: 'Graz' },
    });
    expect(shown(person(s.linkedinPage([node]))).facts).toEqual({
      kind: 'person',
      isWhole: true,
      facts: {
        slug: 'sample',
        name: 'A Sample',
        title: 'Head of Saws',
        company: { name: 'Acme', slug: 'acme' },
        location: 'Graz',
        country: 'Austria',
      },
    });
  });

  test('are unknown for a person that LinkedIn masks', () => {
    const node = s.linkedinPerson({ jobTitle: ['********'], worksFor: [{ name: '*** ***' }] });
    expect(shown(person(s.linkedinPage([node]))).facts).toMatchObject({
      isWhole: false,
      facts: { title: null, company: null, location: null, country: null },
    });
  });
});

test('a read asks the surface for the kind of account', async () => {
  const http = stubHttp({
    '/company/sample': { body: s.linkedinPage([s.linkedinCompany]) },
    '/in/sample': { body: s.linkedinPage([s.linkedinPerson()]) },
  });
  expect((await linkedin.read(handle('company:sample'), { http, posts: true })).surface).toBe('company');
  expect((await linkedin.read(handle('sample'), { http, posts: true })).surface).toBe('person');
});
