import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { chartSchema, OF_THE_CHART } from '../../../infra/helm/schema.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { type ConfigKey, parseConfig, SECRET_KEYS, settings } from '../../../src/kernel/config.ts';
import { ROLES } from '../../../src/runtime/roles/lifecycle.ts';

const CHART = 'infra/helm/sightline';

const VALIDATOR = ['-m', 'kubernetes_validate'];

const hasHelm = spawnSync('helm', ['version']).status === 0;
const hasValidator = hasHelm && spawnSync('python3', [...VALIDATOR, '--version']).status === 0;
if (!hasHelm) console.log('skipped, as there is no helm: the chart is rendered and linted');
if (!hasValidator)
  console.log('skipped, as Python has no kubernetes_validate: what the chart renders conforms to Kubernetes');

/** The oldest Kubernetes that the chart is for. */
const KUBERNETES = '1.30.0';

const helm = (args: readonly string[], values: object) =>
  spawnSync('helm', [...args, CHART, '--kube-version', KUBERNETES, '--values', '-'], {
    encoding: 'utf8',
    input: stringify(values),
  });

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: object;
  readonly securityContext: object;
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: Readonly<Record<string, string>> & {
      readonly matchLabels: Readonly<Record<string, string>>;
    };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly annotations: object };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly securityContext: object;
        readonly automountServiceAccountToken: boolean;
        readonly volumes: readonly {
          readonly projected?: {
            readonly sources: readonly {
              readonly secret: {
                readonly name: string;
                readonly items: readonly { readonly key: string; readonly path: string }[];
              };
            }[];
          };
        }[];
      };
    };
  };
}

const rendered = (values: object): readonly Rendered[] => {
  const { status, stdout, stderr } = helm(['template', 'night'], values);
  expect([status, stderr]).toEqual([0, '']);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
};

const deploymentsOf = (objects: readonly Rendered[]) =>
  objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);

const containersOf = (objects: readonly Rendered[]): readonly Container[] =>
  deploymentsOf(objects).flatMap(({ containers }) => containers);

const SETTINGS = {
  CRAWLER_CONTACT: 'ops@example.org',
  CRAWL_RATE_PER_S: 0.5,
  KAFKA_BROKERS: 'kafka1:9092,kafka2:9092',
  KAFKA_TLS: true,
  MARKETPLACE_MAX_LISTINGS: 2_000_000,
  LOG_LEVEL: 'warn',
  TRUSTED_PROXIES: '10.0.0.0/8',
};

const schema = chartSchema().properties as unknown as Record<
  'settings' | 'secrets',
  { readonly properties: Readonly<Record<string, object>> }
>;
const fromSecrets = Object.keys(schema.secrets.properties);

/** Values of the chart that use all of it, and such as leave most of it out. */
const VALUES: Readonly<Record<string, object>> = {
  'the values that it has': {},
  'one process a role and Kafka': {
    settings: SETTINGS,
    roles: Object.fromEntries(ROLES.map((role) => [role, { replicas: 1 }])),
  },
  'all that it offers': {
    image: { repository: 'registry.example/sightline', pullSecrets: ['registry'] },
    settings: SETTINGS,
    secrets: Object.fromEntries(fromSecrets.map((key) => [key, { name: 'vault', key: key.toLowerCase() }])),
    serviceAccountName: 'archive',
    ingress: {
      host: 'api.example.org',
      className: 'nginx',
      tlsSecret: 'api-tls',
      annotations: { 'example.org/size': '1m' },
    },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  },
};

