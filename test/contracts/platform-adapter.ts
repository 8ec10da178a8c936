import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FetchError, type Page } from '../../src/crawlers/http/port.ts';
import {
  type Address,
  type PlatformAdapter,
  type Reading,
  UNKNOWN_REASONS,
} from '../../src/crawlers/platforms/adapter.ts';
import { postSchema } from '../../src/write/accounts/post.ts';
import { profileSchema } from '../../src/write/accounts/profile.ts';
import { FOREIGN_ANSWERS, type ForeignAnswer } from './foreign-answers.ts';

/** What the suite needs to know of a platform to hold it to the contract. */
export interface PlatformCases {
  /** A handle in normal form, used with every sample. */
  readonly handle: string;
  /** Other ways to write it. */
  readonly spellings: readonly string[];
  readonly badHandles: readonly string[];
  /** A whole page of that account for each surface. */
  readonly samples: Readonly<Record<string, string>>;
}

const page = (body: string, url: string, status = 200, headers: Page['headers'] = {}): Page => ({
  url,
  status,
  headers,
  body,
  bytes: Buffer.byteLength(body),
});

/** A reading is of the shape that it promises, whatever it was made from. */
const expectSound = (reading: Reading, surface: string): void => {
  expect(reading.surface).toBe(surface);
  expect(Array.isArray(reading.warnings)).toBe(true);
  if (reading.status === 'unknown') {
    expect(UNKNOWN_REASONS).toContain(reading.reason);
    expect(reading.detail).not.toBe('');
  } else if (reading.status === 'present' || reading.status === 'private') {
    profileSchema.parse(reading.profile);
    for (const post of reading.posts ?? []) postSchema.parse(post);
  } else {
    expect(['suspended', 'deactivated', 'absent']).toContain(reading.status);
  }
};

/** Bodies that a sample turns into when it is broken off or damaged. */
const damaged = (sample: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.nat(Math.max(0, sample.length - 1)).map((end) => sample.slice(0, end)),
    fc.tuple(fc.nat(sample.length), fc.nat(60)).map(([at, n]) => sample.slice(0, at) + sample.slice(at + n)),
    fc
      .tuple(fc.nat(sample.length), fc.string({ maxLength: 8 }))
      .map(([at, text]) => sample.slice(0, at) + text + sample.slice(at)),
  );

