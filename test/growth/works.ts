import { Readable } from 'node:stream';
import { redactBody, redactUrl } from '../../src/crawlers/http/recording.ts';
import { decode } from '../../src/crawlers/http/transport.ts';
import { findCode } from '../../src/crawlers/live-read/ownership.ts';
import { marksOf, ownPosts } from '../../src/crawlers/platforms/instagram/media.ts';
import { parseMeta } from '../../src/crawlers/platforms/instagram/page.ts';
import { companyFacts, sublineOf } from '../../src/crawlers/platforms/linkedin/company.ts';
import { adapters } from '../../src/crawlers/platforms/registry.ts';
import { assignedJson, linkedData, scriptsOf } from '../../src/crawlers/platforms/shared/embedded-json.ts';
import { Fields } from '../../src/crawlers/platforms/shared/field-reader.ts';
import { MOST, metaTags, textOf, treeOf } from '../../src/crawlers/platforms/shared/html.ts';
import { parseCount } from '../../src/crawlers/platforms/shared/parse-count.ts';
import { tagsInText } from '../../src/crawlers/platforms/shared/post-tags.ts';
import { isChallenge } from '../../src/crawlers/platforms/shared/reading-outcomes.ts';
import { mentionsOf } from '../../src/crawlers/recruiter.ts';
import { keyOf, storable, trimmedEnd, truncated, urlsIn } from '../../src/kernel/text.ts';
import { csvRecords, linesOf, ndjsonRecords } from '../../src/operations/marketplace/records.ts';
import { handlesIn } from '../../src/platforms/mentions.ts';
import { wordKeys, wordsOfEntry } from '../../src/projections/views/directory/tables.ts';
import { classifyTitle } from '../../src/projections/views/leads/titles/classify-title.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { targetsOf } from '../../src/write/people/account.ts';
import { isDisclaiming } from '../../src/write/people/disclaimers.ts';
import { nameKey, pictureOf, readName, relateNames } from '../../src/write/people/names.ts';

/** Work on a text. */
export type Work = (text: string) => unknown;

const CHUNK_BYTES = 65_536;

/** Reads a file in chunks, as an import does. */
const inChunks =
  (read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<unknown>, head = ''): Work =>
  async (text) => {
    const bytes = Buffer.from(head + text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, n) =>
      bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
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

/** Parsers of whole pages and answers, on a text as their body. */
const surfaces: Readonly<Record<string, Work>> = Object.fromEntries(
  adapters.flatMap((adapter) => {
    const handle = adapter.platform === 'bluesky' ? 'sample.example' : 'sample';
    const url = adapter.profileUrl(handle);
    const headers = { 'content-type': 'text/html' };
    return adapter.surfaces.map((surface) => [
      `${adapter.platform} ${surface.name}`,
      (body: string) =>
        surface.parse({ url, status: 200, headers, body, bytes: body.length }, { kind: 'handle', handle }),
    ]);
  }),
);

const AUTHOR = { uri: `at://did:plc:${'a'.repeat(24)}`, did: `did:plc:${'a'.repeat(24)}` };

/** A post of Bluesky whose facets all point to its whole text. */
const facetted = (text: string) => ({
  feed: [
    {
      post: {
        uri: `${AUTHOR.uri}/app.bsky.feed.post/1`,
        author: { did: AUTHOR.did, handle: 'sample.example' },
        record: {
          text,
          facets: Array.from({ length: text.length / 64 }, () => ({
            index: { byteStart: 0, byteEnd: text.length },
            features: [{ $type: 'app.bsky.richtext.facet#mention', did: AUTHOR.did }],
          })),
        },
      },
    },
  ],
});

const pinnedPosts = (text: string) => {
  const author = { handle: 'sample', id: null };
  const nodes = Array.from({ length: text.length / 64 }, (_, n) => ({
    code: `code${n}`,
    pinned_for_users: [{}],
  }));
  return [marksOf(nodes, author), ownPosts(nodes, author, new Fields())];
};

/** What goes through strangers' text with loops and searches of its own. */
export const WORKS: Readonly<Record<string, Work>> = {
  ...surfaces,
  'bluesky facets': (text) => surfaces['bluesky feed']?.(JSON.stringify(facetted(text))),
  'instagram meta tags': (text) =>
    parseMeta(`<meta property="og:description" content="5 Followers, ${text}">`, {
      kind: 'handle',
      handle: 'sample',
    }),
  'instagram pinned posts': pinnedPosts,
  'linkedin facts': (text) => [companyFacts(text, new Fields()), sublineOf(text)],
  assignedJson: (text) => assignedJson(text, 'ytInitialData'),
  classifyTitle,
  csvRecords: inChunks(csvRecords, 'id,title\n'),
  decode: (text) => decode(Buffer.from(text), 'text/html'),
  findCode: (text) => findCode(reading(text), new Set(['sl-0000-0000-0000'])),
  handlesIn: (text) => handlesIn(text, parseHandle),
  isChallenge,
  isDisclaiming,
  keyOf: (text) => keyOf(text, 100),
  linesOf: inChunks(linesOf),
  linkedData,
  mentionsOf: (text) => mentionsOf(reading(text), 'x'),
  metaTags,
  names: (text) => [relateNames(readName(text), readName(`${text} a`)), nameKey(readName(text))],
  ndjsonRecords: inChunks(ndjsonRecords),
  parseCount,
  pictureOf: (text) => [pictureOf(text), pictureOf(`https://a.example/${text}!`)],
  redactBody,
  // An address comes in a header, all of which have 16 KiB.
  redactUrl: (text) => redactUrl(`https://a.example/?q=${text.slice(0, 16_384)}`),
  scriptsOf: (text) => [...scriptsOf(text)].length,
  storable,
  'telegram messages': (text) =>
    surfaces['telegram preview']?.(
      `<div class="tgme_channel_info"><b class="tgme_channel_info_header_title">x</b></div>${text}`,
    ),
  tagsInText: (text) => tagsInText(text, parseHandle),
  targetsOf: (text) => targetsOf('x', { links: [`https://a.example/${text}`], bio: text }),
  'texts of a tree': (text) =>
    treeOf(text)
      ?.select('*')
      .slice(0, MOST)
      .map((element) => textOf(element)),
  trimmedEnd: (text) => trimmedEnd(text, './ '),
  truncated: (text) => truncated(text, 100),
  urlsIn: (text) => [urlsIn(text), urlsIn(`https://a.example/${text}`)],
  wordKeys,
  wordsOfEntry: (text) => wordsOfEntry(text, text),
};
