import { readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '../../infra/simulator/fault-kinds.ts';
import { statusOf } from '../../src/api/pipeline/errors.ts';
import { ERRORS } from '../../src/kernel/errors.ts';
import { differences, type Example, examplesOf, headerDifferences } from './guide.ts';
import { createGuideProgram, type GuideProgram } from './guide-program.ts';

const GUIDE = new URL('../../docs/api.md', import.meta.url);
const guide = await readFile(GUIDE, 'utf8');
const examples = examplesOf(guide);

let world: GuideProgram;
/** Of the answers so far: what a following request of the guide refers to. */
let last: { cursor: string; etag: string };

beforeAll(async () => {
  world = await createGuideProgram();
  last = { cursor: '', etag: '' };
});
afterAll(() => world.program.close());

const send = async ({ key, fault, request }: Example) => {
  const { app, database, simulator } = world.program;
  if (fault !== null) simulator.faults.set('x', fault as FaultKind);
  const [method = 'GET', url = ''] = request.first.split(' ');
  const { authorization, ...headers } = request.headers;
  const response = await app.inject({
    method: method as 'GET',
    url: url.replace(/cursor=[^&]*/, () => `cursor=${last.cursor}`),
    headers: {
      ...headers,
      ...(authorization === undefined ? {} : { authorization: `Bearer ${world.keys[key]}` }),
      ...(headers['if-none-match'] === undefined ? {} : { 'if-none-match': last.etag }),
    },
    ...(request.body === '' ? {} : { payload: request.body }),
  });
  if (fault !== null) {
    simulator.faults.clear();
    // What the fault made rest or pause.
    await database.db.query(
      'delete from crawl.session_limits; delete from crawl.session_states; update crawl.buckets set paused_until = null',
    );
  }
  last = {
    cursor: /"next_cursor":"([^"]+)"/.exec(response.body)?.[1] ?? last.cursor,
    etag: response.headers.etag ?? last.etag,
  };
  return response;
};

/** JSON as it is; of a stream, each line, and what is no JSON as text. */
const valuesOf = (body: string): unknown => {
  if (body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body
      .split(/\r?\n/)
      .filter(Boolean)
      .map((line) => {
        const json = line.replace(/^# /, '');
        return json.startsWith('{') ? JSON.parse(json) : line;
      });
  }
};

describe('the guide of the API', () => {
  it.each(examples.map((example) => [example.request.first, example] as const))(
    'shows the answer to %s',
    async (_, example) => {
      const { answer } = example;
      const response = await send(example);
      const status = `HTTP/1.1 ${response.statusCode} ${STATUS_CODES[response.statusCode]}`;
      expect({
        status,
        headers: headerDifferences(answer.headers, response.headers),
        body: differences(valuesOf(answer.body), valuesOf(response.body)),
      }).toEqual({ status: answer.first, headers: [], body: [] });
    },
  );

  it('names every error code, its status and what to do', () => {
    const rows = [...guide.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)];
    expect(rows.map(([, status, code]) => `${status} ${code}`).sort()).toEqual(
      Object.keys(ERRORS)
        .map((code) => `${statusOf(code as keyof typeof ERRORS)} ${code}`)
        .sort(),
    );
  });
});
