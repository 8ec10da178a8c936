import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';

const pem = (name: string): string =>
  readFileSync(new URL(`../../support/tls/${name}`, import.meta.url), 'utf8');

/** The authority that signed the platforms of the tests. */
export const CA = pem('ca.pem');

/** A platform behind TLS, as x.com. */
export const startPlatform = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createTlsServer({ key: pem('server.key'), cert: pem('server.pem') }, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A proxy that leads every address to one platform, and remembers what it was asked for. */
export const startProxy = async (platformPort: number) => {
  const asked: { readonly target: string; readonly authorization: string | undefined }[] = [];
  let refuses: number | null = null;
  const server = createHttpServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request, client) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (refuses !== null) {
      client.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
      return;
    }
    const upstream = connect(platformPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client);
      client.pipe(upstream);
    });
    const end = () => {
      upstream.destroy();
      client.destroy();
    };
    upstream.on('error', end);
    client.on('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    /** Answers tunnels with a status from here on; null to open them. */
    refuse: (status: number | null) => {
      refuses = status;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
