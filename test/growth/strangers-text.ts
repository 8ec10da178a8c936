import { Readable } from 'node:stream';
import { mentionsOf } from '../../src/crawlers/discovery.ts';
import { decode } from '../../src/crawlers/http/body.ts';
import { redactBody, redactUrl } from '../../src/crawlers/http/redact.ts';
import { findCode } from '../../src/crawlers/live-read/ownership.ts';
import { marksOf, ownPosts } from '../../src/crawlers/platforms/instagram/media.ts';
import { parseMeta } from '../../src/crawlers/platforms/instagram/page-meta.ts';
import { companyFacts, sublineOf } from '../../src/crawlers/platforms/linkedin/company-facts.ts';
import { adapters } from '../../src/crawlers/platforms/registry.ts';
import { assignedJson } from '../../src/crawlers/platforms/shared/assigned-json.ts';
import { isChallenge } from '../../src/crawlers/platforms/shared/block-detection.ts';
import {
  linkedData,
  parseEmbedded,
  scriptById,
  scriptsOf,
  titleOf,
} from '../../src/crawlers/platforms/shared/embedded-json.ts';
import { Fields } from '../../src/crawlers/platforms/shared/field-reader.ts';
import { findElements } from '../../src/crawlers/platforms/shared/html-elements.ts';
import { decodeEntities } from '../../src/crawlers/platforms/shared/html-entities.ts';
import { linksOf } from '../../src/crawlers/platforms/shared/links.ts';
import { handlesIn } from '../../src/crawlers/platforms/shared/mentions.ts';
import { metaTags } from '../../src/crawlers/platforms/shared/meta-tags.ts';
import { parseCount } from '../../src/crawlers/platforms/shared/parse-count.ts';
import { parseInstant } from '../../src/crawlers/platforms/shared/parse-date.ts';
import { tagsInText } from '../../src/crawlers/platforms/shared/post-tags.ts';
import { isShell } from '../../src/crawlers/platforms/shared/shell.ts';
import { canonicalLink } from '../../src/kernel/canonical-link.ts';
import { spreadsheetCsv } from '../../src/kernel/csv.ts';
import { isKey, isStorable, keyOf, storable, trimmedEnd, truncated } from '../../src/kernel/text.ts';
import { urlsIn } from '../../src/kernel/urls-in-text.ts';
import { csvRecords } from '../../src/operations/marketplace/csv-records.ts';
import { linesOf } from '../../src/operations/marketplace/lines.ts';
import { ndjsonRecords } from '../../src/operations/marketplace/ndjson-records.ts';
import { accountOfUrl, POST_PLATFORMS, postOfUrl } from '../../src/platforms/index.ts';
import { wordKeys, wordsOfEntry } from '../../src/projections/views/directory/words.ts';
import { classifyTitle } from '../../src/projections/views/leads/titles/classify-title.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { parseRecords } from '../../src/write/marketplace/parse-records.ts';
import { isDisclaimed, nameKey, readName, relateNames } from '../../src/write/people/names.ts';
import { pictureOf } from '../../src/write/people/picture.ts';
import { targetsOf } from '../../src/write/people/targets.ts';
import type { Work } from './growth.ts';

/** Reads a file in chunks, as an import does. */
const inChunks =
  (read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<unknown>): Work =>
  async (text) => {
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
      bytes.subarray(n * 65_536, (n + 1) * 65_536),
    );
    for await (const _ of read(Readable.from(chunks)));
  };

const parseHandle = (name: string): string | null => (/^\w{1,15}$/.test(name) ? name.toLowerCase() : null);

const reading = (bio: string) => ({
  status: 'present' as const,
  profile: { ...emptyProfile('sample'), bio },
  posts: null,
  measured: [],
  surface: 'page',
  warnings: [],
});

const pageOf = (url: string, body: string) => ({
  url,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body,
  bytes: body.length,
});

