import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_TEXT } from '../../src/console/console.ts';
import { SCREENS } from '../../src/console/screens.ts';
import { PATHS, startTestConsole, type TestConsole, type Visitor } from '../support/console.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

let program: TestProgram;
let tested: TestConsole;
let visitor: Visitor;

beforeAll(async () => {
  program = await createTestProgram({ privacy: {} });
  for (const handle of ['ada', 'adda_lovelace'])
    await program.append('x', handle, sighted(handle, new Date().toISOString(), { followers: 5_000 }));
  await program.issueKey(['directory:read'], { holder: 'acme' });
  await program.project();
  tested = await startTestConsole(program);
  visitor = await tested.logIn('ada', 'administrator');
  await visitor.act('pool.create', { pool: 'press', platform: 'x', rule: 'seed' });
  await until('the pool is there', async () => (await visitor.get('/pools/press')).status === 200);
});

afterAll(async () => {
  await tested.close();
  await program.close();
});

const SCREENS_WITH_PATHS = SCREENS.filter(
  ({ path }) => path !== '/research/:id' && path !== '/erasures/:subject',
).map((screen, i) => [PATHS[i] as string, screen] as const);

describe('an address', () => {
  it.for(SCREENS_WITH_PATHS)(
    '%s refuses what it does not know, names what is allowed, and leads to the screen without it',
    async ([path, { query = {} }]) => {
      const page = load((await visitor.get(path)).text);
      const table = page('#live table[id]').first().attr('id');
      const own = Object.entries(query).filter(([, param]) => param !== ANY_TEXT);
      for (const [name, text, allowed] of [
        ...own.map(([name, param]) => [name, 'n/o', param.allowed] as const),
        ['colour', 'red', 'the parameters'],
        ['export', 'pdf', 'csv, ndjson'],
        ['export', 'csv', 'table'],
        ['sort', 'nothing', table === undefined ? 'nothing' : `${table}.`],
        ['sort', `${table}.nothing`, table === undefined ? 'nothing' : `${table}.`],
        ['nothing.from', '1', table === undefined ? 'nothing' : `${table}.from`],
        [`${table}.from`, '-1', 'the number of a row'],
        ['table', 'nothing', table ?? 'nothing'],
        ['table', '-nothing', table ?? 'nothing'],
      ] as const) {
        const wrong = new URLSearchParams({ [name]: text });
        const { status, text: body } = await visitor.get(`${path}?${wrong}`);
        expect(status, `${path}?${wrong}`).toBe(400);
        const told = load(body)('main').text();
        expect(told).toContain(`${name}: ${text}`);
        expect(told).toContain(allowed);
        expect(load(body)('main a').attr('href')).toBe(path);
        expect((await visitor.get(`${path}?${wrong}`, { 'hx-request': 'true' })).status).toBe(400);
      }
    },
  );

  it.for(PATHS)('%s takes each of its own links, filters and empty fields', async (path) => {
    const page = load((await visitor.get(path)).text);
    const links = page('main a')
      .map((_, each) => page(each).attr('href'))
      .get();
    const forms = page('form.filter').map((_, form) => {
      const fields = page(form).find('[name]');
      const query = fields.map((__, each) => `${page(each).attr('name')}=`).get();
      return `${page(form).attr('action')}?${query.join('&')}`;
    });
    for (const href of [...new Set([...links, ...forms.get()])])
      expect((await visitor.get(href)).status, href).not.toBe(400);
  });

  it('keeps what is right beside what is wrong', async () => {
    const { text } = await visitor.get('/engines?window=24h&sort=nothing');
    expect(load(text)('main a').attr('href')).toBe('/engines?window=24h');
  });

  it('has each parameter once', async () => {
    const { status, text } = await visitor.get('/engines?window=24h&window=1h');
    expect(status).toBe(400);
    expect(load(text)('main a').attr('href')).toBe('/engines');
  });
});

describe('looking for an account', () => {
  const found = (account: string) =>
    visitor.get(`/accounts?${new URLSearchParams({ platform: 'x', account })}`);

  it.for(['ada', '@Ada', 'https://x.com/ada'])('opens it at once by %s', async (name) => {
    const { status, headers } = await found(name);
    expect(status).toBe(303);
    expect(headers.get('location')).toBe('/accounts/x/ada');
  });

  it('lists those with a similar name', async () => {
    const { status, text } = await found('ada_lovelace');
    expect(status).toBe(200);
    const page = load(text);
    expect(page('#near tbody a').attr('href')).toBe('/accounts/x/adda_lovelace');
    // Its page can be opened all the same: to read it, or to erase what is not known.
    expect(page('#live .note a').attr('href')).toBe('/accounts/x/ada_lovelace');
  });

  it('says of what can be no account that it is none', async () => {
    const { status, text } = await found('not a handle');
    expect(status).toBe(200);
    expect(load(text)('#live').text()).toContain('can be no account');
  });
});
