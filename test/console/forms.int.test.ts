import { type CheerioAPI, load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ACTIONS } from '../../src/console/actions.ts';
import { type Action, type Field, REASON } from '../../src/console/console.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { startTestConsole, type TestConsole, type Visitor } from '../support/console.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

let program: TestProgram;
let tested: TestConsole;
let visitor: Visitor;

beforeAll(async () => {
  program = await createTestProgram({ privacy: {} });
  tested = await startTestConsole(program);
  visitor = await tested.logIn('ada', 'administrator');
  await visitor.act('pool.create', { pool: 'press', platform: 'x', rule: 'seed' });
  await visitor.act('holder.add', { name: 'Acme' });
});

afterAll(async () => {
  await tested.close();
  await program.close();
});

const TYPED = `typed "here" <b>`;

/** What somebody types into a field. */
const typedInto = ({ name, is, options }: Field): string => {
  if (typeof options === 'object')
    return is === 'several' ? options.slice(0, 2).join(',') : (options[1] ?? '');
  return is === 'number' ? '17.5' : is === 'several' ? 'one,two' : `${name} ${TYPED}`;
};

/** What is in a field of a form. */
const valueIn = (page: CheerioAPI, form: string, name: string): string => {
  const field = page(`${form} [name="${name}"]`);
  if (field.is('[type=checkbox]'))
    return field
      .filter((_, each) => page(each).attr('checked') !== undefined)
      .map((_, each) => page(each).attr('value'))
      .get()
      .join(',');
  return field.is('select') ? field.find('[selected]').text() : String(field.val() ?? '');
};

/** Sends a form. @returns the page that follows. */
const sent = async (action: Action, given: Record<string, string>, back = '/') => {
  const { status, headers } = await visitor.act(action.name, { ...given, back });
  expect(status).toBe(303);
  const { text } = await visitor.get(headers.get('location') ?? '');
  return load(text);
};

describe('a refused form', () => {
  it.for(ACTIONS.map((action) => [action.name, action] as const))(
    'of %s says what is wrong beside it, and keeps what was typed, except for secrets',
    async ([, action]) => {
      const fields = [...action.fields, REASON];
      const typed = Object.fromEntries(fields.map((field) => [field.name, typedInto(field)]));
      const form = `form[action="/actions/${action.name}"]`;
      const wrongs = fields.flatMap((field) => [
        ...(field.isOptional ? [] : [[field, ' '] as const]),
        ...(field.is === 'number' ? [[field, 'a few'] as const] : []),
        ...(typeof field.options === 'object' ? [[field, 'no-such-thing'] as const] : []),
      ]);
      expect(wrongs.length).toBeGreaterThan(0);
      for (const [wrong, text] of wrongs) {
        const page = await sent(action, { ...typed, [wrong.name]: text });
        const alert = page('[role=alert]');
        expect(alert.length).toBe(1);
        expect(alert.text()).toContain(text === ' ' ? 'missing' : text);
        const input = page(
          `${form} [aria-describedby="${alert.attr('id')}"]:not(fieldset), ${form} fieldset[aria-invalid] input`,
        );
        expect(input.first().attr('name')).toBe(wrong.name);
        expect(page(form).closest('details').attr('open')).toBeDefined();
        expect(page('[autofocus]').length).toBe(1);
        for (const field of fields.filter((each) => each !== wrong))
          expect(valueIn(page, form, field.name), field.name).toBe(
            field.isSecret ? '' : (typed[field.name] ?? ''),
          );
        for (const field of fields.filter(({ isSecret }) => isSecret))
          expect(page.html()).not.toContain(`${field.name} typed`);
      }
    },
  );

  it('is the one that the page offers, and is refused once', async () => {
    const tune = ACTIONS.find(({ name }) => name === 'engine.tune') as Action;
    const page = await sent(tune, { engine: 'tiktok', rate: 'fast' }, '/engines/tiktok');
    const form = page('form[action="/actions/engine.tune"]');
    expect(form.length).toBe(1);
    expect(form.find('input[name=engine]').attr('type')).toBe('hidden');
    expect(load((await visitor.get('/engines/tiktok')).text)('[role=alert]').length).toBe(0);
  });

  it.for([
    ['pool.pause', { pool: 'none' }, 'There is no pool none.'],
    ['account.read', { account: 'x:ada' }, 'the connection was reset'],
  ] as const)('by what %s finds has the reason at its head, with the focus', async ([name, given, why]) => {
    const action = ACTIONS.find((each) => each.name === name) as Action;
    vi.spyOn(tested.parts.platforms, 'read').mockRejectedValueOnce(new Error('the connection was reset'));
    const page = await sent(action, given);
    const alert = page('details[open] [role=alert]');
    expect(alert.text()).toBe(why);
    expect(alert.attr('autofocus')).toBeDefined();
    const [[field, value]] = Object.entries(given) as [[string, string]];
    expect(valueIn(page, `form[action="/actions/${name}"]`, field)).toBe(value);
    expect(valueIn(page, `form[action="/actions/${name}"]`, 'reason')).toBe('a test');
  });
});

