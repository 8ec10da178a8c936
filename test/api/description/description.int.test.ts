import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveRefs } from '../../../infra/checks/contract/compare-schemas.ts';
import type { Json } from '../../../src/api/contract/json.ts';
import { errorsOf } from '../../../src/api/description/document.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { PROJECTION_NAMES } from '../../../src/projections/names.ts';
import { createTestProgram, OPERATIONS, type TestProgram } from '../../support/program.ts';

let program: TestProgram;

beforeAll(async () => {
  program = await createTestProgram();
});

afterAll(() => program.close());

interface Document {
  readonly openapi: string;
  readonly paths: Record<
    string,
    Record<
      string,
      { operationId: string; responses: Record<string, unknown>; parameters?: { name: string }[] }
    >
  >;
}

/** The served document with its references resolved. */
const readDocument = async (): Promise<Document> =>
  resolveRefs((await program.get('/v2/openapi.json')).body as Json) as unknown as Document;

describe('GET /v2/openapi.json', () => {
  it('is valid OpenAPI 3.1, needs no key, and describes exactly the existing endpoints', async () => {
    const { status, body } = await program.get('/v2/openapi.json');
    expect(status).toBe(200);
    const result = await new Validator().validate(structuredClone(body));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    const document = body as Document;
    expect(document.openapi).toBe('3.1.0');
    const described = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((o) => o.operationId),
    );
    const endpoints = await loadEndpoints();
    expect(described.sort()).toEqual(['getCapabilities', ...endpoints.map((e) => e.operation)].sort());
  });

  it('lists every error that an endpoint can answer, and the list parameters', async () => {
    const document = await readDocument();
    for (const endpoint of await loadEndpoints()) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      const text = JSON.stringify(operation?.responses);
      for (const code of errorsOf(endpoint)) expect(text, endpoint.operation).toContain(`"${code}"`);
      const names = (operation?.parameters ?? []).map((p) => p.name);
      expect(names.includes('cursor'), endpoint.operation).toBe(endpoint.list);
    }
  });

  it('has at most 8 kB a path on average', async () => {
    const { body, headers } = await program.get('/v2/openapi.json');
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(Number(headers['content-length'])).toBe(bytes);
    expect(bytes / Object.keys((body as Document).paths).length).toBeLessThanOrEqual(8_000);
  });
});

/** Keywords that say something of values of one type alone (JSON Schema, validation, 6.2 to 6.5). */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  pattern: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  format: ['string', 'integer', 'number'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  properties: ['object'],
  required: ['object'],
};

const typeOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return typeof value === 'number' && Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

/** What in a part of the document says one thing and another. */
const contradictions = (part: unknown, at = ''): readonly string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const schema = part as Record<string, unknown>;
  const found: string[] = [];
  if (typeof schema.type === 'string' || Array.isArray(schema.type)) {
    const types = [schema.type].flat() as string[];
    for (const [keyword, of] of Object.entries(OF_TYPE)) {
      if (keyword in schema && !types.some((type) => of.includes(type)))
        found.push(`${at}: ${types} ${keyword}`);
    }
    const values = [...((schema.enum as unknown[]) ?? []), ...('const' in schema ? [schema.const] : [])];
    const examples = 'example' in schema ? [schema.example] : [];
    for (const value of [...values, ...examples]) {
      if (!typeOf(value).some((type) => types.includes(type)))
        found.push(`${at}: ${types} ${JSON.stringify(value)}`);
    }
  }
  return [
    ...found,
    ...Object.entries(schema).flatMap(([name, value]) => contradictions(value, `${at}/${name}`)),
  ];
};

