import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOperator } from '../../src/operations/operators.ts';
import { CHROMIUM, isRoot } from '../support/chromium.ts';
import { PATHS, startTestConsole, type TestConsole } from '../support/console.ts';
import { freePort, startProvider, type TestProvider } from '../support/oidc.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

describe.skipIf(CHROMIUM === undefined)('the console in a browser', { tags: 'long' }, () => {
  let program: TestProgram;
  let tested: TestConsole;
  let provider: TestProvider;
  let browser: Browser;
  /** Errors of pages, and requests to other sites. */
  const faults: string[] = [];

  beforeAll(async () => {
    program = await createTestProgram({ privacy: {} });
    for (const days of [3, 2, 1])
      await program.append(
        'x',
        'ada',
        sighted('ada', new Date(Date.now() - days * 86_400_000).toISOString()),
      );
    await program.issueKey(['directory:read'], { holder: 'acme' });
    const port = await freePort();
    provider = await startProvider(`http://127.0.0.1:${port}`);
    tested = await startTestConsole(program, { CONSOLE_PORT: String(port), ...provider.settings });
    await tested.logIn('ada', 'administrator');
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', chromiumSandbox: !isRoot });
  });

  afterAll(async () => {
    await browser.close();
    await tested.close();
    await provider.close();
    await program.close();
  });

  const opened = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(tested.origin)) faults.push(request.url());
    });
    await page.goto(`${tested.origin}/login?token=${await tested.token('ada')}`);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Tonight' }).waitFor();
    return page;
  };

  /** There is no pool here. */
  const SHOWN = PATHS.filter((path) => path !== '/pools/press');

  it.for(['light', 'dark'] as const)(
    'no screen keeps anybody out, in the %s theme and on a phone',
    async (colorScheme) => {
      const { default: AxeBuilder } = await import('@axe-core/playwright');
      // The tool that looks for barriers is a script of its own.
      const page = await opened({ colorScheme, bypassCSP: true });
      for (const path of SHOWN) {
        await page.goto(`${tested.origin}${path}`);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
        await page.setViewportSize({ width: 360, height: 740 });
        const isWider = await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth',
        );
        expect(isWider, path).toBe(false);
        await page.setViewportSize({ width: 1_280, height: 800 });
      }
      expect(faults).toEqual([]);
    },
  );

  it('a screen shows what has changed, without being loaded again', async () => {
    const page = await opened();
    await page.goto(`${tested.origin}/engines/tiktok`);
    await page.evaluate('window.isSame = true');
    await tested.parts.log.append(
      'engine-tiktok',
      [
        {
          id: crypto.randomUUID(),
          type: 'EnginePaused',
          data: { at: new Date().toISOString(), why: 'too hot' },
        },
      ],
      'any',
    );
    await page.locator('#live').getByText('too hot', { exact: true }).waitFor();
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(faults).toEqual([]);
  });

  it('what was sent says so until its answer is there, and is sent once', async () => {
    const page = await opened();
    await page.goto(`${tested.origin}/engines/youtube`);
    // An event of a form that is not sent: a page that waits for an answer can't be asked.
    const submit = () =>
      page.evaluate(`(() => {
        const form = document.querySelector('form[action="/actions/engine.tune"]');
        const isSent = form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
        return [isSent, form.querySelector('button').getAttribute('aria-busy')];
      })()`);
    expect(await submit()).toEqual([true, 'true']);
    expect(await submit()).toEqual([false, 'true']);
    expect(faults).toEqual([]);
  });

  it('an engine is paused by the keyboard alone', async () => {
    const page = await opened();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Engines' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Engine instagram' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await until('the form of the pause is reached', async () => {
      await page.keyboard.press('Tab');
      return (await focused()) === 'Pause';
    });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('answers look wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('instagram is paused').waitFor();
    const [last] = await program.log.readStream('engine-instagram', { direction: 'backwards', limit: 1 });
    expect(last).toMatchObject({
      type: 'EnginePaused',
      data: { why: 'answers look wrong' },
      metadata: { actor: 'operator:ada', reason: 'answers look wrong' },
    });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('next and previous row').waitFor();
    expect(faults).toEqual([]);
  });

  it('without scripts every screen can be read, and an engine can be resumed', async () => {
    const page = await opened({ javaScriptEnabled: false });
    for (const path of SHOWN) {
      await page.goto(`${tested.origin}${path}`);
      expect(await page.locator('h1').count(), path).toBe(1);
    }
    await page.goto(`${tested.origin}/engines/instagram`);
    await page.getByText('Resume', { exact: true }).first().click();
    await page.locator('form[action="/actions/engine.resume"]').getByLabel('Reason').fill('it is better');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('status').getByText('instagram is resumed').waitFor();
  });

  it.for([true, false])(
    'an operator logs in through a provider of another site, with scripts: %s',
    async (javaScriptEnabled) => {
      await addOperator(program.subjects, 'ada@example.org', 'viewer');
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await page.goto(tested.origin);
      await page.getByRole('link', { name: 'Log in with' }).click();
      await page.getByRole('button', { name: 'It is me' }).click();
      await page.getByRole('heading', { name: 'Tonight' }).waitFor();
      await page.getByText('ada@example.org, viewer').waitFor();
    },
  );

  it.for([true, false])(
    'what was typed into a refused form is still there, with the focus on what is wrong, with scripts: %s',
    async (javaScriptEnabled) => {
      const page = await opened({ javaScriptEnabled });
      await page.goto(`${tested.origin}/engines/tiktok`);
      await page.getByText('Set the rate').first().click();
      const form = page.locator('form[action="/actions/engine.tune"]');
      await form.getByLabel('Requests a second').fill('a few');
      await form.getByLabel('Reason').fill('it rests too often');
      await form.getByRole('button').click();
      await page.getByRole('alert').getByText('"a few" is no number.').waitFor();
      expect(await form.getByLabel('Reason').inputValue()).toBe('it rests too often');
      expect(await page.locator(':focus').inputValue()).toBe('a few');
      await form.getByLabel('Requests a second').fill('-1');
      await form.getByRole('button').click();
      await page.locator(':focus').and(page.getByRole('alert')).waitFor();
    },
  );

  it('the palette opens screens, actions and accounts, and gives the focus back', async () => {
    const { default: AxeBuilder } = await import('@axe-core/playwright');
    const page = await opened({ bypassCSP: true });
    const palette = page.getByRole('dialog', { name: 'Go to' });
    const typed = async (text: string) => {
      await page.keyboard.press('/');
      await palette.getByRole('combobox').fill(text);
    };
    await typed('engin');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Engines' }).waitFor();
    await page.goto(`${tested.origin}/engines/tiktok`);
    await page.getByRole('link', { name: 'Pools' }).focus();
    await page.keyboard.press('/');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    // In the palette, keys are text.
    await page.keyboard.type('t?');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(await page.locator(':focus').textContent()).toContain('Pools');
    await typed('set the r');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('name')).toBe('rate');
    await page.locator('h1').click();
    await page.getByRole('link', { name: 'Pools' }).focus();
    await typed('ada');
    await page.keyboard.press('ArrowUp');
    const chosen = palette.getByRole('option', { selected: true });
    const first = await chosen.textContent();
    await page.keyboard.press('ArrowDown');
    expect(await chosen.textContent()).not.toBe(first);
    expect(await palette.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
      await chosen.getAttribute('id'),
    );
    await palette.getByRole('option', { name: 'Account ada on x', exact: true }).click();
    await page.getByRole('heading', { name: 'x: ada' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('the palette works under the policy of pages', async () => {
    const page = await opened();
    await page.keyboard.press('/');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expect(faults).toEqual([]);
  });
});
