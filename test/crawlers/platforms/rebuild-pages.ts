import { createHmac, randomBytes } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fixture } from './fixtures.ts';

/**
 * `node test/crawlers/platforms/rebuild-pages.ts`: makes pages with the structure of the recorded ones at `../shared/fixtures`
 * and invented values. Words and numbers are replaced one by one under a key that is thrown away, equal ones by equal ones, so that a page holds together;
 * what platforms themselves say (words that adapters know, addresses of hosts, dates) stays. What a
 * page says of its account is stated below, of the recorded page, and replaced alike: no parser had part in it.
 */

const HERE = join(import.meta.dirname, 'rebuilt');
const ROOT = join(import.meta.dirname, '../../..');
/** Of a longer list, as many elements are kept. */
const MOST = 6;
const KEY = randomBytes(32);

/** A page, and what it says, of the recorded one. Names and texts are replaced with the page. */
interface Case {
  readonly file: string;
  readonly surface: string;
  readonly handle: string;
  readonly status?: number;
  readonly profile?: Readonly<Record<string, unknown>>;
  /** The first post that is listed. */
  readonly post?: Readonly<Record<string, unknown>>;
  readonly verdict?: string;
}

const CASES: readonly Case[] = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'));

/** Who recorded pages are of: never a word that stays. */
const OWN = new Set(CASES.flatMap(({ handle }) => handle.toLowerCase().match(/\p{L}+/gu) ?? []));

/** Words that adapters, descriptors and the simulator's pages have in their source. */
const KNOWN = new Set(
  globSync('{src/crawlers/platforms,src/platforms,infra/simulator/platforms}/**/*.ts', { cwd: ROOT })
    .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/[\p{L}_]+/gu) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !OWN.has(word) || word.length < 3),
);

/** Letters that replace one, of its script and case. */
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшэюя'],
  [/\p{L}/u, 'abcdefghijklmnopqrstuvwxyz'],
];

const drawn = (word: string): Buffer => createHmac('sha512', KEY).update(word.toLowerCase()).digest();

const wordFor = (word: string): string => {
  const bytes = drawn(word);
  return [...word]
    .map((letter, i) => {
      const alphabet = ALPHABETS.find(([script]) => script.test(letter))?.[1];
      if (alphabet === undefined) return letter;
      const other = alphabet[(bytes[i % 64] as number) % alphabet.length] as string;
      return letter === letter.toLowerCase() ? other : other.toUpperCase();
    })
    .join('');
};

/** Digits for these: as many, of the same order. Times stay in this century, and counts of one digit as they are. */
const digitsFor = (digits: string): string => {
  if (digits.length < 2) return digits;
  const bytes = drawn(digits);
  const kept = digits.length >= 10 ? 3 : digits.startsWith('0') ? digits.length : 0;
  return [...digits]
    .map((digit, i) => {
      if (i < kept) return digit;
      return String(i === 0 ? 1 + ((bytes[i] as number) % 9) : (bytes[i % 64] as number) % 10);
    })
    .join('');
};

const DATE =
  /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?|[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:]{8} \+0000 \d{4}|\d\d:\d\d(?::\d\d)?/;
const HOST =
  /(?:[a-z0-9-]+\.)*(?:twitter|x|twimg|instagram|cdninstagram|fbcdn|tiktok|tiktokcdn|youtube|ytimg|ggpht|googleusercontent|w3|purl|yahoo|telegram|telesco|bsky|linkedin|licdn)\.(?:com|org|me|app|social|net|pe)|t\.me/;
