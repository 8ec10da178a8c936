import { connect, createServer, type Server, type Socket } from 'node:net';

/** A stand-in for a pooler between clients and a Postgres. */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Whole messages of a stream of the Postgres protocol, after the startup; the rest is kept. */
const createMessages = () => {
  let rest = Buffer.alloc(0);
  return (chunk: Buffer): readonly Buffer[] => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= 5 && rest.length >= rest.readUInt32BE(1) + 1) {
      const length = rest.readUInt32BE(1) + 1;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return messages;
  };
};

interface Backend {
  readonly socket: Socket;
  /** Receives its messages. */
  client: Socket | null;
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] as number);

/**
 * Hands the connections of a Postgres out, as PgBouncer does: for a transaction each, or for a whole session. Each
 * client logs in on a connection of its own, which others then use.
 */
export const startPooler = async (target: string, mode: 'transaction' | 'session'): Promise<Pooler> => {
  const to = new URL(target);
  const idle: Backend[] = [];
  const open = new Set<Socket>();

  const serve = (client: Socket): void => {
    open.add(client);
    const socket = connect(Number(to.port), to.hostname);
    open.add(socket);
    let backend: Backend | null = { socket, client };
    const own = backend;
    let started = false;
    const heard = createMessages();
    const listen = createMessages();
    socket.on('error', () => undefined);
    client.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const message of heard(Buffer.from(chunk))) {
        const type = typeOf(message);
        // A pooler names no real process: a client must cancel through the pooler.
        if (type === 'K') message.writeUInt32BE(1, 5);
        own.client?.write(message);
        const isFree = type === 'Z' && String.fromCharCode(message[5] as number) === 'I';
        if (!isFree || mode === 'session') continue;
        if (own.client !== null) free.get(own.client)?.();
        own.client = null;
        idle.push(own);
      }
    });
    free.set(client, () => {
      started = true;
      backend = null;
    });
    client.on('data', (chunk) => {
      if (!started || mode === 'session') {
        socket.write(chunk);
        return;
      }
      for (const message of listen(Buffer.from(chunk))) {
        // The server's connection outlives the client's.
        if (typeOf(message) === 'X') continue;
        if (backend === null) {
          backend = idle.shift() ?? null;
          if (backend === null) throw new Error('no connection is free');
          backend.client = client;
        }
        backend.socket.write(message);
      }
    });
    client.on('close', () => {
      if (mode === 'session') socket.end();
    });
  };
  /** Takes the connection back from a client once its transaction has ended. */
  const free = new Map<Socket, () => void>();

  const server: Server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
