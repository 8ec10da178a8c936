import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import type { HttpRequest, Page } from './port.ts';
import { redactBody, redactHeaders, redactUrl } from './redact.ts';

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

export type Recording = z.infer<typeof recordingSchema>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const requestOf = ({ platform, method, url, body }: HttpRequest): Recording['request'] => ({
  platform,
  method: method ?? 'GET',
  url: redactUrl(url),
  body_sha256: body === undefined ? null : sha256(body),
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

const fileOf = (request: Recording['request']): string => {
  const key = [request.platform, request.method, request.url, request.body_sha256 ?? ''].join('\n');
  return `${request.platform}-${sha256(key).slice(0, 32)}.json`;
};

/** Writes a recording into a folder, replacing an older one of the same request. @returns the file's path. */
export const writeRecording = async (dir: string, recording: Recording): Promise<string> => {
  await mkdir(dir, { recursive: true });
  const path = join(dir, fileOf(recording.request));
  const draft = `${path}.${process.pid}.${Math.trunc(performance.now() * 1000)}.tmp`;
  await writeFile(draft, `${JSON.stringify(recording, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return path;
};

/**
 * Reads the recording of a request; null if there is none.
 * @throws {z.ZodError | SyntaxError} if the file is not a recording.
 */
export const readRecording = async (dir: string, request: HttpRequest): Promise<Recording | null> => {
  let text: string;
  try {
    text = await readFile(join(dir, fileOf(requestOf(request))), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return recordingSchema.parse(JSON.parse(text));
};
