/** The pages of `/privacy`: plain HTML, without scripts. Everything that goes into them is escaped. */

import { createHash } from 'node:crypto';
import { ACTS } from '../../../crawlers/live-read/ownership.ts';
import { Html, html, type Part } from '../../../kernel/html.ts';
import { PLATFORMS } from '../../../kernel/platform.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import { LANGUAGES, type Language, TEXTS, type Texts } from './texts.ts';

export const PRIVACY_PATH = '/privacy';

/** A text with what its `{…}` stand for. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);

const STYLE = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
label, legend { display: block; margin-top: 1rem; font-weight: 600; }
fieldset { border: 0; padding: 0; margin: 0; }
fieldset label { font-weight: 400; margin-top: .3rem; }
input[type=text], select { width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; }
button { font: inherit; margin-top: 1.2rem; padding: .5rem 1rem; }
code { display: block; font-size: 1.3rem; margin: 1rem 0; overflow-wrap: anywhere; }
nav a { margin-right: .8rem; }
[role=alert] { border-left: .3rem solid #b00020; padding-left: .8rem; }`;

/** Headers of every page: it runs nothing, sends forms to nobody else, is in nobody's frame and in no cache. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Language',
};

/** What each page of a visit knows. */
export interface Visit {
  readonly language: Language;
  readonly formToken: string;
  readonly delayDays: number;
}

/** Fields that a form sends back as they are. */
export type Hidden = Readonly<Record<string, string>>;

const hiddenOf = (fields: Hidden): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const formOf = ({ language, formToken }: Visit, fields: Hidden, inside: Part): Html => html`
<form method="post" action="${PRIVACY_PATH}?lang=${language}">
${hiddenOf({ ...fields, token: formToken })}
${inside}
</form>`;

const alertOf = (fault: string | null): Html =>
  fault === null ? html`` : html`<p role="alert">${fault}</p>`;

const layout = ({ language }: Visit, texts: Texts, main: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<nav aria-label="Languages">${Object.entries(LANGUAGES).map(
    ([code, name]) =>
      html`<a href="${PRIVACY_PATH}?lang=${code}" lang="${code}" hreflang="${code}">${name}</a>`,
  )}</nav>
<main>
${main}
</main>
</body>
</html>
`.text;

const backOf = ({ language }: Visit, { back }: Texts): Html =>
  html`<p><a href="${PRIVACY_PATH}?lang=${language}">${back}</a></p>`;

/** The first page. @param fault what was wrong with what was sent before; null if nothing was. */
export const startPage = (
  visit: Visit,
  fault: string | null,
  hasExport: boolean,
  given: { readonly platform: string; readonly account: string; readonly act: string },
): string => {
  const texts = TEXTS[visit.language];
  const platforms = PLATFORMS.map(
    (platform) =>
      html`<option value="${platform}"${given.platform === platform ? html` selected` : html``}>${descriptorOf(platform).name}</option>`,
  );
  const acts = ACTS.map(
    (act) =>
      html`<label><input type="radio" name="act" value="${act}"${given.act === act ? html` checked` : html``}> ${texts.acts[act]}</label>`,
  );
  return layout(
    visit,
    texts,
    html`<h1>${texts.title}</h1>
<p>${filled(texts.intro, { days: String(visit.delayDays) })}</p>
${alertOf(fault)}
${hasExport ? formOf(visit, { step: 'download' }, html`<button>${texts.download}</button>`) : html``}
${formOf(
  visit,
  { step: 'name' },
  html`<label for="platform">${texts.platform}</label>
<select id="platform" name="platform">${platforms}</select>
<label for="account">${texts.account}</label>
<input type="text" id="account" name="account" value="${given.account}" required maxlength="500" autocomplete="off" autocapitalize="none" spellcheck="false">
<fieldset><legend>${texts.act}</legend>${acts}</fieldset>
<button>${texts.next}</button>`,
)}`,
  );
};

/** The page with a code. */
export const codePage = (
  visit: Visit,
  fault: string | null,
  { account, code, until }: { readonly account: string; readonly code: string; readonly until: string },
  fields: Hidden,
): string => {
  const texts = TEXTS[visit.language];
  return layout(
    visit,
    texts,
    html`<h1>${filled(texts.codeTitle, { account })}</h1>
${alertOf(fault)}
<code>${code}</code>
<p>${filled(texts.codeHelp, { time: until })}</p>
${formOf(visit, { ...fields, step: 'check' }, html`<button>${texts.check}</button>`)}
${backOf(visit, texts)}`,
  );
};

/** The page of what nobody can check here. */
export const askPage = (visit: Visit, fault: string | null, account: string, fields: Hidden): string => {
  const texts = TEXTS[visit.language];
  return layout(
    visit,
    texts,
    html`<h1>${filled(texts.askTitle, { account })}</h1>
${alertOf(fault)}
<p>${texts.askHelp}</p>
${formOf(
  visit,
  { ...fields, step: 'ask' },
  html`<label for="contact">${texts.contact}</label>
<input type="text" id="contact" name="contact" required maxlength="200" autocomplete="email">
<button>${texts.send}</button>`,
)}
${backOf(visit, texts)}`,
  );
};

/** The page of what became of something. */
export const outcomePage = (visit: Visit, text: string, time: string, hasExport: boolean): string => {
  const texts = TEXTS[visit.language];
  return layout(
    visit,
    texts,
    html`<h1>${texts.title}</h1>
<p role="status">${filled(text, { time })}</p>
${hasExport ? formOf(visit, { step: 'download' }, html`<button>${texts.download}</button>`) : html``}
${backOf(visit, texts)}`,
  );
};
