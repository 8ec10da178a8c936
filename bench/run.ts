import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goalLine, printJson, printReport, progress, type Report } from './support/targets.ts';

/** Every bench by its name; each is loaded when it is run, since their peers are heavy. */
const BENCHES = [
  'api',
  'pages',
  'neighbour',
  'endpoints',
  'crawl',
  'log',
  'rebuild',
  'posts',
  'insights',
  'footprint',
  'refresh',
  'people',
  'filters',
  'fanout',
  'beside',
  'console',
  'live',
  'research',
  'shadowban',
  'streaks',
  'tools',
  'soak',
] as const;

/** What repeats a method's figures in any other world, or rows of another size. */
interface OfSome {
  readonly world?: string;
  readonly draw?: number;
  readonly draws?: number;
  readonly seeds?: number;
  readonly firstSeed?: number;
  readonly svg?: string;
  readonly full?: boolean;
  readonly lists?: readonly string[];
  readonly minutes?: number;
  readonly seed?: number;
  readonly calm?: boolean;
}

const USAGE = `Usage: npm run bench[:<name>] -- [--quick] [--json]
  ${BENCHES.join(', ')}: one bench; without a name all of them but soak
  --quick  smaller, under a minute a bench; figures are rougher
  --json   results as JSON on standard output, and nothing else there
Of filters:
  --full          with ten times the rows as well: takes an hour, and 20 GB of disk
  --lists A,B     of directory, people, leads, listings
Of benches that measure a method (refresh, people, research, shadowban, streaks):
  --world FILE    in the world of this document; --draw N: in the one drawn from this seed
  --draws N       drawn worlds beside the default one
  --seeds N       populations of each world, from --first-seed N on
  --svg FILE      writes the picture
Of soak:
  --minutes N     real minutes under load; 30 of them are a day
  --seed N        of kills, faults, requests and the world
  --calm          without kills: processes live as long as the soak, which shows what grows slowly
  --svg FILE      writes the picture`;

/** Benches that have nothing to install. */
const WITHOUT_PEERS: ReadonlySet<string> = new Set([
  'endpoints',
  'refresh',
  'people',
  'research',
  'shadowban',
  'streaks',
  'tools',
  'insights',
  'console',
  'filters',
  'footprint',
  'soak',
]);

/** Benches that run for as long as they are asked to, and only if they are named. */
const NAMED_ONLY: ReadonlySet<string> = new Set(['soak']);

const whole = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new RangeError(`--${name} is ${text}; allowed: whole numbers from 0`);
  return value;
};

/** The peers are installed when they are first needed: nobody else should have to wait for them. */
const installPeers = (): void => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  if (existsSync(`${folder}node_modules`)) return;
  progress('Installing what Sightline is compared with (npm ci --prefix bench), once …');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The peers could not be installed: see the lines above.');
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
      world: { type: 'string' },
      draw: { type: 'string' },
      draws: { type: 'string' },
      seeds: { type: 'string' },
      'first-seed': { type: 'string' },
      svg: { type: 'string' },
      full: { type: 'boolean' },
      lists: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      calm: { type: 'boolean' },
    },
  });
  const names = BENCHES.filter((name) =>
    positionals.length === 0 ? !NAMED_ONLY.has(name) : positionals.includes(name),
  );
  if (values.help === true || names.length < positionals.length) {
    console.error(USAGE);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  if (names.some((name) => !WITHOUT_PEERS.has(name))) installPeers();
  const { world, draw, draws, seeds, svg, minutes, seed, 'first-seed': firstSeed } = values;
  const ofSome: OfSome = {
    ...(world === undefined ? {} : { world }),
    ...(draw === undefined ? {} : { draw: whole('draw', draw) }),
    ...(draws === undefined ? {} : { draws: whole('draws', draws) }),
    ...(seeds === undefined ? {} : { seeds: whole('seeds', seeds) }),
    ...(firstSeed === undefined ? {} : { firstSeed: whole('first-seed', firstSeed) }),
    ...(svg === undefined ? {} : { svg }),
    ...(values.full === true ? { full: true } : {}),
    ...(values.lists === undefined ? {} : { lists: values.lists.split(',') }),
    ...(minutes === undefined ? {} : { minutes: whole('minutes', minutes) }),
    ...(values.calm === true ? { calm: true } : {}),
    ...(seed === undefined ? {} : { seed: whole('seed', seed) }),
  };
  const reports: Report[] = [];
  for (const name of names) {
    const began = performance.now();
    progress(`bench:${name}${values.quick === true ? ', quick' : ''}`);
    const { run } = (await import(`./${name}/bench.ts`)) as {
      run: (options: { readonly quick: boolean } & OfSome) => Promise<Report>;
    };
    const report = await run({ quick: values.quick === true, ...ofSome });
    progress(`bench:${name} took ${Math.round((performance.now() - began) / 1_000)} s`);
    reports.push(report);
    if (values.json !== true) printReport(report);
  }
  if (values.json === true) printJson(reports);
  else console.log(`\n${reports.flatMap(({ goals }) => goals.map(goalLine)).join('\n')}`);
};

await main();
