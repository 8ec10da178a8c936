import { Command, InvalidArgumentError } from 'commander';
import { startSimulator } from '../server.ts';
import { drawParameters } from '../world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from '../world/parameters.ts';
import { readWorld } from '../world/read-world.ts';
import { holds, type Measurement } from './measurement.ts';
import { checkWorld } from './world-check.ts';

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('allowed: whole numbers from 0.');
  return value;
};

interface Flags {
  readonly world?: string;
  readonly draw?: number;
  readonly accounts: number;
  readonly seed: number;
  readonly truth?: number;
}

const figure = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : value > 0 ? '∞' : '-∞';

const lineOf = (one: Measurement, judged: boolean): string => {
  const verdict = holds(one) ? 'holds' : judged ? 'FAILS' : 'apart';
  return `${verdict}  ${one.name.padEnd(60)} ${figure(one.value).padStart(10)}   ${figure(one.low).padStart(9)} to ${figure(one.high).padEnd(9)} n ${one.n}`;
};

const PAGE = 50_000;

/** Reads accounts of `/truth` page by page and prints how long it takes. */
const readTruth = async (size: number, seed: number, parameters: Parameters): Promise<void> => {
  const simulator = await startSimulator({ seed, size, parameters });
  try {
    const begun = performance.now();
    let [rows, bytes] = [0, 0];
    for (let from: string | null = '0'; from; ) {
      const page = await fetch(`${simulator.url}/truth/accounts/x?from=${from}&limit=${PAGE}`);
      const body = await page.text();
      bytes += body.length;
      rows += body.split('\n').length - 1;
      from = page.headers.get('x-next');
      process.stderr.write(`\r${rows} accounts`);
    }
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `\n${rows} accounts, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} a second)`,
    );
  } finally {
    await simulator.close();
  }
};

new Command('world:check')
  .description('Measures what must hold of a simulated world, from its ground truth alone.')
  .option('--world <file>', 'parameters as JSON; what they leave out has its default')
  .option('--draw <seed>', 'parameters drawn from a seed', whole)
  .option('--accounts <number>', 'accounts over all platforms', whole, 100_000)
  .option('--seed <number>', 'seed of the population', whole, 7)
  .option('--truth <number>', 'only measure how fast so many accounts of X are read over HTTP', whole)
  .action(async (flags: Flags) => {
    if (flags.truth !== undefined) {
      await readTruth(flags.truth, flags.seed, await readWorld(flags.world));
      return;
    }
    const parameters: Parameters =
      flags.draw === undefined ? await readWorld(flags.world) : drawParameters(flags.draw);
    const hash = hashOf(parameters);
    // Bands of the literature are those of the default world; in another one the parameters alone are held to.
    const isDefault = hash === hashOf(DEFAULT_PARAMETERS);
    const progress = (done: number, of: number, what: string) =>
      process.stderr.write(`\r${`${done} of ${of}: ${what}`.padEnd(60)}`);
    const measured = checkWorld({ parameters, seed: flags.seed, accounts: flags.accounts, progress });
    process.stderr.write(`\r${''.padEnd(60)}\r`);
    const judged = (one: Measurement) => isDefault || one.relative;
    for (const one of measured) console.log(lineOf(one, judged(one)));
    const failed = measured.filter((one) => judged(one) && !holds(one));
    console.log(
      `\nWorld ${hash}${isDefault ? ' (default)' : ' (held back)'}, seed ${flags.seed}, ${flags.accounts} accounts: ${measured.length - failed.length} of ${measured.length} hold${isDefault ? '' : '; bands that do not follow from the parameters are not judged'}.`,
    );
    if (failed.length > 0) process.exitCode = 1;
  })
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
