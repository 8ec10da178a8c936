import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { ask, requestAbout } from '../support/asked-endpoints.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

interface Example {
  readonly type: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const EXAMPLES = JSON.parse(
  readFileSync(new URL('../fixtures/event-examples.json', import.meta.url), 'utf8'),
) as readonly Example[];

/** Texts of events that operators write, or that say how the inside failed. A `reason` may be one of the program's own codes. */
const WRITTEN: ReadonlySet<string> = new Set(['why', 'detail', 'label', 'reference', 'note', 'comment']);
const isWritten = (type: string, field: string): boolean =>
  WRITTEN.has(field) || (field === 'reason' && type.startsWith('Finding'));

const PLANTED = 'quetzalqore';

const planted = ({ type, data }: Example) =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      isWritten(type, field) && typeof value === 'string' ? `${PLANTED} ${type} ${field}` : value,
    ]),
  );

let program: TestProgram;
let finding: string;
beforeAll(async () => {
  program = await createTestProgram();
  for (const example of EXAMPLES) {
    if (example.type === 'FindingRecorded') finding = String(example.data.finding);
    if (/^(?:pool|engine|research|members)-/.test(example.stream))
      await program.log.append(
        example.stream,
        [{ id: uuidV7(Date.now()), type: example.type, data: planted(example) }],
        'any',
      );
  }
  await program.project();
});
afterAll(() => program.close());

it('what an operator wrote is in no answer of any endpoint, whatever the scopes of the key', async () => {
  const types = EXAMPLES.filter((one) => JSON.stringify(planted(one)).includes(PLANTED)).map(
    ({ type }) => type,
  );
  expect(types).toEqual(
    expect.arrayContaining(['PoolPaused', 'EnginePaused', 'FindingConfirmed', 'FindingDismissed']),
  );
  const key = await program.issueKey(SCOPES);
  const answered: string[] = [];
  for (const endpoint of await loadEndpoints()) {
    const example = String(endpoint.example.params?.id);
    const request = requestAbout(endpoint, { platform: 'x', handle: 'nasa', ids: { [example]: finding } });
    const { status, text } = await ask(
      program,
      { ...request, query: endpoint.group === 'research' ? {} : request.query },
      key,
    );
    expect(text, endpoint.operation).not.toContain(PLANTED);
    if (status === 200) answered.push(endpoint.operation);
  }
  expect(answered).toEqual(
    expect.arrayContaining([
      'getFinding',
      'listFindings',
      'listResearchEvents',
      'listRuns',
      'listEngines',
      'getEngine',
    ]),
  );
});