/** The contract that every adapter keeps. */
export const describePlatformAdapter = (adapter: PlatformAdapter, cases: PlatformCases): void => {
  const address: Address = { kind: 'handle', handle: cases.handle };
  const url = adapter.profileUrl(cases.handle);

  describe(`${adapter.platform}: handles`, () => {
    test('have one normal form, which is its own', () => {
      expect(adapter.parseHandle(cases.handle)).toBe(cases.handle);
      for (const spelling of cases.spellings)
        expect(adapter.parseHandle(spelling), spelling).toBe(cases.handle);
    });

    test.for(cases.badHandles)('are not accepted from %j', (bad) => {
      expect(adapter.parseHandle(bad)).toBeNull();
    });

    test('in normal form stay as they are, and match the published pattern', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (input) => {
          const handle = adapter.parseHandle(input);
          if (handle !== null) expect(adapter.parseHandle(handle)).toBe(handle);
        }),
        { seed: 7 },
      );
      expect(cases.handle).toMatch(new RegExp(adapter.handlePattern, 'u'));
    });

    test('are found in their profile URL', () => {
      expect(adapter.addressOf(new URL(url))).toEqual(address);
      expect(url).toBe(adapter.profileUrlTemplate.replace('{handle}', cases.handle));
    });

    test('are in normal form in the probes', () => {
      expect(adapter.probes.length).toBeGreaterThanOrEqual(2);
      for (const probe of adapter.probes) expect(adapter.parseHandle(probe)).toBe(probe);
    });

    test('are not read from other sites', () => {
      for (const other of [
        'https://example.org/nasa',
        'https://example.org/@nasa',
        'mailto:nasa@example.org',
      ]) {
        expect(adapter.addressOf(new URL(other))).toBeNull();
      }
    });
  });

  describe.each(adapter.surfaces.map((surface) => ({ name: surface.name, surface })))(
    `${adapter.platform}: $name`,
    ({ name, surface }) => {
      const sample = cases.samples[name] as string;

      test('reads its sample', () => {
        const reading = surface.parse(page(sample, url), address);
        expectSound(reading, name);
        expect(reading).toMatchObject({ status: 'present', profile: { handle: cases.handle }, warnings: [] });
      });

      test('does not mistake an unparsable page for a missing account', () => {
        const bodies = [
          '',
          ' ',
          'null',
          '{}',
          '[]',
          '""',
          '0',
          '<html></html>',
          '<!doctype html><title>Hi</title>',
          '\0',
        ];
        for (const body of bodies) {
          const reading = surface.parse(page(body, url), address);
          expectSound(reading, name);
          // X's empty data is its documented proof; an empty object is not.
          expect(reading, body).toMatchObject({ status: 'unknown', reason: 'layout_changed' });
        }
      });

      test('treats a page of another account as an unknown page', () => {
        const other = adapter.platform === 'bluesky' ? 'another.example' : 'anotherone';
        const wrong = {
          kind: 'handle',
          handle: cases.handle.startsWith('company:') ? `company:${other}` : other,
        } as const;
        // What names no account itself can't be about another one.
        const nameless = ['resolve_url', 'feed'].includes(name) && adapter.platform === 'youtube';
        const reading = surface.parse(page(sample, adapter.profileUrl(wrong.handle)), wrong);
        expect(reading.status).toBe(nameless ? 'present' : 'unknown');
      });

      test('recognizes a rate limit, and passes on how long to wait', () => {
        const reading = surface.parse(page('', url, 429, { 'retry-after': '120' }), address);
        expect(reading).toMatchObject({ status: 'unknown', reason: 'rate_limited', retryAfterMs: 120_000 });
      });

      test.for([500, 502, 503, 504])('treats HTTP %i as an error', (status) => {
        expect(surface.parse(page('', url, status), address)).toMatchObject({
          status: 'unknown',
          reason: 'http_error',
        });
      });

      test("proves nothing by an answer that lacks the platform's own mark", () => {
        for (const { what, status, body, headers = {} } of FOREIGN_ANSWERS) {
          const reading = surface.parse(page(body, url, status, headers), address);
          expectSound(reading, name);
          expect(reading.status, what).toBe('unknown');
        }
      });

      test('states nothing false about an account, wherever its page is cut off', () => {
        const whole = surface.parse(page(sample, url), address);
        const figures = (reading: Reading) =>
          reading.status === 'present' || reading.status === 'private'
            ? Object.entries(reading.profile).filter(([, value]) => value !== null && `${value}` !== '')
            : [];
        const known = new Map(figures(whole));
        const step = Math.max(1, Math.floor(sample.length / 400));
        for (let end = 0; end < sample.length; end += step) {
          const reading = surface.parse(page(sample.slice(0, end), url), address);
          expect(['present', 'unknown'], `cut at ${end}`).toContain(reading.status);
          for (const [field, value] of figures(reading))
            expect(value, `${field} at ${end}`).toEqual(known.get(field));
        }
      });

      test('can be requested by itself, or states that it cannot', () => {
        const request = surface.request(address);
        if (request === null) return;
        expect(request.platform).toBe(adapter.platform);
        // A surface that is not to be asked is told by its address.
        const matching = adapter.surfaces.filter((each) => each.matches(new URL(request.url)));
        expect(matching.map((each) => each.name)).toEqual([name]);
      });

      test('neither throws nor proves anything from damaged pages', () => {
        fc.assert(
          fc.property(damaged(sample), (body) => {
            const reading = surface.parse(page(body, url), address);
            expectSound(reading, name);
            expect(['absent', 'suspended', 'deactivated']).not.toContain(reading.status);
          }),
          { seed: 11, numRuns: 150 },
        );
      });

      test('neither throws nor proves anything from random text and JSON', () => {
        fc.assert(
          fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.json()), (body) => {
            const reading = surface.parse(page(body, url), address);
            expectSound(reading, name);
            expect(['absent', 'suspended', 'deactivated']).not.toContain(reading.status);
          }),
          { seed: 13, numRuns: 150 },
        );
      });
    },
  );

  describe(`${adapter.platform}: read`, () => {
    test.for([
      ['timeout', 'timeout'],
      ['http_error', 'http_error'],
      ['rate_limited', 'rate_limited'],
      ['too_large', 'too_large'],
    ] as const)('turns a failed fetch (%s) into an unknown with its reason', async ([failure, reason]) => {
      const http = {
        fetch: () => Promise.reject(new FetchError(failure, 'it failed', { retryAfterMs: 5 })),
        close: () => Promise.resolve(),
      };
      const reading = await adapter.read(address, { http, posts: true });
      expect(reading).toMatchObject({ status: 'unknown', reason, retryAfterMs: 5 });
    });

    test("is inconclusive for any mix of responses without the platform's own mark", async () => {
      const answers = fc.array(fc.nat(FOREIGN_ANSWERS.length - 1), { minLength: 8, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(answers, async (drawn) => {
          let n = 0;
          const http = {
            fetch: (request: { url: string }) => {
              const index = drawn[n++ % drawn.length] as number;
              const { status, body, headers } = FOREIGN_ANSWERS[index] as ForeignAnswer;
              return Promise.resolve(page(body, request.url, status, headers));
            },
            close: () => Promise.resolve(),
          };
          expect((await adapter.read(address, { http, posts: true })).status).toBe('unknown');
        }),
        { seed: 17, numRuns: 300 },
      );
    });

    test('fetches only listed hosts, by https', async () => {
      const asked: string[] = [];
      const http = {
        fetch: (request: { url: string; platform: string }) => {
          expect(request.platform).toBe(adapter.platform);
          asked.push(request.url);
          return Promise.resolve(page('', request.url));
        },
        close: () => Promise.resolve(),
      };
      await adapter.read(address, { http, posts: true });
      expect(asked.length).toBeGreaterThan(0);
      for (const each of asked) {
        expect(new URL(each).protocol).toBe('https:');
        const { hostname } = new URL(each);
        expect(
          adapter.hosts.some(
            (host) => hostname === host || (host.startsWith('.') && hostname.endsWith(host)),
          ),
        ).toBe(true);
      }
    });
  });
};
