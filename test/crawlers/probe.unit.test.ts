import { expect, it } from 'vitest';
import type { Address, Outcome, PlatformAdapter, ReadOptions } from '../../src/crawlers/platforms/adapter.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import { probe } from '../../src/crawlers/probe.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { emptyProfile } from '../../src/write/accounts/reading.ts';

const there = (handle: string): Outcome => ({
  status: 'present',
  profile: emptyProfile(handle),
  posts: null,
  measured: [],
});
const absent: Outcome = { status: 'absent' };
const unknown = (reason: 'layout_changed' | 'rate_limited'): Outcome => ({
  status: 'unknown',
  reason,
  detail: 'so',
});

const KNOWN = ['nasa', 'esa'];
const http: ReadOptions['http'] = {
  fetch: () => Promise.reject(new Error('nothing is fetched here')),
  close: () => Promise.resolve(),
};

const probing = async (known: (handle: string) => Outcome, stranger: Outcome, names = KNOWN) => {
  const asked: string[] = [];
  const adapter: PlatformAdapter = {
    ...adapterOf('x'),
    read: async (address: Address) => {
      const handle = address.kind === 'handle' ? address.handle : address.id;
      asked.push(handle);
      const outcome = names.includes(handle) ? known(handle) : stranger;
      return { ...outcome, surface: 'page', warnings: [] };
    },
  };
  return { finding: await probe(adapter, http, seededRandom(3), names), asked };
};

it('finds nothing wrong with eyes that tell known accounts from strangers', async () => {
  const { finding, asked } = await probing(there, absent);
  expect(finding).toBeNull();
  expect(asked).toHaveLength(2);
});

it('finds it when all known accounts are said to be absent', async () => {
  expect((await probing(() => absent, absent)).finding?.reason).toBe('false_absence');
  expect((await probing(() => absent, absent, ['nasa'])).finding?.reason).toBe('false_absence');
});

it('lets one known account vanish', async () => {
  for (const gone of KNOWN) {
    const { finding } = await probing((handle) => (handle === gone ? absent : there(handle)), absent);
    expect(finding).toBeNull();
  }
});

it('finds it when a stranger is said to be there', async () => {
  expect((await probing(there, there('stranger'))).finding?.reason).toBe('false_presence');
});

it('finds a page that no longer parses', async () => {
  expect((await probing(() => unknown('layout_changed'), absent)).finding?.reason).toBe('blind');
});

it('takes what is not shown for no proof of anything', async () => {
  expect((await probing(() => unknown('rate_limited'), unknown('rate_limited'))).finding).toBeNull();
});

it('asks for a stranger only where no known name is given', async () => {
  const { finding, asked } = await probing(there, absent, []);
  expect(finding).toBeNull();
  expect(asked).toHaveLength(1);
});

it.for(PLATFORMS)('asks for a stranger whose name the grammar of %s allows', async (platform) => {
  const asked: Address[] = [];
  const adapter: PlatformAdapter = {
    ...adapterOf(platform),
    read: async (address) => {
      asked.push(address);
      return { ...absent, surface: 'page', warnings: [] };
    },
  };
  await probe(adapter, http, seededRandom(1), []);
  const [address] = asked;
  expect(address?.kind === 'handle' && adapter.parseHandle(address.handle)).toBe(
    address?.kind === 'handle' && address.handle,
  );
});
