import { Command, InvalidArgumentError } from 'commander';
import { drawParameters } from '../world/draw.ts';
import { hashOf } from '../world/parameters.ts';
import { readWorld } from '../world/read-world.ts';
import { holds } from './law.ts';
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
}

new Command('world:check')
  .description('Checks what must hold of a simulated world: counts, sums, identities and declared shares.')
  .option('--world <file>', 'parameters as JSON; what they leave out has its default')
  .option('--draw <seed>', 'parameters drawn from a seed', whole)
  .option('--accounts <number>', 'accounts over all platforms', whole, 7_000)
  .option('--seed <number>', 'seed of the population', whole, 7)
  .action(async ({ world, draw, seed, accounts }: Flags) => {
    const parameters = draw === undefined ? await readWorld(world) : drawParameters(draw);
    const laws = checkWorld({ parameters, seed, accounts });
    for (const law of laws) {
      console.log(`${holds(law) ? 'holds' : 'FAILS'}  ${law.name}, ${law.cases} cases`);
      for (const broken of law.broken.slice(0, 3)) console.log(`       ${broken}`);
    }
    const held = laws.filter(holds).length;
    console.log(`\nWorld ${hashOf(parameters)}, seed ${seed}: ${held} of ${laws.length} laws hold.`);
    if (held < laws.length) process.exitCode = 1;
  })
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
