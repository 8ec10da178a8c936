import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type buildConnector as Connectors, type Dispatcher, Pool } from 'undici';
import { errorMessage } from '../../kernel/errors.ts';
import { trimmedEnd } from '../../kernel/text.ts';
import { FetchError, type ProxyServer } from './port.ts';

/** The connections over which checked URLs are fetched. */
export interface HttpTransport {
  /**
   * @param proxy name of the proxy to send it through; null for none.
   * @throws {FetchError} proxy_failed, if there is no such proxy.
   */
  to(url: URL, proxy: string | null): { dispatcher: Dispatcher; origin: string; path: string };
  close(): Promise<void>;
}

/** To the platforms, directly or through proxies, with addresses checked when connecting. */
export const internetTransport = (
  resolve: Resolve,
  connectMs: number,
  proxies: readonly ProxyServer[] = [],
): HttpTransport => {
  const direct = new Agent({ ...pool, connect: { timeout: connectMs, lookup: publicLookup(resolve) } });
  const tunnels = proxies.map((proxy) => {
    const tunnel = createTunnel(proxy, resolve, connectMs);
    return { name: proxy.name, tunnel, dispatcher: new Agent({ ...pool, connect: tunnel.connect }) };
  });
  return {
    to: (url, proxy) => {
      const dispatcher = proxy === null ? direct : tunnels.find(({ name }) => name === proxy)?.dispatcher;
      if (dispatcher === undefined) throw new FetchError('proxy_failed', `There is no proxy ${proxy}`);
      return { dispatcher, origin: url.origin, path: url.pathname + url.search };
    },
    close: async () => {
      await direct.destroy();
      for (const { dispatcher, tunnel } of tunnels) {
        await dispatcher.destroy();
        await tunnel.close();
      }
    },
  };
};

/** To one simulator for all hosts: the host becomes the first segment of the path. Proxies are never used. */
export const simulatorTransport = (simulatorUrl: string, connectMs: number): HttpTransport => {
  const base = new URL(simulatorUrl);
  if (base.protocol !== 'http:') throw new TypeError('The simulator is reached by plain http');
  const prefix = trimmedEnd(base.pathname, '/');
  const dispatcher = new Agent({ ...pool, connections: 256, connect: { timeout: connectMs } });
  return {
    to: (url) => ({
      dispatcher,
      origin: base.origin,
      path: `${prefix}/${url.hostname}${url.pathname}${url.search}`,
    }),
    close: () => dispatcher.destroy(),
  };
};

// zlib stops at `maxOutputLength`, so a decompression bomb uses no more memory than a normal page.
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

/**
 * Frees the memory of a buffer that is no longer needed, without waiting for a full garbage collection: at full speed,
 * such buffers would take more memory than everything else. Possible slices of Node's buffer pool are left alone.
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

/**
 * Parses a URL and checks it against SSRF: https, no credentials, default port, a listed host. IP addresses are
 * rejected, since no DNS check would cover them.
 * @throws {FetchError} host_refused
 */
export const checkedUrl = (address: string, hosts: readonly string[]): URL => {
  // Parsers disagree about the host if there are backslashes or blanks.
  const url = !/[\\\s]/.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw new FetchError('host_refused', `Not a URL: ${address.slice(0, 200)}`);
  const why = refusal(url, hosts);
  if (why !== null) throw new FetchError('host_refused', `${why}: ${url.origin}`);
  return url;
};

/** Whether a redirect to this URL may be followed. */
export const isAllowed = (url: URL, hosts: readonly string[]): boolean => refusal(url, hosts) === null;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** DNS look-up: all addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** Whether an address is public: not private, local, mapped or tunnelled. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 is allocated (RFC 4291); others, such as ::127.0.0.1, only count as unicast by default.
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
};

/**
 * Look-up used for connecting. Checked addresses are the connected ones, which prevents DNS rebinding.
 */
export const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    checkedAddresses(resolve, hostname).then(
      (addresses) => {
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => callback(error, []),
    );
  };

const HTTPS = 443;

