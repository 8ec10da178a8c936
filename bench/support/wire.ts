import { connect } from 'node:net';

/**
 * One connection of a caller, which asks one thing after the other. It parses no more of an answer than its status and
 * length, so that the processor is the servers'.
 */
export interface Wire {
  /** @returns the status of the answer, once all of it is there. */
  ask(path: string): Promise<number>;
  close(): void;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const HEAD_BYTES = 2_048;

export const openWire = (url: string, key: string): Promise<Wire> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const tail = ` HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`;
    let answered: (status: number) => void = () => undefined;
    let failed: (error: Error) => void = reject;
    let status = 0;
    let missing = 0;
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    socket.on('error', (error) => failed(error));
    socket.on('close', () => failed(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const head = chunk.toString('latin1', 0, HEAD_BYTES);
        const end = head.indexOf('\r\n\r\n');
        const length = LENGTH.exec(head)?.[1];
        if (end < 0 || length === undefined) {
          failed(new Error(`not the answer that was expected: ${head.slice(0, 500)}`));
          return;
        }
        status = Number(head.slice(9, 12));
        missing = end + 4 + Number(length);
      }
      missing -= chunk.length;
      if (missing <= 0) {
        missing = 0;
        answered(status);
      }
    });
    socket.once('connect', () =>
      resolve({
        ask: (path) =>
          new Promise((done, refuse) => {
            answered = done;
            failed = refuse;
            socket.write(`GET ${path}${tail}`);
          }),
        close: () => {
          failed = () => undefined;
          socket.destroy();
        },
      }),
    );
  });
