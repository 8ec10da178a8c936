import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/load.ts';
import { errorsOf } from '../../src/api/openapi.ts';
import { createTestProgram, OPERATIONS, type TestProgram } from '../support/program.ts';

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

describe('GET /v2/openapi.json', () => {
  it('is valid OpenAPI 3.1, needs no key, and describes just the endpoints that there are', async () => {
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
    expect(endpoints).toHaveLength(14);
  });

  it('lists every error that an endpoint can answer, and the list parameters', async () => {
    const document = (await program.get('/v2/openapi.json')).body as Document;
    for (const endpoint of await loadEndpoints()) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      const text = JSON.stringify(operation?.responses);
      for (const code of errorsOf(endpoint)) expect(text, endpoint.operation).toContain(`"${code}"`);
      const names = (operation?.parameters ?? []).map((p) => p.name);
      expect(names.includes('cursor'), endpoint.operation).toBe(endpoint.list);
    }
  });
});

describe('the pages for people and machines that run it', () => {
  it('serve the reference from here alone', async () => {
    const page = await program.app.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    const elsewhere = page.body.match(/(?:src|href)="(?:https?:)?\/\/[^"]+"/g) ?? [];
    expect(elsewhere).toEqual([]);
    const script = /src="([^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    const asset = await program.app.inject({ url: new URL(script, 'http://x/docs/').pathname });
    expect(asset.statusCode).toBe(200);
  });

  it('say whether the process lives, is ready, and how it does', async () => {
    expect((await program.app.inject({ url: '/livez' })).json()).toEqual({ alive: true });
    const ready = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(ready.statusCode).toBe(200);
    expect(ready.json().checks.map((c: { name: string }) => c.name)).toEqual([
      'database',
      'event log',
      'projection accounts',
      'projection directory',
      'projection frontier',
      'projection holders',
    ]);
    const metrics = await program.app.inject({ url: '/metrics', headers: OPERATIONS });
    expect(metrics.body).toContain('sightline_projection_lag_events{projection="directory"} 0');
  });

  it('are not ready when a projection is far behind or stands still, or the database is away', async () => {
    const { log } = program;
    const gone = () => ({
      id: crypto.randomUUID(),
      type: 'AccountUnavailable',
      data: { observed_at: '2026-11-01T00:00:00.000Z', source: 'crawler', surface: 'page', status: 'absent' },
    });
    const many = Array.from({ length: 51_000 }, (_, i) => ({
      stream: `account-x:lag${i}`,
      events: [gone()],
      expected: 'any' as const,
    }));
    await log.appendMany(many);
    const behind = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(behind.statusCode).toBe(503);
    expect(behind.json().ready).toBe(false);
    await program.project();
    expect((await program.app.inject({ url: '/readyz', headers: OPERATIONS })).statusCode).toBe(200);
    await log.append('account-x:late', [gone()], 'any');
    await program.database.db.query(
      "update projections.checkpoints set moved_at = now() - interval '2 minutes'",
    );
    const still = await program.app.inject({ url: '/readyz', headers: OPERATIONS });
    expect(
      still.json().checks.find((c: { name: string }) => c.name === 'projection directory'),
    ).toMatchObject({ ok: false });
  });
});
