import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FetchError, type Http, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import {
  createRecordHttp,
  createReplayHttp,
  recordingOf,
  recordingSchema,
  writeRecording,
} from '../../../src/crawlers/http/recording.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterEach(() => rm(dir, { recursive: true }));

const clock = { now: () => Date.UTC(2026, 0, 1) };

const page = (more: Partial<Page> = {}): Page => ({
  url: 'https://x.com/nasa',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: 'body',
  bytes: 4,
  ...more,
});

const answering = (answer: Page): Http => ({ fetch: async () => answer, close: async () => undefined });

const NASA: HttpRequest = { platform: 'x', url: 'https://x.com/nasa' };

test('a recording is replayed', async () => {
  const answer = page({ status: 404, body: 'nobody', bytes: 6 });
  await createRecordHttp({ http: answering(answer), dir, clock }).fetch(NASA);
  expect(await createReplayHttp({ dir }).fetch(NASA)).toEqual(answer);
});

test('a recording can be written by hand', async () => {
  const path = await writeRecording(
    dir,
    recordingOf(NASA, { url: NASA.url, status: 200, headers: {}, body: 'é' }),
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await createReplayHttp({ dir }).fetch(NASA)).toMatchObject({ body: 'é', bytes: 2 });
});

test('recordings differ by platform, method, address and body', async () => {
  const others: HttpRequest[] = [
    NASA,
    { ...NASA, platform: 'bluesky' },
    { ...NASA, url: 'https://x.com/esa' },
    { ...NASA, method: 'POST', body: '1' },
    { ...NASA, method: 'POST', body: '2' },
  ];
  for (const [index, request] of others.entries()) {
    await writeRecording(dir, recordingOf(request, page({ body: String(index) })));
  }
  const replay = createReplayHttp({ dir });
  for (const [index, request] of others.entries()) {
    expect((await replay.fetch(request)).body).toBe(String(index));
  }
});

describe('secrets', () => {
  const SECRET = 'hush-hush-5f1d';
  const request: HttpRequest = {
    platform: 'x',
    url: `https://x.com/nasa?a=1&access_token=${SECRET}&csrf=${SECRET}&sessionid=${SECRET}`,
    headers: { authorization: `Bearer ${SECRET}`, cookie: `auth=${SECRET}`, 'x-csrf-token': SECRET },
  };
  const answer = page({
    url: `https://user:${SECRET}@x.com/nasa?guest_token=${SECRET}#${SECRET}`,
    headers: {
      'content-type': 'text/html',
      'set-cookie': `auth=${SECRET}`,
      'x-csrf-token': SECRET,
      'x-tt-logid': SECRET,
      authorization: SECRET,
      location: `https://x.com/login?token=${SECRET}&next=a`,
    },
    body: `<input name="csrf_token" value="${SECRET}"><script>{"csrfToken":"${SECRET}","visitorData" : "${SECRET}",
      "deep":"{\\"session_id\\":\\"${SECRET}\\"}","name":"kept"}</script>`,
  });

  test('are in no file', async () => {
    await createRecordHttp({ http: answering(answer), dir, clock }).fetch(request);
    const [file] = await readdir(dir);
    const text = await readFile(join(dir, file as string), 'utf8');
    expect(text).not.toContain(SECRET);
    expect(text).toContain('kept');
    const recording = recordingSchema.parse(JSON.parse(text));
    expect(Object.keys(recording.page.headers).toSorted()).toEqual(['content-type', 'location']);
    expect(recording.page.headers.location).toContain('next=a');
  });

  test('find the same recording after they changed', async () => {
    await createRecordHttp({ http: answering(answer), dir, clock }).fetch(request);
    const later = { ...request, url: request.url.replaceAll(SECRET, 'another') };
    expect((await createReplayHttp({ dir }).fetch(later)).status).toBe(200);
  });
});

describe('a request without a recording', () => {
  test('fails and says what to do, without showing tokens', async () => {
    const failure = await createReplayHttp({ dir })
      .fetch({ platform: 'x', url: 'https://x.com/nasa?token=hush' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FetchError);
    expect((failure as FetchError).reason).toBe('not_recorded');
    expect((failure as FetchError).message).toContain('CRAWL_MODE=record');
    expect((failure as FetchError).message).toContain('https://x.com/nasa');
    expect((failure as FetchError).message).not.toContain('hush');
  });

  test('fails likewise if the folder of recordings is missing', async () => {
    const failure = await createReplayHttp({ dir: join(dir, 'none') })
      .fetch(NASA)
      .catch((error: unknown) => error);
    expect((failure as FetchError).reason).toBe('not_recorded');
  });

  test('ignores a file that is no recording', async () => {
    const path = await writeRecording(dir, recordingOf(NASA, page()));
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, '{"format":2}');
    await expect(createReplayHttp({ dir }).fetch(NASA)).rejects.toThrow();
  });
});
