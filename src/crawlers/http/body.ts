import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { FetchError } from './port.ts';

/** Below this size the thread pool's round trip costs more than the decompression. */
const INLINE_BYTES = 256 * 1024;

type Options = { maxOutputLength: number };
type Decompress = {
  now: (data: Buffer, o: Options) => Buffer;
  later: (data: Buffer, o: Options) => Promise<Buffer>;
};

// zlib stops at `maxOutputLength`: a decompression bomb uses no more memory than a normal page.
const DECOMPRESS: Readonly<Record<string, Decompress>> = {
  gzip: { now: zlib.gunzipSync, later: promisify<Buffer, Options, Buffer>(zlib.gunzip) },
  deflate: { now: zlib.inflateSync, later: promisify<Buffer, Options, Buffer>(zlib.inflate) },
  br: { now: zlib.brotliDecompressSync, later: promisify<Buffer, Options, Buffer>(zlib.brotliDecompress) },
  zstd: { now: zlib.zstdDecompressSync, later: promisify<Buffer, Options, Buffer>(zlib.zstdDecompress) },
};

export const ACCEPT_ENCODING = Object.keys(DECOMPRESS).join(', ');

export const tooLarge = (maxBytes: number) =>
  new FetchError('too_large', `The body is larger than ${maxBytes} bytes`);

/**
 * Decodes the content encodings, last applied first.
 * @throws {FetchError} too_large, or http_error if the data is truncated or the encoding unknown.
 */
export const decompress = async (
  data: Buffer,
  encodings: string | undefined,
  maxBytes: number,
): Promise<Buffer> => {
  let out = data;
  for (const name of (encodings ?? '').toLowerCase().split(',').reverse()) {
    const encoding = name.trim().replace(/^x-/, '');
    if (encoding === '' || encoding === 'identity' || out.length === 0) continue;
    const method = DECOMPRESS[encoding];
    if (method === undefined) throw new FetchError('http_error', `Unknown content encoding ${encoding}`);
    const options = { maxOutputLength: maxBytes };
    try {
      out = out.length < INLINE_BYTES ? method.now(out, options) : await method.later(out, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
      throw new FetchError('http_error', `The ${encoding} body is broken`, { cause: error });
    }
  }
  return out;
};

/** What is smaller is collected cheaply. */
const FREED_BYTES = 16 * 1024;

/**
 * Frees the memory of a buffer that is not read any more, instead of leaving it to a collection of the whole heap: a
 * crawler at full speed would keep more in such buffers than in everything else. What may be a slice of Node's pool is left alone.
 */
export const free = ({ buffer, byteLength }: Buffer): void => {
  const mayBePooled = buffer.byteLength >= Buffer.poolSize && byteLength <= Buffer.poolSize / 2;
  if (mayBePooled || buffer.byteLength < FREED_BYTES || !(buffer instanceof ArrayBuffer)) return;
  // Node 20 has no such method.
  buffer.transfer?.(0);
};

/** Decodes text by the header's charset; UTF-8 if it is missing or unknown. */
export const decode = (data: Buffer, contentType: string | undefined): string => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') {
    try {
      return new TextDecoder(charset).decode(data);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const text = data.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
};