/** Parsers of whole pages and answers, on a text as their body. */
const surfaceWorks: Readonly<Record<string, Work>> = Object.fromEntries(
  adapters.flatMap((adapter) => {
    const handle = adapter.platform === 'bluesky' ? 'sample.example' : 'sample';
    return adapter.surfaces.map((surface) => [
      `${adapter.platform} ${surface.name}`,
      (text: string) => surface.parse(pageOf(adapter.profileUrl(handle), text), { kind: 'handle', handle }),
    ]);
  }),
);

/**
 * Functions that go through strangers' text, by their file below `src`. A file that searches text and is not here has to
 * be in `NO_STRANGERS`, which a test holds.
 */
export const FUNCTIONS: Readonly<Record<string, Readonly<Record<string, Work>>>> = {
  'crawlers/platforms': surfaceWorks,
  'crawlers/discovery.ts': { mentionsOf: (text) => mentionsOf(reading(text), 'x') },
  'crawlers/live-read/ownership.ts': {
    findCode: (text) => findCode(reading(text), new Set(['sl-0000-0000-0000'])),
  },
  'crawlers/http/body.ts': { decode: (text) => decode(Buffer.from(text), 'text/html') },
  'crawlers/http/redact.ts': {
    redactBody,
    // An address comes in a header, all of which have 16 KiB.
    redactUrl: (text) => redactUrl(`https://a.example/?q=${text.slice(0, 16_384)}`),
  },
  'crawlers/platforms/linkedin/company-facts.ts': {
    companyFacts: (text) => companyFacts(text, new Fields()),
    sublineOf,
  },
  'crawlers/platforms/shared/assigned-json.ts': {
    assignedJson: (text) => assignedJson(text, 'ytInitialData'),
  },
  'crawlers/platforms/shared/block-detection.ts': { isChallenge },
  'crawlers/platforms/shared/embedded-json.ts': {
    titleOf,
    parseEmbedded,
    linkedData,
    scriptById: (text) => scriptById(text, '__NEXT_DATA__'),
    scriptsOf: (text) => [...scriptsOf(text)].length,
  },
  'crawlers/platforms/shared/html-elements.ts': {
    findElements: (text) => findElements(text, new Set(['tgme_page', 'c', '<a', '<div'])),
  },
  'crawlers/platforms/shared/html-entities.ts': { decodeEntities },
  'crawlers/platforms/shared/links.ts': {
    linksOf: (text) => linksOf([`https://a.example/${text}`]),
  },
  'crawlers/platforms/shared/mentions.ts': { handlesIn: (text) => handlesIn(text, parseHandle) },
  'crawlers/platforms/shared/meta-tags.ts': { metaTags },
  'crawlers/platforms/shared/parse-count.ts': { parseCount },
  'crawlers/platforms/shared/parse-date.ts': { parseInstant },
  'crawlers/platforms/shared/post-tags.ts': { tagsInText: (text) => tagsInText(text, parseHandle) },
  'crawlers/platforms/shared/shell.ts': { isShell: (text) => isShell(pageOf('https://a.example/', text)) },
  'crawlers/platforms/instagram/page-meta.ts': {
    parseMeta: (text) => parseMeta(text, { kind: 'handle', handle: 'ann' }),
    'parseMeta of figures': (text) =>
      parseMeta(
        `<meta property="og:title" content="Ann (@ann)"><meta property="og:description" content="5 Followers, ${text} - x">${text}"profile_id":"1"`,
        { kind: 'handle', handle: 'ann' },
      ),
  },
  'crawlers/platforms/instagram/media.ts': {
    'pinned posts': (text) => {
      const author = { handle: 'sample', id: null };
      const nodes = Array.from({ length: text.length / 64 }, (_, n) => ({
        code: `code${n}`,
        pinned_for_users: [{}],
      }));
      return [marksOf(nodes, author), ownPosts(nodes, author, new Fields())];
    },
  },
  'crawlers/platforms/youtube/feed.ts': { feed: surfaceWorks['youtube feed'] as Work },
  'crawlers/platforms/bluesky/feed.ts': {
    facets: (text) => surfaceWorks['bluesky feed']?.(JSON.stringify(facetted(text))),
  },
  'kernel/canonical-link.ts': { canonicalLink: (text) => canonicalLink(`https://a.example/${text}`) },
  'kernel/csv.ts': { spreadsheetCsv: (text) => spreadsheetCsv([[text]]) },
  'kernel/text.ts': {
    isStorable,
    storable,
    isKey,
    keyOf: (text) => keyOf(text, 100),
    truncated: (text) => truncated(text, 100),
    trimmedEnd: (text) => trimmedEnd(text, './ '),
  },
  'kernel/urls-in-text.ts': {
    urlsIn,
    'urlsIn one': (text) => urlsIn(`https://a.example/${text}`),
  },
  'operations/marketplace/csv-records.ts': {
    csvRecords: inChunks((chunks) => csvRecords(withHeader(chunks))),
  },
  'operations/marketplace/lines.ts': { linesOf: inChunks(linesOf) },
  'operations/marketplace/ndjson-records.ts': { ndjsonRecords: inChunks(ndjsonRecords) },
  'projections/views/leads/titles/classify-title.ts': { classifyTitle },
  'projections/views/leads/titles/lexicon.ts': { classifyTitle },
  'platforms/index.ts': {
    accountOfUrl: (text) => accountOfUrl(new URL(`https://www.linkedin.com/in/${encodeURIComponent(text)}`)),
    postOfUrl: (text) => {
      for (const platform of POST_PLATFORMS)
        for (const host of ['x.com', 'www.tiktok.com', 't.me', 'bsky.app/profile'])
          postOfUrl(platform, new URL(`https://${host}/${encodeURIComponent(text)}/status/${text.length}`));
    },
  },
  'write/people/names.ts': {
    'names that are compared': (text) => relateNames(readName(text), readName(`${text} a`)),
    nameKey: (text) => nameKey(readName(text)),
    isDisclaimed,
  },
  'projections/views/directory/words.ts': {
    wordsOfEntry: (text) => wordsOfEntry(text, text),
    wordKeys,
  },
  'write/people/picture.ts': {
    pictureOf,
    'pictureOf one': (text) => pictureOf(`https://a.example/${text}!`),
  },
  'write/people/targets.ts': {
    targetsOf: (text) => targetsOf('x', { links: [`https://a.example/${text}`], bio: text }),
  },
  'write/marketplace/parse-records.ts': { parseRecords: (text) => attempt(() => parseRecords(text)) },
};

