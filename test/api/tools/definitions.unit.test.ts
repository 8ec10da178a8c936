import { expect, it } from 'vitest';
import type { z } from 'zod';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { IMPERSONATION_METHOD_VERSION } from '../../../src/write/people/impersonation/model.ts';

const tools = (await loadEndpoints()).filter(({ tool }) => tool !== undefined);

it('each tool describes its own confidence, and states the version of its method', () => {
  expect(tools.length).toBeGreaterThan(15);
  for (const { data, tool, methodVersion } of tools) {
    const { confidence } = (data as z.ZodObject<z.ZodRawShape>).shape;
    expect((confidence as z.ZodType).description, tool?.name).toMatch(/./);
    expect(methodVersion, tool?.name).toMatch(/^\d/);
  }
});

it('the version of similarity has that of the model of impersonators in it', () => {
  const similarity = tools.find(({ tool }) => tool?.name === 'handle-similarity');
  expect(similarity?.methodVersion).toBe(`1, ${IMPERSONATION_METHOD_VERSION}`);
});
