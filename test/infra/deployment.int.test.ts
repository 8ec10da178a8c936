import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dashboard, dashboardText } from '../../infra/grafana/dashboard.ts';
import { rulesText } from '../../infra/prometheus/rules.ts';
import { type ConfigKey, describeConfig, parseConfig, SECRET_KEYS } from '../../src/kernel/config.ts';
import { MEASURES } from '../../src/operations/health/measures.ts';
import { ROLES } from '../../src/runtime/roles/lifecycle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const text = (path: string) => readFile(join(ROOT, path), 'utf8');

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
}

const services = async (path: string): Promise<Readonly<Record<string, Service>>> =>
  (parse(await text(path), { merge: true }) as { services: Record<string, Service> }).services;

/** A value as compose fills it in. */
const filled = (value: string): string =>
  value.replaceAll(/\$\{[A-Z_]+(:\?[^}]*|:-([^}]*))?\}/g, (_, rest: string | undefined) =>
    rest?.startsWith(':-') ? rest.slice(2) : 'filled',
  );

describe.each(['infra/compose.yaml', 'infra/compose.cluster.yaml'])('%s', (path) => {
  it('conforms to the compose specification', async () => {
    // How keys are sorted, and that what is built has a name too, are questions of taste.
    const taste = [
      'service-keys-order',
      'services-alphabetical-order',
      'top-level-properties-order',
      'service-dependencies-alphabetical-order',
      'require-quotes-in-ports',
      'no-build-and-image',
    ];
    const { stdout } = await run(process.execPath, [
      join(ROOT, 'node_modules/dclint/bin/dclint.cjs'),
      ...taste.flatMap((rule) => ['--disable-rule', rule]),
      ...['--formatter', 'json', '--max-warnings', '0', join(ROOT, path)],
    ]).catch((error: { stdout: string }) => ({ stdout: error.stdout }));
    const [result] = JSON.parse(stdout) as { messages: unknown[] }[];
    expect(result?.messages ?? []).toEqual([]);
  });

  it('gives Sightline only existing settings and roles', async () => {
    const known = new Set<string>(describeConfig().map(({ key }) => key));
    const own = Object.entries(await services(path)).filter(
      ([, { environment }]) => environment?.DATABASE_URL,
    );
    expect(own.length).toBeGreaterThan(0);
    const roles = new Set<string>();
    for (const [name, { environment = {}, command }] of own) {
      expect(
        Object.keys(environment).filter(
          (key) => !known.has(key) && !SECRET_KEYS.has(key.replace(/_FILE$/, '') as ConfigKey),
        ),
        name,
      ).toEqual([]);
      const config = parseConfig(
        Object.fromEntries(
          Object.entries(environment).map(([key, value]) =>
            value.startsWith('/run/secrets/')
              ? [key.replace(/_FILE$/, ''), 'a-secret-of-a-file']
              : [key, filled(value)],
          ),
        ),
      );
      expect(config.KAFKA_BROKERS?.length, name).toBeGreaterThan(0);
      const [verb, flag, list] = command ?? ['start', '--role', ROLES.join()];
      expect([verb, flag]).toEqual(['start', '--role']);
      for (const role of list?.split(',') ?? []) roles.add(role);
    }
    expect([...roles].sort()).toEqual([...ROLES].sort());
  });

  it('mounts only existing files', async () => {
    for (const { volumes = [] } of Object.values(await services(path))) {
      for (const [from] of volumes.map((volume) => volume.split(':'))) {
        if (from?.startsWith('.')) expect(existsSync(join(ROOT, dirname(path), from)), from).toBe(true);
      }
    }
  });

  it('gives each service only the secrets that it needs, as files', async () => {
    const whole = parse(await text(path), { merge: true }) as { secrets: Record<string, object> };
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(await services(path))) {
      const secret = Object.entries(environment).filter(([key]) => /PASSWORD|TOKEN|SECRET/.test(key));
      for (const [key, value] of secret) {
        expect(key, name).toMatch(/_FILE$/);
        expect(
          secrets.map((each) => `/run/secrets/${each}`),
          name,
        ).toContain(value);
      }
      expect(Object.keys(whole.secrets), name).toEqual(expect.arrayContaining([...secrets]));
      expect(JSON.stringify(environment), name).not.toMatch(/\/\/[^/@]*:[^/@]*@/);
    }
  });

  it('gives no service more than it needs', async () => {
    for (const [name, service] of Object.entries(await services(path))) {
      expect(service.cap_drop, name).toEqual(['ALL']);
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
      expect(service.pids_limit, name).toBeGreaterThan(0);
      if (service.environment?.DATABASE_URL !== undefined) {
        expect(service.read_only, name).toBe(true);
        expect(service.tmpfs, name).toContain('/tmp');
      }
    }
  });
});

describe('the Dockerfile', () => {
  it('copies existing files, does not run as root, and has a health check', async () => {
    const lines = (await text('Dockerfile')).replaceAll('\\\n', ' ').split('\n');
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    expect(copied).toContain('src');
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const sent = (await text('.dockerignore')).split('\n').flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);
    expect(copied.filter((path) => !sent.some((each) => `${path}/`.startsWith(`${each}/`)))).toEqual([]);
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER node');
    expect(lines.some((line) => line.startsWith('HEALTHCHECK') && line.includes('/livez'))).toBe(true);
    const settings = lines.find((line) => line.startsWith('ENV NODE_ENV'))?.match(/[A-Z_]+(?==)/g) ?? [];
    const known = describeConfig().map(({ key }) => key);
    expect(settings.filter((key) => key !== 'NODE_ENV' && !known.includes(key as ConfigKey))).toEqual([]);
  });
});

describe('monitoring', () => {
  const metrics = async (): Promise<ReadonlySet<string>> => {
    const names = new Set(MEASURES.map(({ name }) => `sightline_${name}`));
    for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
      for (const [, name] of (await text(path)).matchAll(/name: '(sightline_[a-z_]+)'/g)) {
        names.add(name as string);
        for (const part of ['bucket', 'count', 'sum']) names.add(`${name}_${part}`);
      }
    }
    return names;
  };

  it('asks only for existing metrics', async () => {
    const known = await metrics();
    const asked =
      `${await text('infra/prometheus/alerts.yml')} ${dashboardText()}`.match(/sightline_[a-z_]+/g) ?? [];
    expect(new Set(asked).size).toBeGreaterThan(5);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has the rules of the table of alarms', async () => {
    expect(await text('infra/prometheus/alerts.yml')).toBe(rulesText());
  });

  it('is one dashboard, written from its source', async () => {
    expect(JSON.parse(await text('infra/grafana/dashboards/sightline.json'))).toEqual(dashboard());
    const ids = dashboard().panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('finds every service of both compose files', async () => {
    const names = await Promise.all(['infra/compose.yaml', 'infra/compose.cluster.yaml'].map(services));
    const own = names.flatMap((all) =>
      Object.entries(all).flatMap(([name, { environment }]) => (environment?.DATABASE_URL ? [name] : [])),
    );
    const { scrape_configs: jobs } = parse(await text('infra/prometheus/prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[] }[] }[];
    };
    expect(jobs[0]?.dns_sd_configs[0]?.names.toSorted()).toEqual(own.toSorted());
  });
});