/** A post whose facets all point to its whole text. */
const facetted = (text: string) => ({
  feed: [
    {
      post: {
        uri: `at://did:plc:${'a'.repeat(24)}/app.bsky.feed.post/1`,
        author: { did: `did:plc:${'a'.repeat(24)}`, handle: 'sample.example' },
        record: {
          text,
          facets: Array.from({ length: text.length / 64 }, () => ({
            index: { byteStart: 0, byteEnd: text.length },
            features: [{ $type: 'app.bsky.richtext.facet#mention', did: `did:plc:${'a'.repeat(24)}` }],
          })),
        },
      },
    },
  ],
});

async function* withHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('id,title\n');
  yield* chunks;
}

const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** What texts repeat: characters, markup that opens and never closes, beginnings of what parsers look for. */
export const PUMPS: readonly string[] = [
  'a',
  '0',
  ' ',
  '\n',
  '\r',
  '.',
  ')',
  '(',
  '"',
  '\\',
  '&',
  '&amp;',
  '<',
  '>',
  '[',
  '{',
  '{"a":',
  '@',
  '@a ',
  '#a',
  '#',
  '0,',
  'https://',
  'https://a.example/ ',
  'http://a.',
  '<a>',
  '<a href="',
  '<div class="c">x',
  '<div class="tgme_page">x',
  '</b>',
  '<script',
  '<script>',
  '<script></script>',
  '<SCRIPT></SCRIPT>',
  '<script type="application/ld+json">{}</script>',
  '<script id="__NEXT_DATA__"',
  'ytInitialData',
  'ytInitialData={',
  "ytInitialData='",
  'ytInitialData = {"a":"',
  '<title',
  '<title>',
  '<!--',
  '<![CDATA[',
  '<meta ',
  '<meta property="og:title" content="x">',
  '<link rel="canonical" href="',
  '<body>',
  '</body>',
  '<html>',
  'xig_user_by_username',
  '<dl',
  'about-us<dl',
  'top-card-layout__first-subline',
  '<feed>',
  '<entry>',
  '"a\n',
  '"',
  '"a,b\n',
  '\r\n',
  '𝒜',
  '\u0301',
  '\uFDFA',
  'tg://resolve?domain=a',
  'sl-0000-0000-0000 ',
  'profile not found',
  'og:url ',
  '<tgme_page',
];