/** JSON escapes and entities of HTML. */
const ESCAPE = /\\u[0-9a-f]{4}|\\[nrt"\\/]|&#?\w+;|%[0-9A-F]{2}/;
const NUMBER = /\d+(?:[ ,\u00a0]\d{3})+(?!\d)|\d+/;
/** Native IDs of YouTube are no words. */
const CHANNEL = /\bUC[\w-]{22}/;
const TOKEN = new RegExp(
  `(${CHANNEL.source})|(${[DATE, HOST, ESCAPE].map(({ source }) => source).join('|')})|(${NUMBER.source})|([\\p{L}\\p{M}_]+)`,
  'gu',
);

export const replaced = (text: string): string =>
  text.replaceAll(TOKEN, (token, channel?: string, fixed?: string, number?: string) => {
    if (channel !== undefined) return `UC${drawn(channel).toString('base64url').slice(0, 22)}`;
    if (fixed !== undefined) return token;
    if (number === undefined) return KNOWN.has(token.toLowerCase()) ? token : wordFor(token);
    let digits = digitsFor(token.replaceAll(/\D/g, ''));
    return token.replaceAll(/\d/g, () => {
      const [first = ''] = digits;
      digits = digits.slice(1);
      return first;
    });
  });

const thinned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MOST).map(thinned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, thinned(each)]));
};

/** Fields with codes of answers and times, which stay. */
const KEPT = /^(?:code|status(?:Code)?)$|(?:^|_)(?:time|date)|timestamp|createTime|_at$/i;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** What Instagram's addresses call a post, of its ID. */
const shortcodeOf = (id: bigint): string =>
  id === 0n ? '' : shortcodeOf(id / 64n) + (BASE64[Number(id % 64n)] as string);

/** Names of fields stay; strings and numbers are replaced. */
const invented = (value: unknown): unknown => {
  if (typeof value === 'string') return replaced(value);
  if (typeof value === 'number') return Number.isInteger(value) ? Number(replaced(String(value))) : value;
  if (Array.isArray(value)) return value.map(invented);
  if (typeof value !== 'object' || value === null) return value;
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const stays = KEPT.test(key) && (typeof each === 'number' || /^\d+$/.test(String(each)));
      return [key, stays ? each : invented(each)];
    }),
  );
  const { id, shortcode } = fields;
  return typeof id === 'string' && shortcode !== undefined
    ? { ...fields, shortcode: shortcodeOf(BigInt(id)) }
    : fields;
};

/** JSON of a script; any other script goes. */
const inventedScript = (open: string, body: string): string => {
  try {
    return `${open}${JSON.stringify(invented(thinned(JSON.parse(body))))}</script>`;
  } catch {
    return '';
  }
};

/** Tags keep their names and the attributes that parsers look for; other values and texts are replaced. */
const MARKUP =
  /(\s(?:class|id|type|property|name|rel|itemprop|xmlns(?::\w+)?)="[^"]*")|(<[/?!]?[\w:-]+|\s[\w:-]+=)|([^<"=]+)/g;

const inventedMarkup = (text: string): string =>
  text
    .replaceAll(/<(style|svg|noscript)\b[\s\S]*?<\/\1>/g, '')
    .split(/(<script\b[\s\S]*?<\/script>)/)
    .map((part) => {
      const script = /^(<script\b[^>]*>)([\s\S]*)<\/script>$/.exec(part);
      if (script !== null) return inventedScript(script[1] as string, script[2] as string);
      return part.replaceAll(MARKUP, (all, attribute?: string, tag?: string) =>
        attribute === undefined && tag === undefined ? replaced(all) : all,
      );
    })
    .join('');

/** A number, or the text of a rounded one as the page has it. */
const stated = (value: unknown): unknown => {
  const rounded = typeof value === 'string' ? /^([\d.]+)([KM])$/.exec(value) : null;
  if (rounded === null) return invented(value);
  return Math.round(Number(replaced(rounded[1] as string)) * (rounded[2] === 'K' ? 1_000 : 1_000_000));
};
const statedOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, stated(value)]));

const out = CASES.map(({ file, handle, profile, post, ...rest }) => {
  const body = fixture(file);
  const page = file.endsWith('.json')
    ? `${JSON.stringify(invented(thinned(JSON.parse(body))), null, 1)}\n`
    : inventedMarkup(body);
  mkdirSync(dirname(join(HERE, file)), { recursive: true });
  writeFileSync(join(HERE, file), page);
  return {
    file,
    ...rest,
    handle: replaced(handle),
    ...(profile === undefined ? {} : { profile: statedOf(profile) }),
    ...(post === undefined ? {} : { post: statedOf(post) }),
  };
});
writeFileSync(join(HERE, 'expected.json'), `${JSON.stringify(out, null, 2)}\n`);
console.log(`${out.length} pages`);
