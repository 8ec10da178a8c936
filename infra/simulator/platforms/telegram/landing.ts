import type { Account } from '../../world/account.ts';
import { bundle, escapeHtml, html, styles } from '../response.ts';
import type { Reply } from '../site.ts';
import { avatarOf, hasFeed, rich, spaced, VERIFIED } from './payloads.ts';

const HEAD = Buffer.from('<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset="utf-8">\n');
const BODY = Buffer.concat([
  styles(3_000, 61),
  Buffer.from(`
  </head>
  <body class="no_transition">
    <div class="tgme_background_wrap"></div>
    <div class="tgme_page_wrap">
      <div class="tgme_head_wrap"><div class="tgme_head"><a href="//telegram.org/" class="tgme_head_brand"><i class="tgme_logo"></i></a></div></div>
`),
]);
const TAIL = Buffer.concat([
  Buffer.from('      </div>\n    </div>\n    <div id="tgme_frame_cont"></div>\n'),
  bundle(4_000, 62),
  Buffer.from('  </body>\n</html>\n'),
]);

const extras = (account: Account): readonly string[] => {
  const n = spaced(account.followers);
  switch (account.kind) {
    case 'group':
      return [`${n} members, ${spaced(Math.floor(account.followers / 20))} online`];
    case 'person':
      return [`@${account.shown}`];
    case 'bot':
      return [`@${account.shown}`, `${n} monthly users`];
    case 'channel':
    case 'company':
      // Many channels show their name above the count.
      return account.key % 3 === 0
        ? [`@${account.shown}`, `${n} ${account.followers === 1 ? 'subscriber' : 'subscribers'}`]
        : [`${n} ${account.followers === 1 ? 'subscriber' : 'subscribers'}`];
  }
};

export const landing = (account: Account): Reply => {
  const name = escapeHtml(account.displayName);
  return html([
    HEAD,
    `    <title>Telegram: ${hasFeed(account) ? 'View' : 'Contact'} @${account.shown}</title>
<meta property="og:title" content="${name}">
<meta property="og:image" content="${avatarOf(account)}">
<meta property="og:site_name" content="Telegram">
<meta property="og:description" content="${escapeHtml(account.bio)}">
`,
    BODY,
    `      <div class="tgme_page">
        <div class="tgme_page_photo">
  <a href="tg://resolve?domain=${account.shown}"><img class="tgme_page_photo_image" src="${avatarOf(account)}"></a>
</div>
<div class="tgme_page_title" dir="auto">
  <span dir="auto">${name}</span>${account.verified ? VERIFIED : ''}
</div>
${extras(account)
  .map((extra) => `<div class="tgme_page_extra">\n  ${extra}\n</div>`)
  .join('\n')}
<div class="tgme_page_description" dir="auto">${rich(account.bio)}</div>
<div class="tgme_page_action">
  <a class="tgme_action_button_new" href="tg://resolve?domain=${account.shown}">View in Telegram</a>
</div>
`,
    TAIL,
  ]);
};

/** An unused name looks like a person's page. */
export const missing = (handle: string): Reply =>
  html([
    HEAD,
    `    <title>Telegram: Contact @${handle}</title>
    <meta name="robots" content="noindex, nofollow">
<meta property="og:title" content="Telegram: Contact @${handle}">
<meta property="og:image" content="https://telegram.org/img/t_logo.png">
<meta property="og:site_name" content="Telegram">
<meta property="og:description" content="">
`,
    BODY,
    `      <div class="tgme_page">
        <div class="tgme_page_icon"><i class="tgme_icon_user"></i></div>
<div class="tgme_page_description">
  If you have <strong>Telegram</strong>, you can contact <a class="tgme_username_link" href="tg://resolve?domain=${handle}">@${handle}</a> right away.
</div>
<div class="tgme_page_action">
  <a class="tgme_action_button" href="tg://resolve?domain=${handle}">Send Message</a>
</div>
`,
    TAIL,
  ]);