/** Connects to platforms through a proxy. */
interface Tunnel {
  readonly connect: Connectors.connector;
  close(): Promise<void>;
}

/**
 * Tunnels of a proxy (CONNECT). The proxy is asked for the checked address of a host, never for a name that it would look
 * up itself; within the tunnel the host's certificate is required.
 */
const createTunnel = (proxy: ProxyServer, resolve: Resolve, connectMs: number): Tunnel => {
  const { name, url, authorization, ca } = proxy;
  const toProxy = new Pool(url, { connect: { timeout: connectMs }, pipelining: 1, allowH2: false });
  const secured = buildConnector({ timeout: connectMs, allowH2: false, ...(ca === undefined ? {} : { ca }) });

  const failed = (what: string, cause?: unknown): FetchError =>
    new FetchError('proxy_failed', `The proxy ${name} failed: ${what}`, { cause });

  const open = async (hostname: string) => {
    const { address, family } = await checkedAddress(resolve, hostname);
    const path = `${family === 6 ? `[${address}]` : address}:${HTTPS}`;
    const { socket, statusCode } = await toProxy
      .connect({
        path,
        headers: { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
        signal: AbortSignal.timeout(connectMs),
      })
      .catch((error: unknown) => {
        throw failed(errorMessage(error), error);
      });
    if (statusCode === 200) return socket;
    socket.on('error', () => undefined).destroy();
    throw failed(`it answered HTTP ${statusCode} to CONNECT`);
  };

  return {
    connect: (options, callback) => {
      open(options.hostname).then(
        (httpSocket) =>
          secured({ ...options, httpSocket: httpSocket as never }, (error, socket) =>
            error === null
              ? callback(null, socket as never)
              : callback(failed(errorMessage(error), error), null),
          ),
        (error: Error) => callback(error, null),
      );
    },
    close: () => toProxy.destroy(),
  };
};

const pool = { connections: 64, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false } as const;

/** Below this size the thread pool's round trip costs more than the decompression. */
const INLINE_BYTES = 256 * 1024;

type Options = { maxOutputLength: number };
type Decompress = {
  now: (data: Buffer, o: Options) => Buffer;
  later: (data: Buffer, o: Options) => Promise<Buffer>;
};

/** Smaller buffers are left to the garbage collector, which collects them cheaply. */
const FREED_BYTES = 16 * 1024;

/** Whether a host is listed: exactly, or below an entry that starts with a dot. */
const isListed = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));

/** The URL parser normalizes IP addresses to `[…]` or dotted digits; the last label of a name is never a number. */
const isAddress = (hostname: string): boolean =>
  hostname.startsWith('[') || (/\d$/.test(hostname) && ipaddr.isValid(hostname));

const refusal = (url: URL, hosts: readonly string[]): string | null => {
  if (url.protocol !== 'https:') return 'Only https is fetched';
  if (url.username !== '' || url.password !== '') return 'URLs with credentials are not fetched';
  if (url.port !== '') return 'Only the default port is fetched';
  // The URL parser has normalized 127.1, 0x7f.1, 017700000001 and full-width digits.
  if (isAddress(url.hostname)) return 'An IP address in place of a host name';
  return isListed(url.hostname, hosts) ? null : "The host is not one of this platform's";
};

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * The addresses of a host; one non-public address rejects the whole result.
 * @throws {FetchError} host_refused
 */
const checkedAddresses = async (
  resolve: Resolve,
  hostname: string,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
  const [first, ...others] = await resolve(hostname);
  const bad = [first, ...others].find((one) => one !== undefined && !isPublic(one.address));
  if (bad !== undefined || first === undefined) {
    const what = bad === undefined ? 'to nothing' : `to ${bad.address}, which is not public`;
    throw new FetchError('host_refused', `${hostname} resolves ${what}`);
  }
  return [first, ...others];
};

/**
 * The public address of a host, for connecting by address.
 * @throws {FetchError} host_refused
 */
const checkedAddress = async (resolve: Resolve, hostname: string): Promise<ResolvedAddress> =>
  (await checkedAddresses(resolve, hostname))[0];
