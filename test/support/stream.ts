import { type IncomingMessage, request } from 'node:http';

/** A streamed response, as far as it came. */
export interface Streamed {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: NodeJS.Dict<string>;
  readonly text: string;
  /** Whether the response ended by itself. */
  readonly complete: boolean;
}

/** @param stop called with what has arrived; true closes the connection. */
export const readStream = (
  url: string,
  key: string,
  accept: string,
  stop: (text: string) => boolean = () => false,
): Promise<Streamed> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers: { authorization: `Bearer ${key}`, accept } }, (response) => {
      let text = '';
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          trailers: response.trailers,
          text,
          complete: response.complete,
        });
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (stop(text)) asked.destroy();
      });
      response.on('end', done);
      response.on('error', done);
      response.on('close', done);
    });
    asked.on('error', reject);
    asked.end();
  });
