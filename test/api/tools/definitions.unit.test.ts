import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { IMPERSONATION_METHOD_VERSION } from '../../../src/write/people/impersonation.ts';

const tools = (await loadEndpoints()).filter(({ tool }) => tool !== undefined);

/** What a tool needs besides an account. */
const BESIDES: Readonly<Record<string, object>> = {
  'account-compare': { accounts: [{ platform: 'x', handle: 'esa' }] },
  'audience-overlap': { other: { platform: 'x', handle: 'esa' } },
  'growth-projection': { days: 30 },
  'virality-check': { post_url: 'https://x.com/nasa/status/1580000000000000000' },
};

it('each tool states the version of its method', () => {
  expect(tools.length).toBeGreaterThan(15);
  for (const { tool, methodVersion } of tools) expect(methodVersion, tool?.name).toMatch(/^\d/);
});

/** Paths of all fields of a name. */
const pathsOf = (name: string, value: unknown, path = ''): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        ...(key === name ? [path] : []),
        ...pathsOf(name, inner, Array.isArray(value) ? path : `${path}/${key}`),
      ]);

it('only figures with a measured probability have a confidence', () => {
  const having = tools.flatMap(({ data, tool }) =>
    pathsOf(
      'confidence',
      z.toJSONSchema(data, { io: 'output', reused: 'inline', unrepresentable: 'any' }),
    ).map((path) => `${tool?.name}${path}`),
  );
  expect(having).toEqual(['cross-platform-match/properties/candidates/items/properties']);
});

it('every tool takes a platform, a handle and an age, except the name tool', () => {
  for (const { body, tool } of tools) {
    const taken = Object.keys((body as z.ZodObject<z.ZodRawShape>).shape);
    const isOfName = tool?.name === 'username-score';
    expect(taken, tool?.name).toEqual(
      expect.arrayContaining(['platform', 'handle', ...(isOfName ? [] : ['max_age_s'])]),
    );
    const account = z.safeParse(body as z.ZodType, {
      platform: 'x',
      handle: 'nasa',
      ...BESIDES[tool?.name ?? ''],
    });
    expect(account.success, tool?.name).toBe(true);
  }
});

it('the version of similarity contains that of the impersonation model', () => {
  const similarity = tools.find(({ tool }) => tool?.name === 'handle-similarity');
  expect(similarity?.methodVersion).toBe(`2, ${IMPERSONATION_METHOD_VERSION}`);
});
