import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../support/child.ts';

/** A server that has nothing to do with the service and refuses at once: what the machine alone makes of an attack. */
const start = async (_question: null): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

if (import.meta.main) serve(start);
