import { PLATFORMS, type Platform } from '../../simulated-platforms.ts';
import type { Account } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { inBand, type Measurement } from '../measurement.ts';
import type { TruthReader } from '../reader.ts';
import { textOn } from './surfaces.ts';

/** Words that may identify something: long enough, with digits or of no language. */
const TOKEN = /[A-Za-z0-9_][\w.-]{6,}[A-Za-z0-9]/g;
/** Two accounts are busy in one hour by chance. */
const TIME = /^\d{4}-\d\d-\d\d/;
/** Accounts of a platform that show a token, beyond which it is a word of the platform. */
const RARE = 2;

interface Page {
  readonly account: Account;
  readonly text: string;
}

const pagesOf = (world: World, reader: TruthReader, each: number): readonly Page[] =>
  PLATFORMS.flatMap((platform) =>
    Array.from({ length: Math.min(each, world.size) }, (_, index) =>
      world.account(platform, index, reader.at),
    )
      .filter(({ status }) => status === 'active' || status === 'private')
      .map((account) => ({ account, text: textOn(world, account, reader.at) })),
  );

/** What two accounts show of one another, or of what they have in common, according to `/truth`. */
const areLinked = (world: World, one: Account, other: Account): boolean => {
  const { people } = world.hidden;
  const isOf = (a: Account, b: Account): boolean => {
    const subject = world.hidden.subject(a.platform, a.index);
    const about = [subject, subject && world.hidden.subject(subject.platform, subject.index)];
    return about.some((ref) => ref !== null && ref.index === b.index);
  };
  const named = (a: Account) => people.namedAs(a.index);
  return (
    (one.index === other.index &&
      people.isMember(one.platform, one.index) &&
      people.isMember(other.platform, other.index)) ||
    isOf(one, other) ||
    isOf(other, one) ||
    named(one) === named(other) ||
    one.avatar === other.avatar
  );
};

/** Tokens that only few accounts of two platforms show, and the accounts that show them. */
const sharedTokens = (pages: readonly Page[]) => {
  const owners = new Map<string, Account[]>();
  for (const { account, text } of pages) {
    const tokens = new Set(
      text
        .replaceAll(/%2F/gi, '/')
        .match(TOKEN)
        ?.map((token) => token.toLowerCase()),
    );
    for (const token of tokens)
      if (/\d/.test(token) && !TIME.test(token)) {
        const known = owners.get(token) ?? [];
        known.push(account);
        owners.set(token, known);
      }
  }
  const byPlatform = (accounts: readonly Account[], platform: Platform) =>
    accounts.filter((account) => account.platform === platform).length;
  return [...owners].filter(
    ([, accounts]) =>
      accounts.length > 1 && PLATFORMS.every((platform) => byPlatform(accounts, platform) <= RARE),
  );
};

/** The last 22 bits: what an odd factor leaves a bijection. */
const BITS = 22n;
const MASK = (1n << BITS) - 1n;
const inverse = (odd: bigint): bigint => {
  let found = odd;
  for (let n = 0; n < 5; n++) found = (found * (2n - odd * found)) & MASK;
  return found & MASK;
};

/** Largest share of neighbours whose values differ by one multiple of the difference of their hidden numbers. */
const linearity = (values: readonly (readonly [hidden: bigint, shown: bigint])[]): number => {
  const factors = new Map<bigint, number>();
  let pairs = 0;
  for (let n = 1; n < values.length; n++) {
    const [a, b] = [values[n - 1], values[n]];
    if (!a || !b) continue;
    const step = (b[0] - a[0]) & MASK;
    if ((step & 1n) === 0n) continue;
    const factor = (((b[1] - a[1]) & MASK) * inverse(step)) & MASK;
    if (factor === 0n) continue;
    pairs++;
    factors.set(factor, (factors.get(factor) ?? 0) + 1);
  }
  return pairs < 10 ? 0 : Math.max(...factors.values()) / pairs;
};

const RUNS = 8;

/** Numbers on a page by their order: long digit runs, and the parts of a second ID read in base 36. */
const numbersIn = (text: string): readonly bigint[] => {
  const runs = (text.match(/\d{8,}/g) ?? []).slice(0, RUNS).map(BigInt);
  while (runs.length < RUNS) runs.push(0n);
  const second = /MS4wLjABAA([\w-]{24})/.exec(text)?.[1] ?? '';
  const inBase36 = Number.parseInt(second.slice(0, 7), 36);
  return [...runs, BigInt(Number.isNaN(inBase36) ? 0 : inBase36)];
};

const encodings = (number: number): readonly string[] =>
  [String(number), number.toString(36), number.toString(16)].filter((text) => text.length >= 6);

/** No token joins accounts that `/truth` does not link, and no number is that of the account in `/truth`, or its key. */
export const measureJoins = (world: World, reader: TruthReader, each: number): Measurement[] => {
  const pages = pagesOf(world, reader, each);
  // Who names an account shows so, and so does who links to a page.
  const isName = (token: string) =>
    PLATFORMS.some((platform) =>
      [token, `${token}.bsky.social`].some((handle) => {
        const found = world.find(platform, handle);
        return found !== null && found < world.count(platform);
      }),
    );
  const unexplained = sharedTokens(pages).filter(
    ([token, accounts]) =>
      !isName(token) &&
      !accounts.every(({ links }) => links.some((link) => link.includes(token))) &&
      accounts.some((one) =>
        accounts.some((other) => one.platform !== other.platform && !areLinked(world, one, other)),
      ),
  );
  let [shown, worst] = [0, 0];
  for (const { account, text } of pages)
    if (encodings(account.key).some((number) => text.includes(number))) shown++;
  for (const platform of PLATFORMS) {
    const own = pages.filter(({ account }) => account.platform === platform);
    const numbers = own.map(({ account, text }) => ({ account, values: numbersIn(text) }));
    for (let run = 0; run <= RUNS; run++)
      for (const hidden of ['index', 'key'] as const)
        worst = Math.max(
          worst,
          linearity(
            numbers.map(({ account, values }) => [
              BigInt(account[hidden]) & MASK,
              (values[run] ?? 0n) & MASK,
            ]),
          ),
        );
  }
  const none = (name: string, value: number, high: number, n: number): Measurement => ({
    ...inBand(`leak: ${name}`, value, 0, high, n),
    relative: true,
  });
  return [
    none('tokens that join accounts of two platforms without a link', unexplained.length, 0, pages.length),
    none('pages that show the key of their account', shown, 0, pages.length),
    none('share of neighbours with numbers linear in a hidden one', worst, 0.2, pages.length),
  ];
};
