/** Pages: the frame around a screen, its actions, and what is shown without a session. */

import { type Html, html } from '../kernel/html.ts';
import { PLATFORMS } from '../kernel/platform.ts';
import { isAllowed, type SignedIn } from '../operations/operators.ts';
import {
  type Action,
  type Asked,
  type Field,
  type Flash,
  type Given,
  type Offer,
  REASON,
  type Screen,
  type View,
} from './console.ts';
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

/** What can be chosen in fields whose options change, by action and field. */
export type Choices = ReadonlyMap<Field, readonly string[]>;

const FAULT_ID = 'fault';
const NOTHING = '–';

const inputOf = (field: Field, value: string, fault: string | null, choices: Choices): Html => {
  const { name, label, is, options, isOptional } = field;
  const required = isOptional ? null : html` required`;
  const said =
    fault === null ? null : html`<span class="fault" role="alert" id="${FAULT_ID}">${fault}</span>`;
  const wrong = fault === null ? null : html` aria-invalid="true" aria-describedby="${FAULT_ID}" autofocus`;
  if (options !== undefined) {
    const all = choices.get(field) ?? (typeof options === 'object' ? options : []);
    // What a pool or a plan was called when the form was made may be gone: it is still what was chosen.
    const chosen = is === 'several' ? value.split(/[\s,]+/).filter((each) => each !== '') : [value];
    const offered = [...new Set([...all, ...chosen.filter((each) => each !== '')])];
    if (is === 'several')
      return html`<fieldset${wrong === null ? null : html`${wrong} tabindex="-1"`}><legend>${label}</legend>${offered.map(
        (option) =>
          html`<label class="choice"><input type="checkbox" name="${name}" value="${option}"${chosen.includes(option) ? html` checked` : null}>${option}</label>`,
      )}${offered.length === 0 ? NOTHING : null}${said}</fieldset>`;
    return html`<label>${label}<select name="${name}"${required}${wrong}>${
      isOptional ? html`<option value="">${NOTHING}</option>` : null
    }${offered.map(
      (option) => html`<option${option === value ? html` selected` : null}>${option}</option>`,
    )}</select>${said}</label>`;
  }
  if (is === 'lines')
    return html`<label>${label}<textarea name="${name}" rows="4"${required}${wrong}>${value}</textarea>${said}</label>`;
  return html`<label>${label}<input name="${name}" value="${value}"${is === 'number' ? html` inputmode="decimal"` : null}${required}${wrong} autocomplete="off">${said}</label>`;
};

type Refused = NonNullable<Flash['refused']>;

/** Whether a refused form is the one of an offer. */
const isOf = ({ action, given }: Refused, offer: Offer): boolean =>
  action === offer.action && Object.entries(offer.given).every(([name, value]) => given[name] === value);

/** The form of an action. It works without a script. @param flash why it was refused. */
const formOf = (
  action: Action,
  { given, label = action.label, values = {} }: Offer,
  { formToken, choices }: Pick<Frame, 'formToken' | 'choices'>,
  back: string,
  flash: Flash | null,
): Html => {
  const asked = [...action.fields.filter(({ name }) => !(name in given)), REASON];
  const typed: Given = flash?.refused?.given ?? values;
  const at = asked.find(({ name }) => name === flash?.refused?.field);
  return html`<details${flash === null ? null : html` open`}>
<summary>${label}</summary>
${action.hint === undefined ? null : html`<p class="note">${action.hint}</p>`}
${flash === null || at !== undefined ? null : html`<p class="fault" role="alert" tabindex="-1" autofocus>${flash.text}</p>`}
<form method="post" action="/actions/${action.name}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="back" value="${back}">
${Object.entries(given).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${asked.map((field) => inputOf(field, typed[field.name] ?? '', field === at ? (flash?.text ?? null) : null, choices))}
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
  readonly flash: Flash | null;
  readonly choices: Choices;
}

/** What a screen offers to somebody, and the form that was refused, if it is none of these. */
export const offersTo = (
  { actions, signedIn, flash }: Pick<Frame, 'actions' | 'signedIn' | 'flash'>,
  view: View,
): readonly { readonly action: Action; readonly offer: Offer; readonly flash: Flash | null }[] => {
  const refused = flash?.refused;
  const offered = view.offers ?? [];
  const found = refused === undefined ? undefined : offered.find((offer) => isOf(refused, offer));
  const all =
    refused === undefined || found !== undefined
      ? offered
      : [...offered, { action: refused.action, given: {} }];
  return all.flatMap((offer) => {
    const action = actions.get(offer.action);
    if (action === undefined || !isAllowed(signedIn.role, action.role)) return [];
    const isRefused = refused !== undefined && offer === (found ?? all.at(-1));
    return [{ action, offer, flash: isRefused ? flash : null }];
  });
};

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
  const { screens, signedIn, formToken, nonce, flash } = frame;
  const address = addressOf(asked, {});
  const offers = offersTo(frame, view).map(({ action, offer, flash: why }) =>
    formOf(action, offer, frame, address, why),
  );
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
${flash === null || flash.refused !== undefined ? null : html`<p class="flash${flash.isGood ? null : ' bad'}" role="${flash.isGood ? 'status' : 'alert'}">${flash.text}</p>`}
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
<div><dt><kbd>/</kbd></dt><dd>go to a screen, an action or an account</dd></div>
<div><dt><kbd>?</kbd></dt><dd>these keys</dd></div></dl>
<form method="dialog"><button>Close</button></form>
</dialog>
<dialog id="palette" aria-label="Go to" data-platforms="${PLATFORMS.join(' ')}">
<label>Screen, action of this screen, or account<input role="combobox" aria-expanded="true" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false"></label>
<ul role="listbox" id="found" aria-label="What can be opened"></ul>
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

/** @param without the address without the parameter. */
export const wrongParamPage = (name: string, text: string, allowed: string, without: string): string =>
  alonePage(
    'No such view',
    html`<p role="alert">The address has ${name}: ${text}.</p>
<p>Allowed: ${allowed}.</p>
<p>${link(without, `The screen without ${name}`)}</p>`,
  );

export const faultPage = (title: string, text: string): string =>
  alonePage(
    title,
    html`<p role="alert">${text}</p>
<p>${link('/', 'To the first screen')}</p>`,
  );
