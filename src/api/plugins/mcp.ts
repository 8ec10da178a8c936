import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { type Call, type Description, operationsIn } from '../../mcp/operations.ts';
import { createMcpServer, planOf } from '../../mcp/server.ts';
import { onceMade } from './documents.ts';

export const MCP = '/mcp';

/** Calls an operation as the caller of a request would: with its key, from its address, by the way of all requests. */
const callAs =
  (app: FastifyInstance, { ip, headers: { authorization = '' } }: FastifyRequest): Call =>
  async ({ method, path, body }) => {
    const answer = await app.inject({
      method: method as 'GET' | 'POST',
      url: `/v2${path}`,
      remoteAddress: ip,
      headers: { authorization },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return {
      status: answer.statusCode,
      cost: Number(answer.headers['x-request-cost'] ?? 0),
      body: answer.json(),
    };
  };

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. A message makes the calls that its tool needs, and
 * those are authorized, metered and limited as if they came alone.
 */
export const registerMcp = (
  app: FastifyInstance,
  authenticate: onRequestHookHandler,
  describe: () => Promise<Description>,
): void => {
  const operations = onceMade(async () => operationsIn(await describe()));
  app.post(MCP, { onRequest: authenticate }, async (request, reply) => {
    const call = callAs(app, request);
    const known = await operations();
    const handler = createMcpHandler(async () => {
      const isListing = (request.body as { method?: unknown } | null)?.method === 'tools/list';
      return createMcpServer(call, known, isListing ? await planOf(call) : null, manifest.version);
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const body = JSON.stringify(request.body);
    headers.set('content-length', String(Buffer.byteLength(body)));
    const asked = new Request(`http://localhost${MCP}`, { method: 'POST', headers, body });
    const answer = await handler.fetch(asked, { parsedBody: request.body });
    const text = await answer.text();
    await handler.close();
    if (request.raw.complete) reply.removeHeader('connection');
    return reply
      .code(answer.status)
      .type(answer.headers.get('content-type') ?? 'application/json')
      .send(text);
  });
};