describe('the Helm chart', () => {
  it('has the version of the program, by which it chooses the image', async () => {
    const { version, appVersion } = parse(await readFile(`${CHART}/Chart.yaml`, 'utf8')) as Record<
      string,
      string
    >;
    expect([version, appVersion]).toEqual([manifest.version, manifest.version]);
  });

  it('has the schema of values that the tables of settings and roles make', async () => {
    expect(JSON.parse(await readFile(`${CHART}/values.schema.json`, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(chartSchema())),
    );
  });

  it('takes each setting of the program in one place, and a secret as a reference only', () => {
    const inValues = Object.keys(schema.settings.properties);
    expect([...inValues, ...fromSecrets, ...OF_THE_CHART].sort()).toEqual(Object.keys(settings).sort());
    expect(fromSecrets).toEqual(expect.arrayContaining([...SECRET_KEYS]));
  });
});

describe.skipIf(!hasHelm).each(Object.entries(VALUES))('the Helm chart with %s', (_, values) => {
  let objects: readonly Rendered[];
  beforeAll(() => {
    objects = rendered(values);
  });

  it('passes the linter of Helm', () => {
    const { status, stdout, stderr } = helm(['lint', '--strict', '--quiet'], values);
    expect([status, stdout.trim(), stderr]).toEqual([0, '', '']);
  });

  it('has each role once, and the relay where there is Kafka', () => {
    const withKafka = 'settings' in values;
    const roles = containersOf(objects).map(({ args }) => args);
    expect(roles.map(String).sort()).toEqual(
      ROLES.filter((role) => withKafka || role !== 'relay')
        .map((role) => `start,--role,${role}`)
        .sort(),
    );
  });

  it('gives each process settings that the program takes, and secrets as files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-chart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = objects.find(({ kind }) => kind === 'ConfigMap')?.data?.['sightline.yaml'] as string;
    await writeFile(join(folder, 'sightline.yaml'), file);
    const image = /^ENV (.*)$/m.exec(await readFile('Dockerfile', 'utf8'))?.[1]?.split(' ') ?? [];
    for (const { containers, volumes } of deploymentsOf(objects)) {
      const mounted = volumes
        .flatMap(({ projected }) => projected?.sources ?? [])
        .flatMap(({ secret }) => secret.items.map(({ path }) => `/run/secrets/sightline/${path}`));
      const env = [
        ...image.map((pair) => pair.split('=') as [string, string]),
        ...(containers[0]?.env ?? []).map(({ name, value = '' }): [string, string] => [name, value]),
      ];
      const read = env.filter(([, value]) => value.startsWith('/run/secrets/'));
      expect(read.map(([, path]) => path).sort()).toEqual(mounted.sort());
      const own = env.filter(([name]) => !/_FILE$|^NODE_ENV$|^SIGHTLINE_CONFIG$/.test(name));
      expect(own.map(([name]) => name).sort()).toEqual([...OF_THE_CHART].sort());
      const config = parseConfig(
        Object.fromEntries([
          ...own,
          ['SIGHTLINE_CONFIG', join(folder, 'sightline.yaml')],
          ...read.map(secretOf),
        ]),
      );
      for (const [, path] of read) {
        const key = path.split('/').at(-1) as ConfigKey;
        expect(config[key], key).toBeDefined();
      }
      if ('settings' in values) {
        expect(config).toMatchObject({
          ...SETTINGS,
          KAFKA_BROKERS: ['kafka1:9092', 'kafka2:9092'],
          TRUSTED_PROXIES: ['10.0.0.0/8'],
        });
      }
    }
  });

  it('has no Secret of its own', () => {
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('gives no process more than it needs', () => {
    for (const { containers, securityContext, automountServiceAccountToken } of deploymentsOf(objects)) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.resources).toMatchObject({
          requests: { memory: '512Mi' },
          limits: { memory: '2Gi' },
        });
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('sends requests to ready processes, and restarts those that do not live', () => {
    for (const container of containersOf(objects)) {
      const at = (path: string) => expect.objectContaining({ httpGet: { path, port: 'http' } });
      expect(container.startupProbe).toEqual(at('/livez'));
      expect(container.livenessProbe).toEqual(at('/livez'));
      expect(container.readinessProbe).toEqual(at(container.args.includes('api') ? '/readyz' : '/livez'));
      expect(container.ports).toContainEqual({ name: 'http', containerPort: parseConfig({}).PORT });
    }
  });

  it('runs the image of its version', () => {
    for (const { image } of containersOf(objects)) {
      expect(image.split(':').at(-1)).toBe(manifest.version);
    }
  });

  it('selects its own processes: those of the API for requests, all for metrics', () => {
    const labels = objects
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.metadata.labels);
    const selected = (selector: Readonly<Record<string, string>>) =>
      labels
        .filter((all) => Object.entries(selector).every(([name, value]) => all[name] === value))
        .map((all) => all['app.kubernetes.io/component']);
    for (const { kind, metadata, spec } of objects) {
      const isApi = metadata.name === 'night-api';
      if (kind === 'Service') expect(selected(spec.selector)).toHaveLength(isApi ? 1 : labels.length);
      if (kind === 'PodDisruptionBudget') expect(selected(spec.selector.matchLabels)).toEqual(['api']);
      if (kind === 'Deployment')
        expect(selected(spec.selector.matchLabels)).toEqual([metadata.labels['app.kubernetes.io/component']]);
      if (kind === 'ServiceMonitor') {
        const services = objects.filter(
          (each) =>
            each.kind === 'Service' &&
            Object.entries(spec.selector.matchLabels).every(
              ([name, value]) => each.metadata.labels[name] === value,
            ),
        );
        expect(services.map((each) => each.metadata.name)).toEqual(['night-metrics']);
      }
    }
  });

  it.skipIf(!hasValidator)('conforms to the schemas of Kubernetes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-chart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'objects.yaml');
    // The operator of Prometheus has its own.
    const known = objects.filter(({ kind }) => kind !== 'ServiceMonitor');
    await writeFile(file, known.map((object) => stringify(object)).join('---\n'));
    const { status, stdout, stderr } = spawnSync('python3', [...VALIDATOR, '--strict', '--quiet', file], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });
});

describe.skipIf(!hasHelm)('values of the Helm chart', () => {
  const refused = (values: object): string => {
    const { status, stderr } = helm(['template', 'night'], values);
    expect(status).not.toBe(0);
    return stderr;
  };

  it('with any misspelt name are refused', () => {
    const slip = (name: string) => name.slice(0, -1);
    const slips = (names: readonly string[], value: unknown) =>
      Object.fromEntries(names.map((name) => [slip(name), value]));
    const inSettings = slips(Object.keys(schema.settings.properties), 'x');
    const inSecrets = slips(fromSecrets, { name: 'vault', key: 'x' });
    const inRoles = slips(ROLES, { replicas: 1 });
    const said = refused({ settings: inSettings, secrets: inSecrets, roles: inRoles, replica: 2 });
    for (const name of [inSettings, inSecrets, inRoles, { replica: 2 }].flatMap((part) =>
      Object.keys(part),
    )) {
      expect(said).toContain(`'${name}'`);
    }
  });

  it('with a secret in clear are refused, whatever secret it is', () => {
    const clear = Object.fromEntries(
      [...SECRET_KEYS].map((key) => [key, 'postgres://sightline:secret@db/x']),
    );
    const asSetting = refused({ settings: clear });
    const asSecret = refused({ secrets: clear });
    for (const key of SECRET_KEYS) {
      expect(asSetting).toContain(`'${key}'`);
      expect(asSecret).toContain(key);
    }
  });

  it('with a value that no setting may have are refused', () => {
    const said = refused({ settings: { LOG_LEVEL: 'loud', DATABASE_POOL: 1, KAFKA_TLS: 'perhaps' } });
    for (const name of ['LOG_LEVEL', 'DATABASE_POOL', 'KAFKA_TLS']) expect(said).toContain(name);
  });
});

/** What a mounted Secret has for a setting. */
const secretOf = ([name, path]: readonly [string, string]): [string, string] => {
  const key = name.replace(/_FILE$/, '') as ConfigKey;
  if (!SECRET_KEYS.has(key)) return [name, path];
  const schemes: Partial<Record<ConfigKey, string>> = {
    DATABASE_URL: 'postgres://sightline@db/sightline',
    READ_DATABASE_URL: 'postgres://sightline@replica/sightline',
    EVENT_LOG_URL: 'esdb://log:2113',
    SESSIONS_KEY: Buffer.alloc(32).toString('base64'),
    ERASURE_KEY: Buffer.alloc(32).toString('base64'),
  };
  return [key, schemes[key] ?? 'a-secret-of-a-file'];
};
