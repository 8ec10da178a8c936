import { describe, expect, it } from 'vitest';
import { type ProbeNames, probe } from '../../../src/crawlers/engine/self-probe.ts';
import type { Http, Page } from '../../../src/crawlers/http/port.ts';
import type { Address, Outcome, PlatformAdapter, Surface } from '../../../src/crawlers/platforms/adapter.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';

const shown = (status: 'present' | 'private', measured: readonly 'private'[] = ['private']): Outcome => ({
  status,
  profile: { ...emptyProfile('x'), id: '7' },
  posts: null,
  measured,
});
const gone = (status: 'absent' | 'suspended' | 'deactivated'): Outcome => ({ status });
const unknown = (reason: 'layout_changed' | 'rate_limited'): Outcome => ({
  status: 'unknown',
  reason,
  detail: 'so',
});

const KNOWN: ProbeNames = {
  present: ['nasa', 'esa'],
  private: ['diary', 'closet'],
  suspended: ['spammer', 'scammer'],
};
const NOTHING: ProbeNames = { present: [], private: [], suspended: [] };

const page: Page = { url: 'https://x.com/', status: 200, headers: {}, body: '', bytes: 0 };
const http: Http = { fetch: async () => page, close: async () => undefined };

const truthOf = (handle: string): Outcome => {
  if (KNOWN.present.includes(handle)) return shown('present');
  if (KNOWN.private.includes(handle)) return shown('private');
  return gone(KNOWN.suspended.includes(handle) ? 'suspended' : 'absent');
};

type Says = (handle: string) => Outcome;

const surfaceOf = (name: string, says: Says, asked: string[] = []): Surface => ({
  name,
  format: 'html',
  matches: () => false,
  request: () => ({ platform: 'x', url: 'https://x.com/' }),
  parse: (_, address: Address) => {
    const handle = address.kind === 'handle' ? address.handle : address.id;
    asked.push(handle);
    return { ...says(handle), surface: name, warnings: [] };
  },
});

const probing = async (surfaces: readonly Surface[], names = KNOWN) => {
  const adapter: PlatformAdapter = { ...adapterOf('x'), surfaces };
  const { findings, seen } = await probe(adapter, http, seededRandom(3), names);
  return { sees: seen !== null, found: findings.map(({ surface, reason }) => [surface, reason]) };
};

/** A surface that says something else of one kind of account, beside one that is sound. */
const lying = (says: Says) => [surfaceOf('sound', truthOf), surfaceOf('lying', says)];

it('a self-probe clears surfaces that tell known accounts from strangers, and asks each about all', async () => {
  const asked: [string[], string[]] = [[], []];
  const surfaces = [surfaceOf('one', truthOf, asked[0]), surfaceOf('two', truthOf, asked[1])];
  expect(await probing(surfaces)).toEqual({ sees: true, found: [] });
  for (const names of asked) expect(names).toHaveLength(4);
});

it.for<[string, Says, string]>([
  [
    'absent of public accounts',
    (h) => (KNOWN.present.includes(h) ? gone('absent') : truthOf(h)),
    'false_absence',
  ],
  [
    'suspended of public accounts',
    (h) => (KNOWN.present.includes(h) ? gone('suspended') : truthOf(h)),
    'false_absence',
  ],
  [
    'deactivated of public accounts',
    (h) => (KNOWN.present.includes(h) ? gone('deactivated') : truthOf(h)),
    'false_absence',
  ],
  [
    'private of public accounts',
    (h) => (KNOWN.present.includes(h) ? shown('private') : truthOf(h)),
    'false_privacy',
  ],
  [
    'present of private accounts',
    (h) => (KNOWN.private.includes(h) ? shown('present') : truthOf(h)),
    'false_presence',
  ],
  [
    'absent of private accounts',
    (h) => (KNOWN.private.includes(h) ? gone('absent') : truthOf(h)),
    'false_absence',
  ],
  [
    'present of suspended accounts',
    (h) => (KNOWN.suspended.includes(h) ? shown('present') : truthOf(h)),
    'false_presence',
  ],
  [
    'private of suspended accounts',
    (h) => (KNOWN.suspended.includes(h) ? shown('private') : truthOf(h)),
    'false_presence',
  ],
  [
    'present of strangers',
    (h) => (truthOf(h).status === 'absent' ? shown('present') : truthOf(h)),
    'false_presence',
  ],
  [
    'private of strangers',
    (h) => (truthOf(h).status === 'absent' ? shown('private') : truthOf(h)),
    'false_presence',
  ],
  [
    'suspended of strangers',
    (h) => (truthOf(h).status === 'absent' ? gone('suspended') : truthOf(h)),
    'false_suspension',
  ],
  [
    'deactivated of strangers',
    (h) => (truthOf(h).status === 'absent' ? gone('deactivated') : truthOf(h)),
    'false_suspension',
  ],
])('a self-probe finds the surface that says %s, whatever the others say', async ([, says, reason]) => {
  expect((await probing(lying(says))).found).toEqual([['lying', reason]]);
  expect((await probing(lying(says).toReversed())).found).toEqual([['lying', reason]]);
});

