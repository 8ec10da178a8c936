import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of a service, or its failure. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The connection ends in the middle of the body. */
  readonly cut?: boolean;
  /** The connection ends before an answer. */
  readonly drop?: boolean;
  /** The body begins with spaces that arrive one by one, for two seconds. */
  readonly drip?: boolean;
  /** No answer comes. */
  readonly hang?: boolean;
}

export interface ScriptedRequest {
  readonly method: string;
  readonly url: string;
  readonly key: string | null;
  readonly body: unknown;
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? null : JSON.parse(text);
};

const send = (
  response: ServerResponse,
  { status = 200, headers = {}, body, cut, drop, drip, hang }: ScriptedAnswer,
): void => {
  if (hang === true) return;
  if (drop === true) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(drip === true ? {} : { 'content-length': Buffer.byteLength(text) }),
    ...headers,
  });
  if (drip === true) {
    let spaces = 0;
    const timer = setInterval(() => {
      if (++spaces < 100) response.write(' ');
      else response.end(text);
    }, 20);
    response.once('close', () => clearInterval(timer));
  } else if (cut === true) response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
};

/** A server that answers each request as it is told. */
export const startScriptedServer = async (answer: (request: ScriptedRequest) => ScriptedAnswer) => {
  const requests: ScriptedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const key = headers['idempotency-key'];
    const request = { method, url, key: typeof key === 'string' ? key : null, body: await bodyOf(incoming) };
    requests.push(request);
    send(response, answer(request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
