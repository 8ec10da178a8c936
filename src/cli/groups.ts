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
    description: 'run Sightline: crawlers, projections, the API, the relay to Kafka; all of them, or some',
    hasOptions: true,
    load: async () => (await import('./commands/start.ts')).startCommand(),
  },
  crawl: {
    description: 'read accounts now, record what is seen, and print it',
    usage: '[platform] [handle...]',
    hasOptions: true,
    load: async () => (await import('./commands/crawl.ts')).crawlCommand(),
  },
  seeds: {
    description: 'the accounts that crawling begins with',
    load: async () => (await import('./commands/seeds.ts')).seedsCommand(),
  },
  pools: {
    description:
      'groups of accounts that are crawled alike: what they recruit, their shares, caps and intervals',
    load: async () => (await import('./commands/pools.ts')).poolsCommand(),
  },
  research: {
    description: 'which pools are worth their requests: runs, findings, limits',
    load: async () => (await import('./commands/research.ts')).researchCommand(),
  },
  engines: {
    description: 'the crawlers: what they do, and what operators decide of them',
    load: async () => (await import('./commands/engines.ts')).enginesCommand(),
  },
  top: {
    description: 'engines and pools at work: rates, backlog, ages; redrawn until Ctrl-C',
    hasOptions: true,
    load: async () => (await import('./commands/top.ts')).topCommand(),
  },
  platforms: {
    description: 'list the platforms, and parse recorded pages of theirs',
    load: async () => (await import('./commands/platforms.ts')).platformsCommand(),
  },
  people: {
    description: 'persons across platforms: why accounts are one, and how often that is right',
    load: async () => (await import('./commands/people.ts')).peopleCommand(),
  },
  insights: {
    description: 'figures of posts: of an account as of any time, and of populations',
    load: async () => (await import('./commands/insights.ts')).insightsCommand(),
  },
  calibrate: {
    description: 'measure error and coverage of the figures of insights and tools in simulated worlds',
    hasOptions: true,
    load: async () => (await import('./commands/calibrate.ts')).calibrateCommand(),
  },
  marketplace: {
    description: 'accounts and paid posts that are for sale',
    load: async () => (await import('./commands/marketplace.ts')).marketplaceCommand(),
  },
  events: {
    description: 'read the event log',
    load: async () => (await import('./commands/events.ts')).eventsCommand(),
  },
  replay: {
    description: 'fold the log with your own code and print what comes out as JSON',
    hasOptions: true,
    load: async () => (await import('./commands/replay.ts')).replayCommand(),
  },
  projections: {
    description: 'the read models',
    load: async () => (await import('./commands/projections/index.ts')).projectionsCommand(),
  },
  plans: {
    description: 'plans, and who is on which',
    alias: 'plan',
    load: async () => (await import('./commands/plans.ts')).plansCommand(),
  },
  holders: {
    description: 'who may call the API, and on what terms',
    load: async () => (await import('./commands/holders.ts')).holdersCommand(),
  },
  keys: {
    description: 'keys of the API',
    load: async () => (await import('./commands/keys.ts')).keysCommand(),
  },
  overage: {
    description: 'whether requests past the quota are served, and charged to the wallet',
    load: async () => (await import('./commands/wallet.ts')).overageCommand(),
  },
  wallet: {
    description: 'what overage is paid from',
    load: async () => (await import('./commands/wallet.ts')).walletCommand(),
  },
  usage: {
    description: 'what holders used, were charged, and have left',
    load: async () => (await import('./commands/usage.ts')).usageCommand(),
  },
  sessions: {
    description: 'sessions of platforms, for what they show to logged-in clients only',
    load: async () => (await import('./commands/sessions.ts')).sessionsCommand(),
  },
  proxies: {
    description: 'proxies that platforms are read through',
    load: async () => (await import('./commands/proxies.ts')).proxiesCommand(),
  },
  secrets: {
    description: 'the secrets that seal cursors and make ownership codes',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  },
  backup: {
    description: 'save the event log, the metering and the secrets into a folder, while Sightline runs',
    hasOptions: true,
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  restore: {
    description: 'put a backup into an empty home or database',
    usage: '<folder>',
    load: async () => (await import('./commands/backup.ts')).restoreCommand(),
  },
  config: {
    description: 'show every setting, what it may be, its default and its value now',
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
