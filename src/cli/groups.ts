import { Command } from 'commander';

/**
 * The command group that the arguments name, loaded; outlines of all groups if they name none.
 * @param args arguments of the program, without its name.
 */
export const commandGroups = async (args: readonly string[]): Promise<readonly Command[]> => {
  const named = args[0] === 'help' ? args[1] : args[0];
  const group = Object.entries(GROUPS).find(([name, { alias }]) => name === named || alias === named);
  if (group !== undefined) return [await group[1].load()];
  return Object.entries(GROUPS).map(([name, each]) => outline(name, each));
};

/** All groups, loaded. */
export const loadAllGroups = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(GROUPS).map(({ load }) => load()));

/** A group of commands: its lines in the help, and the import that loads it. */
interface Group {
  readonly description: string;
  readonly alias?: string;
  /** Arguments of a group that is a single command. */
  readonly usage?: string;
  readonly hasOptions?: true;
  readonly load: () => Promise<Command>;
}

/** In the order of the help. A test compares each description with the group's own. */
const GROUPS: Readonly<Record<string, Group>> = {
  demo: {
    description: 'run everything on simulated platforms, with a key to try it',
    hasOptions: true,
    load: async () => (await import('./commands/demo.ts')).demoCommand(),
  },
  start: {
    description:
      'run Sightline: the crawlers, the projections, the API and the Kafka relay, or only some of them',
    hasOptions: true,
    load: async () => (await import('./commands/start.ts')).startCommand(),
  },
  crawl: {
    description: 'read accounts now, record the readings, and print them',
    usage: '[platform] [handle...]',
    hasOptions: true,
    load: async () => (await import('./commands/crawl.ts')).crawlCommand(),
  },
  seeds: {
    description: 'add the accounts that crawling starts from',
    load: async () => (await import('./commands/seeds.ts')).seedsCommand(),
  },
  pools: {
    description:
      'manage pools: groups of accounts with shared rules for recruiting, request shares, caps and intervals',
    load: async () => (await import('./commands/pools.ts')).poolsCommand(),
  },
  research: {
    description: 'evaluate how much each pool yields for its requests: runs, findings, limits',
    load: async () => (await import('./commands/research.ts')).researchCommand(),
  },
  alarms: {
    description: 'show what is wrong with the service, acknowledge it, and list all alarms',
    load: async () => (await import('./commands/alarms.ts')).alarmsCommand(),
  },
  operators: {
    description: 'manage who may use the console',
    load: async () => (await import('./commands/operators.ts')).operatorsCommand(),
  },
  console: {
    description: 'open the console of a running service in a browser',
    load: async () => (await import('./commands/operators.ts')).consoleCommand(),
  },
  engines: {
    description: 'inspect, pause and tune the crawlers',
    load: async () => (await import('./commands/engines.ts')).enginesCommand(),
  },
  mcp: {
    description:
      'serve a running service to an agent, by the Model Context Protocol on standard input and output',
    hasOptions: true,
    load: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  },
  top: {
    description: 'watch engines and pools live (rates, backlog, ages) until Ctrl-C',
    hasOptions: true,
    load: async () => (await import('./commands/top.ts')).topCommand(),
  },
  platforms: {
    description: 'list the platforms, and parse their recorded pages',
    load: async () => (await import('./commands/platforms.ts')).platformsCommand(),
  },
  people: {
    description: 'explain and verify which accounts belong to one person',
    load: async () => (await import('./commands/people.ts')).peopleCommand(),
  },
  insights: {
    description: 'compute post figures for an account at any time, and for whole platforms',
    load: async () => (await import('./commands/insights.ts')).insightsCommand(),
  },
  calibrate: {
    description: 'measure the error and coverage of insights and tools in simulated worlds',
    hasOptions: true,
    load: async () => (await import('./commands/calibrate.ts')).calibrateCommand(),
  },
  marketplace: {
    description: 'import accounts and paid posts that are for sale',
    load: async () => (await import('./commands/marketplace.ts')).marketplaceCommand(),
  },
  events: {
    description: 'read, follow and export the event log',
    load: async () => (await import('./commands/events.ts')).eventsCommand(),
  },
  replay: {
    description: 'fold the log with your own code and print the result as JSON',
    hasOptions: true,
    load: async () => (await import('./commands/replay.ts')).replayCommand(),
  },
  projections: {
    description: 'inspect, rebuild and repair the read models',
    load: async () => (await import('./commands/projections/index.ts')).projectionsCommand(),
  },
  plans: {
    description: 'show the plans, and put holders on them',
    alias: 'plan',
    load: async () => (await import('./commands/plans.ts')).plansCommand(),
  },
  holders: {
    description: 'manage holders: the customers who may call the API',
    load: async () => (await import('./commands/holders.ts')).holdersCommand(),
  },
  keys: {
    description: 'manage API keys',
    load: async () => (await import('./commands/keys.ts')).keysCommand(),
  },
  overage: {
    description: 'choose whether requests beyond the quota are served and charged to the wallet',
    load: async () => (await import('./commands/wallet.ts')).overageCommand(),
  },
  wallet: {
    description: 'credit the wallets that pay for overage',
    load: async () => (await import('./commands/wallet.ts')).walletCommand(),
  },
  usage: {
    description: 'show and audit what holders used, were charged and have left',
    load: async () => (await import('./commands/usage.ts')).usageCommand(),
  },
  sessions: {
    description: 'manage logged-in sessions, for data that platforms hide from strangers',
    load: async () => (await import('./commands/sessions.ts')).sessionsCommand(),
  },
  proxies: {
    description: 'list the proxies that requests to platforms go through',
    load: async () => (await import('./commands/proxies.ts')).proxiesCommand(),
  },
  secrets: {
    description: 'rotate the secrets that seal cursors and sign ownership codes',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  },
  subjects: {
    description: 'hide accounts, or erase them for good, with receipts',
    load: async () => (await import('./commands/subjects.ts')).subjectsCommand(),
  },
  backup: {
    description: 'save the event log, the metering and the secrets to a folder; Sightline may keep running',
    hasOptions: true,
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  restore: {
    description: 'restore a backup into an empty home or database',
    usage: '<folder...>',
    hasOptions: true,
    load: async () => (await import('./commands/backup.ts')).restoreCommand(),
  },
  config: {
    description: 'show every setting with its value, its origin, its default and what is allowed',
    hasOptions: true,
    load: async () => (await import('./commands/config.ts')).configCommand(),
  },
};

/** A group as the list of groups shows it. It serves help and suggestions, and is never run. */
const outline = (name: string, { description, alias, usage, hasOptions }: Group): Command => {
  const command = new Command(name).description(description);
  if (alias !== undefined) command.alias(alias);
  if (usage !== undefined) command.arguments(usage);
  if (hasOptions) command.option('--…');
  return command;
};