describe('a known account that may change', () => {
  it.for(['present', 'private', 'suspended'] as const)('is tolerated once: %s', async (kind) => {
    for (const changed of KNOWN[kind]) {
      const says: Says = (h) =>
        h === changed ? (kind === 'suspended' ? shown('present') : gone('absent')) : truthOf(h);
      expect((await probing(lying(says))).found).toEqual([]);
    }
  });

  it('is not tolerated if it is the only one', async () => {
    const names = { ...NOTHING, present: ['nasa'] };
    expect(
      (
        await probing(
          lying(() => gone('absent')),
          names,
        )
      ).found,
    ).toEqual([['lying', 'false_absence']]);
  });
});

it('a self-probe tolerates a surface that does not show privacy', async () => {
  const says: Says = (h) => (KNOWN.private.includes(h) ? shown('present', []) : truthOf(h));
  expect((await probing(lying(says))).found).toEqual([]);
});

it('a self-probe tolerates a suspended account shown as absent', async () => {
  const says: Says = (h) => (KNOWN.suspended.includes(h) ? gone('absent') : truthOf(h));
  expect((await probing(lying(says))).found).toEqual([]);
});

it('a self-probe finds unreadable pages where no surface shows the account', async () => {
  const blind = surfaceOf('blind', () => unknown('layout_changed'));
  expect(await probing([blind])).toEqual({ sees: false, found: [[null, 'blind']] });
  expect(await probing([surfaceOf('sound', truthOf), blind])).toEqual({ sees: true, found: [] });
});

it('a self-probe draws no conclusion from what is not shown', async () => {
  const shut = surfaceOf('shut', () => unknown('rate_limited'));
  expect(await probing([shut])).toEqual({ sees: false, found: [] });
  const adapter: PlatformAdapter = { ...adapterOf('x'), surfaces: [shut, surfaceOf('sound', truthOf)] };
  const { conclusive, inconclusive, seen, present } = await probe(adapter, http, seededRandom(3), KNOWN);
  expect(new Set(inconclusive.map(({ surface, reason }) => `${surface} ${reason}`))).toEqual(
    new Set(['shut rate_limited']),
  );
  expect(new Set(conclusive.map(({ surface }) => surface))).toEqual(new Set(['sound']));
  // What one surface was asked, the other was asked.
  expect(conclusive.map(({ asked }) => asked)).toEqual(inconclusive.map(({ asked }) => asked));
  expect(conclusive).toHaveLength(4);
  expect(KNOWN.present).toContain(seen);
  expect(present).toBe(seen);
  const silent = await probe({ ...adapterOf('x'), surfaces: [shut] }, http, seededRandom(3), KNOWN);
  expect(silent).toMatchObject({ seen: null, conclusive: [] });
  expect(KNOWN.present).toContain(silent.present);
});

it('a self-probe of surfaces that answer on a stranger alone says that no more was asked and answered', async () => {
  const walled = surfaceOf('walled', (h) =>
    truthOf(h).status === 'absent' ? gone('absent') : unknown('rate_limited'),
  );
  const result = await probe({ ...adapterOf('x'), surfaces: [walled] }, http, seededRandom(3), KNOWN);
  expect(result).toMatchObject({ seen: null, findings: [] });
  expect(result.conclusive).toHaveLength(1);
  expect(Object.values(KNOWN).flat()).not.toContain(result.conclusive[0]?.asked);
  expect(result.inconclusive.map(({ asked }) => asked)).toContain(result.present);
});

it('a self-probe asks for a stranger only where no known name is given', async () => {
  const asked: string[] = [];
  expect((await probing([surfaceOf('page', truthOf, asked)], NOTHING)).found).toEqual([]);
  expect(asked).toHaveLength(1);
});

it('a self-probe asks an ID-only surface for an ID that another one showed, and for an unused one', async () => {
  const asked: string[] = [];
  const byId: Surface = {
    ...surfaceOf('by id', () => shown('present'), asked),
    request: (address) => (address.kind === 'id' ? { platform: 'youtube', url: 'https://x.com/' } : null),
  };
  const adapter: PlatformAdapter = { ...adapterOf('youtube'), surfaces: [surfaceOf('page', truthOf), byId] };
  const { findings } = await probe(adapter, http, seededRandom(3), { ...NOTHING, present: ['nasa'] });
  expect(asked).toEqual(['7', expect.stringMatching(/^UC[a-z]{22}$/)]);
  expect(findings).toMatchObject([{ surface: 'by id', reason: 'false_presence' }]);
});

it.for(PLATFORMS)(
  'a self-probe asks for a stranger whose name the grammar of %s allows',
  async (platform) => {
    const asked: string[] = [];
    const adapter: PlatformAdapter = {
      ...adapterOf(platform),
      surfaces: [surfaceOf('page', truthOf, asked)],
    };
    await probe(adapter, http, seededRandom(1), NOTHING);
    expect(asked).toHaveLength(1);
    expect(adapter.parseHandle(asked[0] ?? '')).toBe(asked[0]);
  },
);
