import { describe, expect, it } from 'vitest';
import { WORKS, type Work } from './works.ts';

/** A text of about so many characters. */
type Text = (length: number) => string;

const LENGTHS = [4_096, 65_536, 262_144] as const;
/** Of the length, that work exceeds if it is not linear: quick searches hide quadratic work in short texts. */
const POWER = 1.35;
/** Quadratic work takes longer than this on the second length. */
const NOTICEABLE_MS = 15;
/** Measured at once, of as many runs as it takes: clocks of CPU time tick every four ms on some machines. */
const PRECISE_MS = 20;
const TRIES = 3;

/** CPU time of this thread for a work, in ms: other processes hardly disturb it. */
const costOf = async (work: Work, text: string, atLeastMs = 0): Promise<number> => {
  const began = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    await work(text);
    const { user, system } = process.threadCpuUsage(began);
    const spentMs = (user + system) / 1_000;
    if (spentMs >= atLeastMs) return spentMs / runs;
  }
};

/** The least of some: the collector of garbage disturbs the others. */
const leastOf = async (work: Work, text: string): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES; n++) least = Math.min(least, await costOf(work, text, PRECISE_MS));
  return least;
};

const growsBetween = async (work: Work, text: Text, short: number, long: number): Promise<boolean> =>
  (await leastOf(work, text(long))) / (await leastOf(work, text(short))) >= (long / short) ** POWER;

/** Whether a work outgrows a text, wherever it is looked at: up to a limit, as that of the depth of a page, some may. */
const outgrows = async (work: Work, text: Text): Promise<boolean> => {
  const [short, long, longest] = LENGTHS;
  return (
    (await costOf(work, text(long))) >= NOTICEABLE_MS &&
    (await growsBetween(work, text, short, long)) &&
    (await growsBetween(work, text, long, longest))
  );
};

/** What texts repeat: markup that opens and never closes, beginnings of what parsers look for. */
const PUMPS = [
  ...'a0 \n\r.)("\\&<>[{@#',
  ...['@a ', '#a ', '0,', '&amp;', '{"a":', '"a,b\n', '𝒜', '\u0301', '\uFDFA'],
  ...['https://', 'https://a.example/ ', 'http://a.', 'tg://resolve?domain=a', 'sl-0000-0000-0000 '],
  ...['<a>', '<a href="', '</b>', '<div class="c">x', '<div class="tgme_page">x', '<tgme_page', '<!--'],
  ...['<script', '<script>', '<script></script>', '<script type="application/ld+json">{}</script>'],
  ...['<script id="__NEXT_DATA__"', 'ytInitialData={', 'ytInitialData = {"a":"', "ytInitialData='"],
  ...['<title', '<title>', '<![CDATA[', '<meta ', '<meta property="og:title" content="x">', '<body>'],
  ...['<link rel="canonical" href="', 'xig_user_by_username', 'about-us<dl', '<feed>', '<entry>'],
  ...['top-card-layout__first-subline', 'profile not found', '<meta content="x">', '<br>x'],
  ...['<b class="tgme_widget_message" data-post="sample/1">x</b>', '<b class="tgme_page_extra">1</b>'],
];

/** Halves of a text: what opens in the first is not closed in the second. */
const HALVES = [
  ...[
    '<a>…</b>',
    '<b class="tgme_widget_message">…<a>x</a>',
    '<div class="c">…x<br>',
    '<div class="tgme_page_description">…</p>',
    '<entry>…</feed>',
  ],
  ...['{…}', '[…]', '.…)', '(…).', '"a,b\n…c\n', '<script…>', '{"a":…1}'],
];

const repeated = (pump: string, length: number): string => pump.repeat(Math.ceil(length / pump.length));

const TEXTS: readonly (readonly [string, Text])[] = [
  ...PUMPS.map((pump) => [pump, (length: number) => repeated(pump, length)] as const),
  // What ends differently is where a search has to give up.
  ...PUMPS.map((pump) => [`${pump} …`, (length: number) => `${repeated(pump, length)}\u0001x`] as const),
  ['a quote, then lines', (length) => `"${repeated(`${'c'.repeat(200)},d\n`, length)}`],
  ...HALVES.map((halves) => {
    const [first = '', second = ''] = halves.split('…');
    return [halves, (length: number) => repeated(first, length / 2) + repeated(second, length / 2)] as const;
  }),
];

/** The texts for which a work grows faster than they do; the first is enough. */
const grownOn = async (work: Work): Promise<readonly string[]> => {
  for (const [name, text] of TEXTS) if (await outgrows(work, text)) return [name];
  return [];
};

it.for(Object.entries(WORKS))(
  '%s takes at most proportionally longer for a longer text',
  { tags: 'long' },
  async ([, work]) => {
    expect(await grownOn(work)).toEqual([]);
  },
);

describe('growth of work', () => {
  /** Compares each eighth character with all others of them. */
  const quadratic: Work = (text) => {
    let same = 0;
    for (let n = 0; n < text.length; n += 8)
      for (let other = n; other < text.length; other += 8) if (text[n] === text[other]) same++;
    return same;
  };

  it('is noticed where parts of a text are compared with all others', { tags: 'long' }, async () => {
    expect(await grownOn(quadratic)).toEqual(['a']);
  });

  it('is not reported for one pass through the text', { tags: 'long' }, async () => {
    expect(await grownOn((text) => [...text].sort().length)).toEqual([]);
  });
});
