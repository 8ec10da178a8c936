/** Pages: the frame around a screen, its actions, and what is shown without a session. */

import { type Html, html } from '../kernel/html.ts';
import { isAllowed, type SignedIn } from '../operations/operators.ts';
import type { Action, Asked, Field, Offer, Screen, View } from './console.ts';
import { PROVIDER_PATH } from './oidc.ts';
import { addressOf, link, pieceHtml } from './view.ts';

/** Names of the files that pages load. */
export const ASSETS = {
  icon: '/assets/icon.svg',
  css: '/assets/console.css',
  plotCss: '/assets/uplot.css',
  plot: '/assets/uplot.js',
  htmx: '/assets/htmx.js',
  csp: '/assets/hx-csp.js',
  script: '/assets/console.js',
} as const;

const head = (title: string, scripts: Html | null): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="htmx-config" content='{"extensions":"hx-csp","includeIndicatorCSS":false,"history":false}'>
<title>${title} · Sightline</title>
<link rel="icon" href="${ASSETS.icon}">
<link rel="stylesheet" href="${ASSETS.plotCss}">
<link rel="stylesheet" href="${ASSETS.css}">
${scripts}
</head>`;

const scriptsOf = (nonce: string): Html =>
  html`${[ASSETS.plot, ASSETS.htmx, ASSETS.csp, ASSETS.script].map(
    (src) => html`<script nonce="${nonce}" src="${src}" defer></script>
`,
  )}`;

const inputOf = (field: Field, value: string): Html => {
  const { name, label, is, options, isOptional } = field;
  const required = isOptional ? null : html` required`;
  if (options !== undefined)
    return html`<label>${label}<select name="${name}">${options.map(
      (option) => html`<option${option === value ? html` selected` : null}>${option}</option>`,
    )}</select></label>`;
  if (is === 'lines')
    return html`<label>${label}<textarea name="${name}" rows="4"${required}>${value}</textarea></label>`;
  return html`<label>${label}<input name="${name}" value="${value}"${is === 'number' ? html` inputmode="decimal"` : null}${required} autocomplete="off"></label>`;
};

/** The form of an action. It works without a script. */
const formOf = (
  action: Action,
  { given, label = action.label, values = {} }: Offer,
  formToken: string,
  back: string,
): Html => {
  const asked = action.fields.filter(({ name }) => !(name in given));
  return html`<details>
<summary>${label}</summary>
${action.hint === undefined ? null : html`<p class="note">${action.hint}</p>`}
<form method="post" action="/actions/${action.name}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="back" value="${back}">
${Object.entries(given).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${asked.map((field) => inputOf(field, values[field.name] ?? ''))}
<label>Reason<input name="reason" required maxlength="2000" autocomplete="off"></label>
<button>${label}</button>
</form>
</details>`;
};

export interface Frame {
  readonly screens: readonly Screen[];
  readonly actions: ReadonlyMap<string, Action>;
  readonly signedIn: SignedIn;
  readonly formToken: string;
  readonly nonce: string;
  /** What the last action did. */
  readonly flash: { readonly isGood: boolean; readonly text: string } | null;
}

/** The part of a screen that is refreshed. */
export const liveHtml = ({ live }: View, asked: Asked): string =>
  html`${live.map((piece) => pieceHtml(piece, asked))}`.text;

export const pageHtml = (
  frame: Frame,
  view: View,
  live: string,
  asked: Asked,
  everyS: number | undefined,
): string => {
  const { screens, actions, signedIn, formToken, nonce, flash } = frame;
  const address = addressOf(asked, {});
  const offers = (view.offers ?? []).flatMap((offer) => {
    const action = actions.get(offer.action);
    return action !== undefined && isAllowed(signedIn.role, action.role)
      ? [formOf(action, offer, formToken, address)]
      : [];
  });
  const nav = screens.flatMap(({ path, nav: entry }) => (entry === undefined ? [] : [{ path, ...entry }]));
  const isHere = (path: string) => asked.path === path || (path !== '/' && asked.path.startsWith(`${path}/`));
  const refresh =
    everyS === undefined
      ? null
      : html` hx-get="${address}" hx-trigger="every ${everyS}s" hx-swap="innerMorph" hx-nonce="${nonce}"`;
  return `${
    html`${head(view.title, scriptsOf(nonce))}
<body>
<a class="skip" href="#main">To the content</a>
<nav aria-label="Screens">
<ul>
${nav.map(
  ({ path, text, key }) =>
    html`<li><a href="${path}" data-key="${key}"${isHere(path) ? html` aria-current="page"` : null}>${text}<kbd aria-hidden="true">${key}</kbd></a></li>
`,
)}</ul>
<form method="post" action="/logout">
<input type="hidden" name="form_token" value="${formToken}">
${signedIn.operator}, ${signedIn.role}
<button>Log out</button>
</form>
</nav>
<main id="main">
<h1>${view.title}</h1>
${flash === null ? null : html`<p class="flash${flash.isGood ? null : ' bad'}" role="${flash.isGood ? 'status' : 'alert'}">${flash.text}</p>`}
${view.search ?? null}
${offers.length === 0 ? null : html`<section class="actions" aria-label="Actions">${offers}</section>`}
<div id="live"${refresh}>
`.text
  }${live}${
    html`</div>
</main>
<dialog id="keys" aria-label="Keys">
<h2>Keys</h2>
<dl>${nav.map(({ text, key }) => html`<div><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}
<div><dt><kbd>j</kbd>, <kbd>k</kbd></dt><dd>next and previous row</dd></div>
<div><dt><kbd>?</kbd></dt><dd>these keys</dd></div></dl>
<form method="dialog"><button>Close</button></form>
</dialog>
</body>
</html>
`.text
  }`;
};

/** A page outside of a session. */
const alonePage = (title: string, inside: Html): string =>
  html`${head(title, null)}
<body class="alone">
<main>
<h1>${title}</h1>
${inside}
</main>
</body>
</html>
`.text;

export const loginPage = (token: string): string =>
  alonePage(
    'Log in',
    html`<form method="post" action="/login">
<input type="hidden" name="token" value="${token}">
<p>This link works once.</p>
<button>Log in to the console</button>
</form>`,
  );

/** @param provider the host of the provider of OpenID Connect; null without one. */
export const strangerPage = (why: string, provider: string | null): string =>
  alonePage(
    'Log in',
    // A link and no form: browsers hold redirects of forms against the policy.
    html`<p>${why}</p>
${provider === null ? null : html`<p><a class="button" href="${PROVIDER_PATH}">Log in with ${provider}</a></p>`}
<p>For a link that logs you in, run this where Sightline runs:</p>
<pre>sightline console login</pre>`,
  );

export const loggedInPage = (): string =>
  alonePage(
    'Logged in',
    html`<meta http-equiv="refresh" content="0;url=/">
<p>${link('/', 'To the console')}</p>`,
  );

export const noOperatorPage = (email: string): string =>
  alonePage(
    'No operator',
    html`<p role="alert">${email} is no operator of this console, or this login was used already.</p>
<p>An administrator can add you, under Operators or where Sightline runs:</p>
<pre>sightline operators add ${email} --role viewer</pre>
<p>${link('/login', 'Log in again')}</p>`,
  );

export const faultPage = (title: string, text: string): string =>
  alonePage(
    title,
    html`<p role="alert">${text}</p>
<p>${link('/', 'To the first screen')}</p>`,
  );
