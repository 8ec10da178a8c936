import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { OperatorError } from '../kernel/errors.ts';
import { type Call, type Description, operationsIn } from './operations.ts';
import { createMcpServer, planOf } from './server.ts';

/** Calls a service over HTTP. */
const callOver =
  (url: string, key: string): Call =>
  async ({ method, path, body }) => {
    const answer = await fetch(`${url}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      cost: Number(answer.headers.get('x-request-cost') ?? 0),
      body: await answer.json(),
    };
  };

/**
 * Serves an agent on standard input and output, with a service that runs elsewhere, until its input ends.
 * @throws {OperatorError} `service_unreachable` if the service does not answer, or refuses the key.
 */
export const serveAgent = async (address: string, key: string, version: string): Promise<void> => {
  const url = new URL(address).href.replace(/\/$/, '');
  const call = callOver(url, key);
  const unreachable = (why: string) =>
    new OperatorError('service_unreachable', `The service at ${url} can't be used: ${why}`);
  const refused = await call({ method: 'GET', path: '/' }).catch((error: Error) => {
    throw unreachable(error.message);
  });
  if (refused.status !== 200)
    throw unreachable((refused.body as { error: { message: string } }).error.message);
  const { body } = await call({ method: 'GET', path: '/openapi.json' });
  const operations = operationsIn(body as Description);
  const listed = await planOf(call);
  const served = serveStdio(() => createMcpServer(call, operations, listed, version));
  await new Promise<void>((resolve) => process.stdin.once('close', resolve));
  await served.close();
};
