import { type Child, PROGRAM_FLAGS, startChild } from '../support/child.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import { CASES, type Case, type CrawlAnswer, type CrawlQuestion, type Extract } from './cases.ts';
import { confirmationCosts } from './confirmations.ts';
import { compareLogs } from './logs.ts';
import type { SiteAnswer, SiteQuestion } from './site.ts';

type Name = Case['contestants'][number];

const GOALS: Readonly<Record<Case['name'], Partial<Record<Name, number>>>> = {
  x: { cheerio: 25, http: 4 },
  'x-rendered': { cheerio: 25, http: 4 },
  telegram: { cheerio: 1.8 },
};
const MAX_MB: Readonly<Record<Case['name'], number>> = {
  x: 200,
  'x-rendered': 200,
  telegram: 400,
};
const TITLES: Readonly<Record<Name, string>> = {
  ours: 'ours',
  http: "crawlee's HttpCrawler, tuned",
  cheerio: "crawlee's CheerioCrawler, tuned",
};

const start = (name: Name): Child =>
  name === 'ours'
    ? startChild(new URL('./ours.ts', import.meta.url), [], PROGRAM_FLAGS)
    : startChild(new URL('./crawlee.ts', import.meta.url), [name]);

/** Fails where two contestants took different things out of the same pages. */
const compareExtracts = (title: string, ours: readonly Extract[], theirs: readonly Extract[]): void => {
  const byHandle = new Map(theirs.map((extract) => [extract.handle, extract]));
  for (const extract of ours) {
    const other = byHandle.get(extract.handle);
    if (JSON.stringify(other) !== JSON.stringify(extract)) {
      throw new Error(`${title} differs:\n${JSON.stringify(extract)}\n${JSON.stringify(other)}`);
    }
  }
};

/** One kind of page: speeds in interleaved rounds, peaks of memory, and memory over many pages. */
const runCase = async (each: Case, site: SiteAnswer, quick: boolean, table: string[][]): Promise<Goal[]> => {
  const handles = site.handles[each.name] ?? [];
  const children = new Map(each.contestants.map((name) => [name, start(name)]));
  const ask = (name: Name, pages: number, extracts = false) =>
    (children.get(name) as Child).ask<CrawlAnswer>({
      case: each.name,
      origin: site.origin,
      handles,
      pages,
      extracts,
    } satisfies CrawlQuestion);
  try {
    const kb = Math.round((site.meanBytes[each.name] ?? 0) / 1_000);
    progress(`  ${each.title}: ${handles.length} pages of ${kb} kB, compared`);
    const ours = (await ask('ours', handles.length, true)).extracts;
    for (const name of each.contestants) {
      if (name !== 'ours') compareExtracts(name, ours, (await ask(name, handles.length, true)).extracts);
    }
    // Rounds of about the same time: what is many times faster gets many times the pages.
    const seconds = quick ? 1.2 : 3;
    const pages = {} as Record<Name, number>;
    for (const name of each.contestants) {
      pages[name] = Math.max(
        200,
        Math.round((await ask(name, name === 'ours' ? 2_000 : 200)).perSecond * seconds),
      );
    }
    const contestants = Object.fromEntries(
      each.contestants.map((name) => [name, () => ask(name, pages[name])]),
    ) as Record<Name, () => Promise<CrawlAnswer>>;
    const results = await interleave(
      quick ? 3 : 5,
      contestants,
      ({ perSecond }) => `${figure(perSecond)} pages/s`,
    );
    const rates = (name: Name) => results[name].map(({ perSecond }) => perSecond);
    const peak = (name: Name) => results[name].at(-1)?.peakMb ?? Number.NaN;
    for (const name of each.contestants) {
      table.push([
        `${each.title}, ${kb} kB`,
        TITLES[name],
        figure(median(rates(name))),
        peak(name).toFixed(0),
      ]);
    }
    const goals: Goal[] = each.contestants.flatMap((name) => {
      const goal = GOALS[each.name][name];
      if (goal === undefined) return [];
      const ratio = medianRatio(rates('ours'), rates(name));
      return [
        { bench: 'bench:crawl', what: `${each.title}, against ${TITLES[name]}`, ratio, goal, kind: 'least' },
      ];
    });
    goals.push({
      bench: 'bench:crawl',
      what: `${each.title}, peak RSS in MB, at most`,
      ratio: peak('ours'),
      goal: MAX_MB[each.name],
      kind: 'most',
    });
    return goals;
  } finally {
    for (const child of children.values()) await child.stop();
  }
};

/** Peak memory of a fresh process after some pages and after five times as many. */
const flatness = async (each: Case, site: SiteAnswer, pages: number): Promise<Goal> => {
  progress(`  ${each.title}: memory over ${pages.toLocaleString('en-US')} pages`);
  const child = start('ours');
  const handles = site.handles[each.name] ?? [];
  const question = { case: each.name, origin: site.origin, handles, extracts: false };
  try {
    const early = await child.ask<CrawlAnswer>({ ...question, pages: pages / 5 } satisfies CrawlQuestion);
    const late = await child.ask<CrawlAnswer>({
      ...question,
      pages: (pages / 5) * 4,
    } satisfies CrawlQuestion);
    const what = `${each.title}, peak RSS after ${pages.toLocaleString('en-US')} over after ${(pages / 5).toLocaleString('en-US')}, at most`;
    return { bench: 'bench:crawl', what, ratio: late.peakMb / early.peakMb, goal: 1.2, kind: 'most' };
  } finally {
    await child.stop();
  }
};

/** Fetching and reading pages against crawlee, each contestant in a process of its own. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const site = startChild(new URL('./site.ts', import.meta.url));
  const table: string[][] = [['page', 'contestant', 'pages/s', 'peak MB']];
  const goals: Goal[] = [];
  try {
    const served = await site.ask<SiteAnswer>({
      pages: quick ? 150 : 400,
      cases: CASES.map(({ name }) => name),
    } satisfies SiteQuestion);
    for (const each of CASES) {
      goals.push(...(await runCase(each, served, quick, table)));
      goals.push(await flatness(each, served, quick ? 6_000 : 50_000));
    }
  } finally {
    await site.stop();
  }
  goals.push(...(await compareLogs(quick, table)));
  return {
    bench: 'bench:crawl',
    table,
    goals,
    notes: [
      ...(await confirmationCosts(quick ? 100 : 400)),
      'event log: accounts per second of a whole start on simulated platforms, with its API, projections and Postgres.',
      '50 requests at once; pages come from another process, from memory. Every contestant took the same out of every page.',
      "Ours is the crawlers' own HTTP client with its limits and checks, then the adapter's surface.",
    ],
  };
};
