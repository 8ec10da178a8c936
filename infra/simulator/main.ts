import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { drawPlan, parsePlan } from './fault-plan.ts';
import { startSimulator } from './server.ts';
import { createSimClock } from './world/clock.ts';
import { readWorld } from './world/read-world.ts';

const number = (min: number, max: number, whole: boolean) => (text: string) => {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    throw new InvalidArgumentError(`allowed: ${whole ? 'whole numbers' : 'numbers'} from ${min} to ${max}.`);
  }
  return value;
};

const instant = (text: string): number => {
  const value = Date.parse(text);
  if (Number.isNaN(value))
    throw new InvalidArgumentError('allowed: a date such as 2026-05-01 or 2026-05-01T08:00:00Z.');
  return value;
};

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly size: number;
  readonly speed: number;
  readonly now?: number;
  readonly world?: string;
  readonly printWorld?: boolean;
  readonly plan?: string;
  readonly planSeed?: number;
}

const program = new Command('simulator')
  .description('Serves seven simulated social platforms with an evolving population.')
  .option('--port <number>', 'port to listen on; 0 picks a free one', number(0, 65535, true), 8090)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--seed <number>', 'seed of the population', number(0, 2 ** 32 - 1, true), 7)
  .option('--size <number>', 'accounts per platform', number(1, 15_000_000, true), 2000)
  .option(
    '--speed <number>',
    'simulated seconds per second; 86400 is a day per second',
    number(0, 1e7, false),
    1,
  )
  .option('--now <date>', 'start of the simulated time; default: now', instant)
  .option('--world <file>', 'parameters of the world as JSON; what it leaves out has its default')
  .option('--print-world', 'print the active parameters and exit')
  .option('--plan <file>', 'faults with their beginnings and ends as JSON')
  .option('--plan-seed <number>', 'draw a plan of faults over 30 days', number(0, 2 ** 32 - 1, true))
  .addHelpText(
    'after',
    `
Examples:
  $ node infra/simulator/main.ts --size 2000
  $ node infra/simulator/main.ts --port 0 --seed 3 --size 1000000 --speed 86400
  $ curl -s localhost:8090/seeds/x?n=3
  $ curl -s localhost:8090/truth/bluesky?limit=1
  $ node infra/simulator/world/draw.ts --seed 1 > world.json
  $ node infra/simulator/main.ts --world world.json --plan-seed 3
  $ curl -s localhost:8090/truth/accounts/x?limit=5000
  $ curl -s localhost:8090/t.me/<handle>
  $ curl -s localhost:8090/control/clock -d '{"now":"2027-01-01","speed":3600}'
  $ curl -s localhost:8090/control/faults -d '{"platform":"x","kind":"rate_limited","share":0.5}'`,
  )
  .action(async (flags: Flags) => {
    const parameters = await readWorld(flags.world);
    if (flags.printWorld) {
      console.log(JSON.stringify(parameters, null, 2));
      return;
    }
    const clock = createSimClock({
      speed: flags.speed,
      ...(flags.now === undefined ? {} : { now: flags.now }),
    });
    const plan = [
      ...(flags.plan === undefined ? [] : parsePlan(JSON.parse(await readFile(flags.plan, 'utf8')))),
      ...(flags.planSeed === undefined ? [] : drawPlan(flags.planSeed, clock.now(), 30)),
    ];
    const { port, host, seed, size } = flags;
    const simulator = await startSimulator({ port, host, seed, size, clock, parameters, plan });
    console.log(
      `Simulator at ${simulator.url} (seed ${seed}, ${size} accounts per platform, world ${simulator.world.hash})`,
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
  });

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
