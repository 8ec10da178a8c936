import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, isoOf } from '../../kernel/clock.ts';
import { platformSchema } from '../../kernel/platform.ts';
import { FetchError, type Http, type HttpRequest, type Page, type Transport } from './port.ts';

/** Forwards requests and records their responses. Failures are not recorded. */
export const createRecordHttp = (options: { http: Transport; dir: string; clock: Clock }): Transport => ({
  async fetch(request, given) {
    const page = await options.http.fetch(request, given);
    await writeRecording(options.dir, recordingOf(request, page, isoOf(options.clock.now())));
    return page;
  },
  close: () => options.http.close(),
});

/** Plays responses back from a folder of recordings, without network. */
export const createReplayHttp = (options: { dir: string }): Http => ({
  async fetch(request) {
    const recording = await readRecording(options.dir, request);
    if (recording === null) {
      throw new FetchError(
        'not_recorded',
        `${request.method ?? 'GET'} ${redactUrl(request.url)} is not recorded in ${options.dir}. ` +
          'Fetch it once with CRAWL_MODE=record, or leave replay with CRAWL_MODE=live.',
      );
    }
    return { ...recording.page, bytes: Buffer.byteLength(recording.page.body) };
  },
  close: () => Promise.resolve(),
});

/** A recorded response: a JSON file without credentials. */
export const recordingSchema = z.strictObject({
  format: z.literal(1),
  recorded_at: z.iso.datetime({ precision: 3 }).nullable(),
  request: z.strictObject({
    platform: platformSchema,
    method: z.enum(['GET', 'POST']),
    url: z.string(),
    /** SHA-256 of the request body, hexadecimal; null without one. */
    body_sha256: z.string().nullable(),
  }),
  page: z.strictObject({
    url: z.string(),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});

/** Creates a recording. Secrets are redacted here, centrally. */
export const recordingOf = (
  request: HttpRequest,
  page: Omit<Page, 'bytes'>,
  recordedAt: string | null = null,
): Recording => ({
  format: 1,
  recorded_at: recordedAt,
  request: requestOf(request),
  page: {
    url: redactUrl(page.url),
    status: page.status,
    headers: redactHeaders(page.headers, page.url),
    body: redactBody(page.body),
  },
});

/** Writes a recording into a folder, replacing an older one of the same request. @returns the file's path. */
export const writeRecording = async (dir: string, recording: Recording): Promise<string> => {
  await mkdir(dir, { recursive: true });
  const path = join(dir, fileOf(recording.request));
  const draft = `${path}.${process.pid}.${Math.trunc(performance.now() * 1000)}.tmp`;
  await writeFile(draft, `${JSON.stringify(recording, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return path;
};

/** A URL without fragment, credentials and token-like parameters. */
export const redactUrl = (address: string, base?: string): string => {
  if (!URL.canParse(address, base)) return address;
  const url = new URL(address, base);
  url.username = '';
  url.password = '';
  url.hash = '';
  for (const name of new Set(url.searchParams.keys())) {
    if (SECRET_FIELD.test(name) || SECRET_PARAMETER.test(name)) url.searchParams.set(name, REDACTED);
  }
  return url.href;
};

/** A body with the values of token-like JSON fields and form inputs redacted. */
export const redactBody = (body: string): string =>
  redactInputs(
    body.replace(FIELD, (all, quote: string, name: string, colon: string) =>
      SECRET_FIELD.test(name) ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}` : all,
    ),
  );

type Recording = z.infer<typeof recordingSchema>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const requestOf = ({ platform, method, url, body }: HttpRequest): Recording['request'] => ({
  platform,
  method: method ?? 'GET',
  url: redactUrl(url),
  body_sha256: body === undefined ? null : sha256(body),
});

const fileOf = (request: Recording['request']): string => {
  const key = [request.platform, request.method, request.url, request.body_sha256 ?? ''].join('\n');
  return `${request.platform}-${sha256(key).slice(0, 32)}.json`;
};

/**
 * Reads the recording of a request; null if there is none.
 * @throws {z.ZodError | SyntaxError} if the file is not a recording.
 */
const readRecording = async (dir: string, request: HttpRequest): Promise<Recording | null> => {
  let text: string;
  try {
    text = await readFile(join(dir, fileOf(requestOf(request))), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return recordingSchema.parse(JSON.parse(text));
};

/** Names of fields and parameters with credentials or tracking IDs. */
const SECRET_FIELD =
  /token|csrf|secret$|session_?(?:id|key)|passw|authorization|^auth$|cookie|visitor_?data|api_?key|guest_?id|ttwid|webid/i;

// Secret in URLs only: in a page `signature` may be a biography and `key` anything.
const SECRET_PARAMETER = /^(?:key|sig|signature|auth|session)$/i;

const REDACTED = 'redacted';

// "name":"value", also with escaped quotes, as in JSON within a string. A match begins at a run of backslashes, and
// nesting is limited to four levels, so the match takes linear time.
const FIELD = /(?<!\\)(\\{0,15}")([\w$.-]{1,60})\1(\s*:\s*)\1((?:(?!\1)[^\\"]|\\[^"])*)\1/g;
const INPUT = /<input\b/gi;

const redactInput = (tag: string): string => {
  const name = /\bname\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
  return name !== undefined && SECRET_FIELD.test(name)
    ? tag.replace(/\bvalue\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i, `value="${REDACTED}"`)
    : tag;
};

/** A page with the values of token-like inputs redacted. Single pass, however many tags are unterminated. */
const redactInputs = (html: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of html.matchAll(INPUT)) {
    if (index < from) continue;
    const end = html.indexOf('>', index);
    if (end === -1) break;
    parts.push(html.slice(from, index), redactInput(html.slice(index, end + 1)));
    from = end + 1;
  }
  parts.push(html.slice(from));
  return parts.join('');
};

/** Response headers kept in a recording; all others are dropped. */
const KEPT =
  /^(content-type|content-language|date|last-modified|location|retry-after|ratelimit-.*|x-ratelimit-.*|x-rate-limit-.*)$/;

const redactHeaders = (headers: Readonly<Record<string, string>>, base: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => KEPT.test(name.toLowerCase()))
      .map(([name, value]) => [
        name.toLowerCase(),
        name.toLowerCase() === 'location' ? redactUrl(value, base) : value,
      ]),
  );
