import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { download } from '../../crawlers/http/download.ts';
import { FetchError } from '../../crawlers/http/port.ts';
import { checkedUrl, isAllowed } from '../../crawlers/http/transport.ts';
import { type Config, userAgentOf } from '../../kernel/config.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';

/** A source of an import. */
export interface OpenSource {
  /** Size as stored or sent; null if it is unknown. */
  readonly bytes: number | null;
  /** Bytes read so far, of that size. */
  readonly done: () => number;
  /** Decompressed. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** The host of an address; null if it is a file's name. */
export const hostOf = (input: string): string | null =>
  /^https?:\/\//i.test(input) && URL.canParse(input) ? new URL(input).hostname : null;

/**
 * Checks that a URL may be downloaded, before anything is opened.
 * @throws {OperatorError} `source_refused`
 */
export const checkSource = (config: Config, input: string): void => {
  if (!URL_START.test(input)) return;
  const hosts = hostsOf(config);
  try {
    checkedUrl(input, hosts);
  } catch (error) {
    throw error instanceof FetchError ? refusalOf(hosts, input, error) : error;
  }
};

/**
 * Reads a file, or a URL of a host that the operator has named.
 * @throws {OperatorError} `file_unusable`, `source_refused`, `source_unusable`
 */
export const withSource = <Result>(
  config: Config,
  input: string,
  signal: AbortSignal,
  read: (source: OpenSource) => Promise<Result>,
): Promise<Result> =>
  URL_START.test(input) ? fromUrl(config, input, signal, read) : fromFile(input, signal, read);

/** Maximum decompressed bytes of a download. */
const MAX_BYTES = 64 * 1024 ** 3;

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

const damaged = (error: unknown): unknown => {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('Z_')
    ? new OperatorError('source_unusable', `The gzip data is damaged or cut off: ${errorMessage(error)}`, {
        cause: error,
      })
    : error;
};

/** Decompresses gzip, which is recognized by its first bytes and not by the file name. */
async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isOver = false;
  while (head.length < GZIP_MAGIC.length && !isOver) {
    const next = await iterator.next();
    if (next.done === true) isOver = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* all() {
    if (head.length > 0) yield head;
    for (let next = isOver ? null : await iterator.next(); next?.done === false; next = await iterator.next())
      yield next.value;
  }
  if (!head.subarray(0, 2).equals(GZIP_MAGIC)) {
    yield* all();
    return;
  }
  const source = Readable.from(all());
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  let size = 0;
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES)
        throw new OperatorError('source_unusable', 'The file is too large once decompressed.');
      yield chunk;
    }
  } catch (error) {
    throw damaged(error);
  }
}

const counted = (chunks: AsyncIterable<Buffer>, bytes: number | null): OpenSource => {
  let done = 0;
  async function* counting() {
    for await (const chunk of chunks) {
      done += chunk.length;
      yield chunk;
    }
  }
  return { bytes, done: () => done, chunks: decompressed(counting()) };
};

/** Hosts that listings may be imported from. */
const hostsOf = ({ MARKETPLACE_HOSTS, MARKETPLACE_URL }: Config): readonly string[] => [
  ...(MARKETPLACE_HOSTS ?? []),
  ...(MARKETPLACE_URL === undefined ? [] : [new URL(MARKETPLACE_URL).hostname]),
];

/** The refusal of a source, with the host whose addition to MARKETPLACE_HOSTS would allow it, if any. */
const refusalOf = (hosts: readonly string[], address: string, error: FetchError): OperatorError => {
  const host = hostOf(address);
  if (host === null)
    return new OperatorError('source_refused', `${address} is no https URL.`, { cause: error });
  const url = new URL(address);
  const isUnnamed = !isAllowed(url, hosts) && isAllowed(url, [host]);
  const isPublicName = host.includes('.') && !host.endsWith('.localhost');
  return new OperatorError(
    'source_refused',
    `The download was refused. ${isUnnamed ? `No setting names the host ${host}` : error.message}.`,
    { params: isUnnamed && isPublicName ? { host } : {}, cause: error },
  );
};

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

const fromUrl = async <Result>(
  config: Config,
  address: string,
  signal: AbortSignal,
  read: (source: OpenSource) => Promise<Result>,
): Promise<Result> => {
  if (config.CRAWL_MODE === 'replay')
    throw new OperatorError('source_unusable', 'Nothing is downloaded with CRAWL_MODE=replay.');
  const options = {
    hosts: hostsOf(config),
    userAgent: userAgentOf(config),
    simulatorUrl: config.SIMULATOR_URL ?? null,
    signal,
  };
  try {
    return await download(address, options, ({ bytes, body }) => read(counted(body, bytes)));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.reason === 'aborted') signal.throwIfAborted();
    throw error.reason === 'host_refused'
      ? refusalOf(options.hosts, address, error)
      : new OperatorError('source_unusable', `The download failed: ${error.message}`, { cause: error });
  }
};

const fromFile = async <Result>(
  name: string,
  signal: AbortSignal,
  read: (source: OpenSource) => Promise<Result>,
): Promise<Result> => {
  const unusable = (error: unknown) =>
    new OperatorError('file_unusable', `${name} can't be read: ${errorMessage(error)}`, { cause: error });
  const found = await stat(name).catch((error: unknown) => {
    throw unusable(error);
  });
  if (found.isDirectory()) throw new OperatorError('file_unusable', `${name} is a folder.`);
  const file = createReadStream(name, { highWaterMark: 256 * 1024, signal });
  try {
    return await read(counted(file as AsyncIterable<Buffer>, found.isFile() ? found.size : null));
  } catch (error) {
    if ((error as { syscall?: unknown }).syscall !== undefined) throw unusable(error);
    throw error;
  } finally {
    file.destroy();
  }
};
