import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that was passed on, and when. */
export interface RecordedRequest {
  readonly atMs: number;
  readonly path: string;
}

/** A proxy to an HTTP service that records the requests it passes on. */
export interface RecordingProxy {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

export const openRecordingProxy = async (to: string): Promise<RecordingProxy> => {
  const { hostname, port } = new URL(to);
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push({ atMs: Date.now(), path: decodeURIComponent(incoming.url ?? '') });
    const { method, headers, url: path } = incoming;
    const forwarded = send({ hostname, port, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
