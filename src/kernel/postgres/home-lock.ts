import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the process that runs a home's Postgres says of itself. */
export interface Owner {
  readonly pid: number;
  /** A `service` runs until it is stopped, a `command` for as long as it takes. */
  readonly role: 'service' | 'command';
  /** Port of its Postgres; null while that starts. */
  readonly port: number | null;
}

/** This process owns the home until it releases it or ends, however it ends. */
export interface HomeLock {
  ready(port: number): void;
  release(): Promise<void>;
}

// A listening socket is a lock that the system lets go of when its holder dies, which a lock file is not. On Linux
// its name lives outside the file system; elsewhere a file is left behind, and removed when nobody answers on it.
const addressOf = (home: string): string => {
  const name = `sightline-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
};

const listen = (server: Server, address: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(address, () => resolve(true));
  });

/** Takes the home, or returns null where another process has it. */
export const takeHome = async (home: string, role: Owner['role']): Promise<HomeLock | null> => {
  const address = addressOf(home);
  let port: number | null = null;
  const waiting = new Set<Socket>();
  const state = () => `${JSON.stringify({ pid: process.pid, role, port } satisfies Owner)}\n`;
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => waiting.delete(socket));
    socket.write(state());
  });
  if (!(await listen(server, address))) return null;
  server.unref();
  return {
    ready(at) {
      port = at;
      for (const socket of waiting) socket.write(state());
    },
    release: () =>
      new Promise((resolve) => {
        for (const socket of waiting) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

/**
 * Asks the owner of a home who it is, until `enough` says that the answer will do or the owner is gone.
 * @returns the owner's last words, or null where there is none any more.
 */
export const askOwner = (
  home: string,
  enough: (owner: Owner) => boolean,
  timeoutMs: number,
): Promise<Owner | null> => {
  const address = addressOf(home);
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const timer = setTimeout(
      () => finish(() => reject(new Error(`no word from the owner of ${home} within ${timeoutMs} ms`))),
      timeoutMs,
    );
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    let buffer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      buffer += chunk;
      const lines = buffer.split('\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) {
        const owner = JSON.parse(line) as Owner;
        if (enough(owner)) finish(() => resolve(owner));
      }
    });
    socket.on('error', () => {
      const settle = () => finish(() => resolve(null));
      if (address.startsWith('\0')) settle();
      else unlink(address).then(settle, settle);
    });
    socket.on('close', () => finish(() => resolve(null)));
  });
};
