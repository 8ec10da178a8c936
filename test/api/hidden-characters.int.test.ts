import { afterAll, beforeAll, expect, it } from 'vitest';
import { hiddenIn, WITH_ALL_HIDDEN } from '../support/hidden-characters.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';

const AT = '2026-11-01T00:00:00.000Z';
const PLACE = 'PLACEHOLDER';

let program: TestProgram;
let key: string;

/** Events as an older program left them, whose texts were not cleaned. */
beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  const texts = { display_name: PLACE, bio: PLACE, location: PLACE };
  await program.append('x', 'ann', sighted('ann', AT, texts), posted(AT, { id: '1', text: PLACE, at: AT }));
  await program.database.db.query(
    `update log.events set data = replace(data::text, '${PLACE}', '${WITH_ALL_HIDDEN}')::jsonb
     where data::text like '%${PLACE}%'`,
  );
  await program.project();
});
afterAll(() => program.close());

const JSON_TYPE = 'application/json';

it.each([
  ['/v2/directory/x/ann', JSON_TYPE],
  ['/v2/accounts/x/ann', JSON_TYPE],
  ['/v2/directory/x?limit=5', JSON_TYPE],
  ['/v2/directory/x?limit=5', 'text/csv'],
  ['/v2/directory/x?limit=5', 'application/x-ndjson'],
])('what an older program recorded is shown without hidden characters: %s as %s', async (url, accept) => {
  const { rows } = await program.database.db.query<{ display_name: string }>(
    `select display_name from ${program.builds.schema('directory')}.entries`,
  );
  expect(rows).toEqual([{ display_name: WITH_ALL_HIDDEN }]);
  const headers = { authorization: `Bearer ${key}`, accept };
  const { statusCode, body: text } = await program.app.inject({ url, headers });
  expect(statusCode).toBe(200);
  expect(text).toContain('abbb');
  expect(hiddenIn(text)).toEqual([]);
});

it.each([
  `/v2/accounts/x/${encodeURIComponent(WITH_ALL_HIDDEN)}`,
  `/v2/directory/x?sort=${encodeURIComponent(WITH_ALL_HIDDEN)}`,
  `/v2/directory/x?${encodeURIComponent(WITH_ALL_HIDDEN)}=1`,
  `/v2/people/search?q=${encodeURIComponent(WITH_ALL_HIDDEN)}`,
  `/v2/${encodeURIComponent(WITH_ALL_HIDDEN)}`,
])('what a request says comes back without hidden characters: %j', async (url) => {
  const { body } = await program.get(url, key);
  expect(hiddenIn(JSON.stringify(body))).toEqual([]);
});

it('what a body says comes back without hidden characters', async () => {
  for (const body of [{ handle: WITH_ALL_HIDDEN }, { [WITH_ALL_HIDDEN]: 1 }, { platform: WITH_ALL_HIDDEN }])
    for (const tool of ['username-score', 'handle-availability', 'valuation'])
      expect(hiddenIn(JSON.stringify((await program.post(`/v2/tools/${tool}`, body, key)).body))).toEqual([]);
});
