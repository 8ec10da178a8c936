import { createHttpClient } from '../../src/crawlers/http/http-client.ts';
import type { Http } from '../../src/crawlers/http/port.ts';
import type { Reading } from '../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../src/crawlers/platforms/registry.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { tuneHeap } from '../../src/kernel/process-settings.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { peakMb, serve } from '../support/child.ts';
import { AT_ONCE, type CrawlAnswer, type CrawlQuestion, caseOf, type Extract } from './cases.ts';

/** The crawlers' own way: the HTTP client with all its limits and checks, then the adapter's surface. */
const registry = createRegistry();
let http: Http | undefined;

const open = (origin: string): Http =>
  createHttpClient({
    hostsOf: registry.hostsOf,
    userAgent: 'Sightline/bench',
    simulatorUrl: origin,
    clock: systemClock,
    random: systemRandom,
  });

const extractOf = (reading: Reading): Extract => {
  if (reading.status !== 'present' && reading.status !== 'private') {
    throw new Error(`not an account: ${JSON.stringify(reading)}`);
  }
  const { profile } = reading;
  return {
    handle: profile.handle,
    id: profile.id,
    display_name: profile.display_name,
    followers: profile.followers,
    following: profile.following,
    posts: profile.posts,
    verified: profile.verified,
    bio: profile.bio,
    avatar_url: profile.avatar_url,
    links: profile.links,
    feed: (reading.posts ?? []).map(({ id, at, text, media, likes, views }) => ({
      id,
      at,
      text,
      media,
      likes,
      views,
    })),
  };
};

const crawl = async (question: CrawlQuestion): Promise<CrawlAnswer> => {
  const { platform, surface: name, host, path } = caseOf(question.case);
  http ??= open(question.origin);
  const client = http;
  const surface = registry.adapterOf(platform).surfaces.find((each) => each.name === name);
  if (surface === undefined) throw new Error(`${platform} has no surface ${name}`);
  const extracts: Extract[] = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < question.pages) {
        const handle = question.handles[next++ % question.handles.length] as string;
        const page = await client.fetch({ platform, url: `https://${host}${path(handle)}` });
        const extract = extractOf(surface.parse(page, { kind: 'handle', handle }));
        if (question.extracts) extracts.push(extract);
      }
    }),
  );
  const perSecond = question.pages / ((performance.now() - began) / 1_000);
  return { perSecond, peakMb: peakMb(), extracts };
};

if (import.meta.main) {
  // As the program does.
  tuneHeap();
  serve(crawl, async () => http?.close());
}