/** Halves of a text: what opens in the first is not closed in the second. */
export const HALVES: readonly (readonly [string, string])[] = [
  ['<a>', '</b>'],
  ['<div class="c">', 'x<br>'],
  ['<div class="tgme_page_description">', '</p>'],
  ['<entry>', '</feed>'],
  ['{', '}'],
  ['[', ']'],
  ['(', ').'],
  ['.', ')'],
  ['"a,b\n', 'c\n'],
  ['<script', '>'],
  ['{"a":', '1}'],
];

/** Files that search text which is no stranger's, or lists; and why. */
export const NO_STRANGERS: Readonly<Record<string, string>> = {
  'analysis/audit/follower.ts': 'names of traits',
  'analysis/audit/model.ts': 'names of classes',
  'kernel/cidr.ts': 'addresses of sockets, and settings of the operator',
  'kernel/start-phases.ts': 'a list of phases',
  'kernel/postgres/timestamp.ts': 'timestamps of Postgres',
  'kernel/postgres/migrate.ts': 'names of migrations',
  'kernel/processes.ts': 'a line of /proc',
  'write/stream-platform.ts': 'names of streams, which are short',
  'write/accounts/events.ts': 'names of streams, which are short',
  'write/follows/events.ts': 'names of streams, which are short',
  'write/pools/members.ts': 'names of streams, which are short',
  'write/accounts/known-posts.ts': 'a list of posts',
  'write/log/eventstoredb/connection-string.ts': 'a setting of the operator',
  'api/description/share-components.ts': 'the description of the API',
  'api/description/answer-schemas.ts': 'the description of the API',
  'api/contract/query-rules.ts': 'names of parameters',
  'api/contract/account-url.ts': 'a parameter of at most 2,048 characters',
  'cli/render/table.ts': 'tables for a terminal',
  'crawlers/browser/browser-pool.ts': 'a list of browsers',
  'crawlers/platforms/shared/confirmation.ts': 'a list of surfaces',
  'crawlers/platforms/shared/read-surfaces.ts': 'a list of reasons',
  'api/endpoints/insights/listXPeers.ts': 'a list of figures',
  'operations/crawl/read-follows.ts': 'arguments of the operator',
  'operations/insights/account-insights.ts': 'arguments of the operator',
  'operations/pools/opening-hours.ts': 'arguments of the operator',
  'operations/sessions/sessions.ts': 'arguments of the operator',
  'projections/builds/build-writers.ts': 'a list of writers',
  'analysis/handles/deletes.ts': 'handles, of at most 253 characters',
  'analysis/handles/edit-distance.ts': 'handles, of at most 253 characters',
  'analysis/handles/skeleton.ts': 'handles, of at most 253 characters',
  'read/insights/cohort.ts': 'a list of accounts',
  'projections/views/directory/growth.ts': 'a list of figures',
  'projections/views/follows/store.ts': 'a list of pages',
  'projections/views/people/neighborhood.ts': 'names of links, which are short',
  'projections/views/posts/chunk-list.ts': 'a list of chunks',
  'projections/views/posts/digest.ts': 'a list of figures',
};
