import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { print, printJson } from '../../kernel/terminal.ts';
import type { controlEngine, EngineState, Window } from '../../operations/engines/engines.ts';
import { engineFields, enginesTable } from '../render/engines-table.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline engines`: the crawlers of platforms and of a marketplace. */
export const enginesCommand = (): Command => {
  const engines = new Command('engines').description('inspect, pause and tune the crawlers').addHelpText(
    'after',
    `
Examples:
  sightline engines list
  sightline engines show x --window 24h
  sightline engines pause x --reason "maintenance"
  sightline engines resume x
  sightline engines tune x --rate 2
  sightline engines probe x

docs/crawling.md explains the figures.`,
  );
  for (const command of [
    listCommand(),
    showCommand(),
    pauseCommand(),
    resumeCommand(),
    tuneCommand(),
    probeCommand(),
  ])
    engines.addCommand(command);
  return engines;
};

const load = () => import('../../operations/engines/engines.ts');

const windowOption = () =>
  new Option('--window <window>', 'time window of success, outcomes and latencies')
    .choices(['1m', '1h', '24h'])
    .default('1h');

const readOnce = async (window: Window, use: (engines: readonly EngineState[]) => void): Promise<void> =>
  withRuntime(async (runtime) => {
    const { openEngineReads } = await load();
    const reads = await openEngineReads(runtime);
    try {
      use(await reads.read(window));
    } finally {
      await reads.close();
    }
  });

const listCommand = (): Command =>
  listing(new Command('list'))
    .description('list all engines: status, readings per minute, success, backlog, ages of readings')
    .addOption(windowOption())
    .action(async ({ window, ...options }: Output & { window: Window }) => {
      const { operatorFigures } = await load();
      await readOnce(window, (engines) => {
        const nowMs = systemClock.now();
        const rows = engines.map((engine) => operatorFigures(engine, window, nowMs));
        printList(options, rows, { table: (width) => enginesTable(engines, width) }, 'lines');
      });
    });

const showCommand = (): Command =>
  new Command('show')
    .description('show one engine: its status with the reason, its figures and its pools')
    .argument('<engine>', 'a platform, or marketplace')
    .addOption(windowOption())
    .option('--json', 'print JSON')
    .action(async (name: string, { window, json = false }: { window: Window; json?: boolean }) => {
      const { operatorFigures, parseEngine } = await load();
      const key = parseEngine(name);
      await readOnce(window, (engines) => {
        const found = engines.find((engine) => engine.key === key) as EngineState;
        const nowMs = systemClock.now();
        if (json) printJson(operatorFigures(found, window, nowMs));
        else print(engineFields(found, window, nowMs));
      });
    });

const control = (
  name: string,
  command: Parameters<typeof controlEngine>[2],
  done: string,
  unchanged: string,
): Promise<void> =>
  withRuntime(async (runtime) => {
    const { controlEngine, parseEngine } = await load();
    const engine = parseEngine(name);
    const changed = await controlEngine(runtime, engine, command);
    print(`${engine} ${changed ? done : unchanged}`);
  });

const pauseCommand = (): Command =>
  recorded(new Command('pause'), 'required')
    .description('stop the requests of an engine in all processes until it is resumed')
    .argument('<engine>', 'a platform, or marketplace')
    .addHelpText(
      'after',
      `
Within two seconds its crawl stops sending requests. Not affected: live reads of the API, follower lists, and
the commands crawl and engines probe.

Example:
  sightline engines pause x --reason "answers look wrong since 09:40"`,
    )
    .action((name: string, { reason }: { reason: string }) =>
      control(
        name,
        { do: 'pause', why: reason },
        'is paused. Its requests end within two seconds.',
        'is paused already.',
      ),
    );

const resumeCommand = (): Command =>
  recorded(new Command('resume'))
    .description('resume an engine that is paused, or that rests after failed readings')
    .argument('<engine>', 'a platform, or marketplace')
    .action((name: string) => control(name, { do: 'resume' }, 'is resumed.', 'is not paused.'));

const rateOf = (text: string): number => {
  const rate = Number(text);
  if (!Number.isFinite(rate)) throw new InvalidArgumentError('must be a number, such as 2.5');
  return rate;
};

const tuneCommand = (): Command =>
  recorded(new Command('tune'))
    .description('set the request rate of a platform for all processes, crawl and live reads together')
    .argument('<engine>', 'a platform, or marketplace')
    .requiredOption('--rate <n>', 'requests per second, instead of CRAWL_RATE_PER_S', rateOf)
    .addHelpText(
      'after',
      `
Example:
  sightline engines tune tiktok --rate 0.5`,
    )
    .action((name: string, { rate }: { rate: number }) =>
      control(
        name,
        { do: 'tune', ratePerS: rate },
        `sends ${rate} requests a second, two seconds from now at most.`,
        `sends ${rate} requests a second already.`,
      ),
    );

const probeCommand = (): Command =>
  recorded(new Command('probe'))
    .description('read accounts with a known status now, and print the surfaces with false verdicts')
    .argument('<engine>', 'a platform')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A false verdict raises the engine's alarm. A probe that saw an account and found no false verdict ends it.
It asks also while requests to the platform are paused. Exits with 1 if it found any, or if nothing answered. The known accounts come from the catalog and CRAWL_PROBES.

Example:
  sightline engines probe instagram`,
    )
    .action((name: string, { json = false }: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { parseEngine } = await load();
        const { probeEngine, probedPlatform } = await import('../../operations/engines/probe.ts');
        const { openHttp, openRegistry } = await import('../../runtime/crawler-http.ts');
        const registry = openRegistry(runtime);
        const adapter = registry.adapterOf(probedPlatform(parseEngine(name)));
        const http = await openHttp(runtime, registry);
        try {
          const { findings, seen, present, conclusive, inconclusive } = await probeEngine(
            runtime,
            adapter,
            http,
          );
          if (findings.length > 0 || conclusive.length === 0) process.exitCode = 1;
          if (json) {
            printJson({ platform: adapter.platform, seen, present, conclusive, findings, inconclusive });
            return;
          }
          const rows = findings.map(({ reason, surface, detail }) => [reason, surface ?? '', detail]);
          if (rows.length > 0) print(renderTable(['finding', 'surface', 'detail'], rows));
          else if (conclusive.length === 0)
            print('No surface gave a conclusive answer: whether their verdicts are true is unknown.');
          else {
            const answers = conclusive.map(({ surface, asked }) => `${surface} on ${asked}`);
            print(`No false verdict by those that answered: ${answers.join(', ')}.`);
          }
          print(
            seen === null
              ? `No existing account of ${adapter.name} is seen${present === null ? '' : `; ${present} was asked for`}.`
              : `${seen} of ${adapter.name} is seen.`,
          );
          for (const { surface, asked, reason } of inconclusive)
            print(`Inconclusive: ${surface} on ${asked}, ${reason}`);
        } finally {
          await http.close();
        }
      }),
    );