describe('the OpenAPI description', () => {
  it('never describes a value in two contradictory ways', async () => {
    const document = await readDocument();
    expect(contradictions(document)).toEqual([]);
    const list = document.paths['/directory']?.get?.parameters as {
      name: string;
      schema: object;
    }[];
    const schemaOf = (name: string) => list.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf('verified')).toEqual({ type: 'boolean' });
    expect(schemaOf('max_followers')).toEqual({ type: 'integer', minimum: 0, maximum: 2 ** 53 - 1 });
    expect(schemaOf('q')).toMatchObject({ type: 'string', minLength: 1, maxLength: 100 });
    expect(contradictions({ type: 'boolean', enum: ['true'] })).toHaveLength(1);
  });

  it('promises exactly the headers that answers have', async () => {
    const document = await readDocument();
    const key = await program.issueKey();
    const stranger = { 'x-forwarded-for': '192.0.2.1' };
    const answers = [
      ...(await Promise.all(
        [undefined, 'slk_nonsense'].map((bad) => program.get('/v2/directory', bad, stranger)),
      )),
      await program.get('/v2/directory', key),
      await program.get('/v2/directory?limit=0', key),
      await program.get('/v2/directory?sort=luck', key),
    ];
    for (let i = 0; i < 70; i += 1) answers.push(await program.get('/v2/directory'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 429]));
    const responses = (document.paths['/directory']?.get?.responses ?? {}) as Record<
      string,
      { headers: Record<string, { required?: boolean }> }
    >;
    const ofHttp = ['content-type', 'content-length', 'date', 'connection'];
    for (const { status, headers } of answers) {
      const documented = responses[String(status)]?.headers ?? {};
      const promised = Object.keys(documented).filter((name) => documented[name]?.required === true);
      const given = Object.keys(headers).filter((name) => !ofHttp.includes(name));
      expect(
        promised.filter((name) => !given.includes(name)),
        `${status}`,
      ).toEqual([]);
      expect(
        given.filter((name) => !(name in documented)),
        `${status}`,
      ).toEqual([]);
    }
    const etag = String(answers.find(({ status }) => status === 200)?.headers.etag);
    const unchanged = await program.get('/v2/directory', key, { 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    expect(Object.keys(responses)).toContain('304');
  });
});

describe('the pages for people and machines that run the service', () => {
  it('serve the reference from this host alone', async () => {
    const page = await program.app.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    const elsewhere = page.body.match(/(?:src|href)="(?:https?:)?\/\/[^"]+"/g) ?? [];
    expect(elsewhere).toEqual([]);
    const script = /src="([^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    // As a browser asks: what an address may download in a second is counted as it is sent.
    const { pathname } = new URL(script, 'http://x/docs/');
    const asset = await program.app.inject({ url: pathname, headers: { 'accept-encoding': 'gzip' } });
    expect(asset.statusCode).toBe(200);
  });

  it('report whether the process lives, is ready, and its metrics', async () => {
    expect((await program.app.inject({ url: '/livez' })).json()).toEqual({ alive: true });
    const ready = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(ready.statusCode).toBe(200);
    expect(ready.json().checks.map((c: { name: string }) => c.name)).toEqual([
      'database',
      'event log',
      ...PROJECTION_NAMES.map((name) => `projection ${name}`),
    ]);
    const metrics = await program.app.inject({ url: '/metrics', headers: OPERATIONS });
    expect(metrics.body).toContain('sightline_projection_lag_events{projection="directory"} 0');
  });

  it('are not ready when a projection lags or stalls, or the database is unavailable', async () => {
    const { log } = program;
    const gone = () => ({
      id: crypto.randomUUID(),
      type: 'AccountUnavailable',
      data: { observed_at: '2026-11-01T00:00:00.000Z', source: 'crawler', surface: 'page', status: 'absent' },
    });
    // Far more than the views have followed; none of them folds these.
    await program.database.db.query(
      `insert into log.events
       select head + n, 'nobodys-x', n - 1, gen_random_uuid(), 'NobodysEvent', '{}', '{}', now()
       from (select coalesce(max(position), 0) as head from log.events) as at, generate_series(1, 51000) n`,
    );
    const behind = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(behind.statusCode).toBe(503);
    expect(behind.json().ready).toBe(false);
    await program.project();
    expect((await program.app.inject({ url: '/readyz', headers: OPERATIONS })).statusCode).toBe(200);
    await log.append('account-x:late', [gone()], 'any');
    await program.database.db.query(
      "update projections.checkpoints set updated_at = now() - interval '2 minutes'",
    );
    const still = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(
      still.json().checks.find((c: { name: string }) => c.name === 'projection directory'),
    ).toMatchObject({ ok: false });
  });
});
