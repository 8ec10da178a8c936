import { expect } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import type { TestProgram } from './program.ts';

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
export type ToolAnswer = { status: number; data: any; meta: any; error: any };

export type ToolCall = (name: string, body: unknown) => Promise<ToolAnswer>;

/** The endpoints of tools. */
export const loadTools = async (): Promise<readonly Endpoint[]> =>
  (await loadEndpoints()).filter(({ tool }) => tool !== undefined);

/** Calls tools by name; each result matches the schema that the tool states. */
export const toolCalls = async (program: TestProgram, key: string): Promise<ToolCall> => {
  const tools = await loadTools();
  return async (name, body) => {
    const { status, body: answered } = await program.post(`/v2/tools/${name}`, body, key);
    const endpoint = tools.find(({ path }) => path === `/tools/${name}`);
    if (status === 200 && endpoint !== undefined)
      expect(z.parse(endpoint.data, answered.data)).toEqual(answered.data);
    return { status, ...answered };
  };
};
