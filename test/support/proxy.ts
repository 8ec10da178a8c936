import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a TCP service that can be closed to traffic and opened again. */
export interface TestProxy {
  /** The service's address through the proxy. */
  readonly url: string;
  /** Connections stay open and new ones are accepted, but nothing passes in either direction, not even an end. */
  freeze(): void;
  /** Ends what froze and lets new connections through. */
  thaw(): void;
  close(): Promise<void>;
}

export const openProxy = async (to: string): Promise<TestProxy> => {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let frozen = false;
  const keep = (socket: Socket): Socket => {
    socket.setNoDelay(true);
    sockets.add(socket);
    // Either end may be gone at any time: that is what the proxy is for.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (frozen) return;
    const far = keep(connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true }));
    const forward = (from: Socket, into: Socket) => {
      from.on('data', (chunk) => {
        if (!frozen) into.write(chunk);
      });
      from.on('end', () => {
        if (!frozen) into.end();
      });
      from.on('close', () => {
        if (!frozen) into.destroy();
      });
    };
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      cut();
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