describe('a screen offers', () => {
  const offered = async (path: string): Promise<readonly string[]> => {
    const page = load((await visitor.get(path)).text);
    return page('.actions summary')
      .map((_, each) => page(each).text())
      .get();
  };
  /** Each path is read once a second and a half. */
  const untilOffered = (path: string, label: string, isIt: boolean) =>
    until(
      `${label} is${isIt ? '' : ' not'} offered`,
      async () => (await offered(path)).includes(label) === isIt,
    );
  const rest = (until: string) =>
    program.database.db.query(sql`
      insert into crawl.buckets (platform, tokens, at, paused_until)
      values ('tiktok', 0, clock_timestamp(), clock_timestamp() + ${until}::interval)
      on conflict (platform) do update set paused_until = excluded.paused_until`);

  it('to resume an engine that is paused, to end a rest where one is, and neither elsewhere', async () => {
    const path = '/engines/tiktok';
    const resuming = ['Resume', 'End its rest', 'Resume, and end its rest'];
    const resumes = async () => (await offered(path)).filter((label) => resuming.includes(label));
    expect(await resumes()).toEqual([]);
    await visitor.act('engine.pause', { engine: 'tiktok' });
    await untilOffered(path, 'Resume', true);
    await rest('1 hour');
    await untilOffered(path, 'Resume, and end its rest', true);
    expect(await offered(path)).not.toContain('Pause');
    await visitor.act('engine.resume', { engine: 'tiktok' });
    await untilOffered(path, 'Pause', true);
    expect(await resumes()).toEqual([]);
    await rest('1 hour');
    await untilOffered(path, 'End its rest', true);
    await visitor.act('engine.resume', { engine: 'tiktok' });
    await untilOffered(path, 'End its rest', false);
  });

  it('to clear up builds, and to remove accounts, where there are any', async () => {
    expect(await offered('/models')).not.toContain('Drop what nothing needs');
    expect(await offered('/pools/press')).not.toContain('Remove accounts');
    await visitor.act('pool.add', { pool: 'press', handles: 'ada' });
    await untilOffered('/pools/press', 'Remove accounts', true);
    await program.database.db.query(sql`
      insert into projections.builds (projection, version, build, schema_name, status)
      values ('pools', 0, 1, 'pools_old', 'retired')`);
    await untilOffered('/models', 'Drop what nothing needs', true);
  });
});

describe('a form offers', () => {
  const choices = async (path: string, form: string, name: string) => {
    const page = load((await visitor.get(path)).text);
    return page(`form[action="/actions/${form}"] [name="${name}"]`)
      .map((_, each) => (page(each).is('select') ? page(each).find('option').get() : [each]))
      .get()
      .map((each) => page(each).attr('value') ?? page(each).text());
  };

  it('the plans, scopes and pools that there are', async () => {
    expect(await choices('/holders/acme', 'holder.plan', 'plan')).toContain('starter');
    expect(await choices('/holders', 'holder.add', 'plan')).toEqual(
      expect.arrayContaining(['', 'starter', 'growth']),
    );
    expect(await choices('/holders/acme', 'key.issue', 'scopes')).toContain('directory:read');
    expect(await choices('/accounts/x/ada', 'pool.move', 'pool')).toContain('press');
    expect(await choices('/pools/press', 'pool.retire', 'heir')).toContain('press');
    expect(await choices('/research', 'research.limits', 'pools')).toContain('press');
  });

  it('several to choose, which are all taken', async () => {
    const body = new URLSearchParams([
      ['form_token', visitor.formToken],
      ['holder', 'acme'],
      ['scopes', 'directory:read'],
      ['scopes', 'people:read'],
      ['reason', 'a test'],
    ]);
    const { status } = await visitor.postBody('/actions/key.issue', body.toString());
    expect(status).toBe(303);
    const [issued] = await program.log.readStream('holder-acme', { direction: 'backwards', limit: 1 });
    expect(issued).toMatchObject({ type: 'KeyIssued', data: { scopes: ['directory:read', 'people:read'] } });
  });
});
