import type { Account, SimPost } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { fileOf } from '../pictures.ts';
import { referenced } from '../references.ts';
import { bundle, escapeHtml, html, isoSeconds, styles } from '../response.ts';
import type { Reply } from '../site.ts';
import { avatarOf, rich, short, VERIFIED } from './payloads.ts';

/** Messages on one page. */
export const PREVIEW_PAGE = 20;
const HEAD = Buffer.concat([
  Buffer.from('<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8"/>\n'),
  styles(6_000, 63),
]);
const TAIL = Buffer.concat([
  Buffer.from('</section></div></main>\n'),
  bundle(5_000, 64),
  Buffer.from('</body></html>\n'),
]);
const BUBBLE =
  '<i class="tgme_widget_message_bubble_tail"><svg class="bubble_icon" width="9px" height="20px" viewBox="0 0 9 20"><g fill="none"><path class="background" fill="#ffffff" d="M8,1 L9,1 L9,20 L8,20 L8,18 C7.8,15.1 7.1,12.2 5.9,9.2 L2,1 L8,1 Z"></path></g></svg></i>';

/** Number 1 is the service message of the channel's creation; posts follow. */
const numberOf = (post: SimPost): number => post.n + 2;

const wrapped = (
  account: Account,
  number: number,
  at: number,
  classes: string,
  content: string,
  info: string,
): string =>
  `<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message text_not_supported_wrap js-widget_message${classes}" data-post="${account.shown}/${number}"><div class="tgme_widget_message_user"><a href="https://t.me/${account.shown}"><i class="tgme_widget_message_user_photo"><img src="${avatarOf(account)}"></i></a></div><div class="tgme_widget_message_bubble">${BUBBLE}<div class="tgme_widget_message_author accent_color"><a class="tgme_widget_message_owner_name" href="https://t.me/${account.shown}"><span dir="auto">${escapeHtml(account.displayName)}</span></a></div>${content}<div class="tgme_widget_message_footer compact js-message_footer"><div class="tgme_widget_message_info short js-message_info">${info}<span class="tgme_widget_message_meta"><a class="tgme_widget_message_date" href="https://t.me/${account.shown}/${number}"><time datetime="${isoSeconds(at)}" class="time">${isoSeconds(at).slice(11, 16)}</time></a></span></div></div></div></div></div>\n`;

/** What a forwarded message, or an answer, shows of the other one. */
const citedOf = (world: World, post: SimPost, at: number): string => {
  const cited = referenced(world, 'telegram', post.target ?? post.replyTo, at);
  if (cited === null) return '';
  const { account } = cited;
  const name = escapeHtml(account.displayName);
  const link = `https://t.me/${account.shown}/${numberOf(cited.post)}`;
  return post.kind === 'reply'
    ? `<a class="tgme_widget_message_reply user-color-3" href="${link}"><div class="tgme_widget_message_author accent_color"><span class="tgme_widget_message_author_name" dir="auto">${name}</span></div><div class="tgme_widget_message_text js-message_reply_text" dir="auto">${escapeHtml(cited.post.text)}</div></a>`
    : `<div class="tgme_widget_message_forwarded_from accent_color">Forwarded from&nbsp;<a class="tgme_widget_message_forwarded_from_name" href="${link}"><span dir="auto">${name}</span></a></div>`;
};

const message = (world: World, account: Account, post: SimPost, at: number): string => {
  const media =
    post.media === 'photo'
      ? `<a class="tgme_widget_message_photo_wrap" href="https://t.me/${account.shown}/${numberOf(post)}" style="width:800px;background-image:url('https://cdn4.telesco.pe/file/${fileOf(post.key, 24)}.jpg')"><div class="tgme_widget_message_photo" style="padding-top:58%"></div></a>`
      : post.media === 'video'
        ? '<a class="tgme_widget_message_video_player js-message_video_player"><i class="tgme_widget_message_video_thumb"></i></a>'
        : '';
  const reactions =
    post.likes > 0
      ? `<div class="tgme_widget_message_reactions js-message_reactions"><span class="tgme_reaction"><i class="emoji"><b>❤</b></i>${short(post.likes)}</span></div>`
      : '';
  return wrapped(
    account,
    numberOf(post),
    post.at,
    '',
    `${citedOf(world, post, at)}${media}<div class="tgme_widget_message_text js-message_text" dir="auto">${rich(post.text)}</div>${reactions}`,
    `<span class="tgme_widget_message_views">${short(post.views)}</span><span class="copyonly"> views</span>`,
  );
};

const created = (account: Account): string =>
  wrapped(
    account,
    1,
    account.createdAt,
    ' service_message',
    '<div class="tgme_widget_message_text js-message_text" dir="auto">Channel created</div>',
    '',
  );

const counters = (account: Account): string =>
  [
    [account.followers, 'subscribers'],
    [Math.floor(account.posts / 3), 'photos'],
    [Math.floor(account.posts / 7), 'videos'],
    [Math.floor(account.posts / 2), 'links'],
  ]
    .map(
      ([n, type]) =>
        `<div class="tgme_channel_info_counter"><span class="counter_value">${short(Number(n))}</span> <span class="counter_type">${type}</span></div>`,
    )
    .join('');

/** `/s/<h>`: the last messages, oldest first. */
export const preview = (account: Account, world: World, at: number, before: number | null): Reply => {
  const posts = world
    .posts(account, at, PREVIEW_PAGE, before === null ? undefined : Math.max(0, before - 2))
    .toReversed();
  const first = posts[0];
  const reachesStart = !first || first.n === 0;
  return html([
    HEAD,
    `<title>${escapeHtml(account.displayName)} – Telegram</title>
<meta property="og:title" content="${escapeHtml(account.displayName)}">
</head>
<body class="widget_frame_base tgme_webpreview emoji_image_supported">
<header class="tgme_header search_collapsed"><div class="tgme_container"><div class="tgme_header_search"></div>
<section class="tgme_right_column"><div class="tgme_channel_info"><div class="tgme_channel_info_header"><i class="tgme_page_photo_image bgcolor4"><img src="${avatarOf(account)}"></i><div class="tgme_channel_info_header_title_wrap"><div class="tgme_channel_info_header_title"><span dir="auto">${escapeHtml(account.displayName)}</span></div><div class="tgme_channel_info_header_labels">${account.verified ? VERIFIED : ''}</div></div><div class="tgme_channel_info_header_username"><a href="https://t.me/${account.shown}">@${account.shown}</a></div></div><div class="tgme_channel_info_counters">${counters(account)}</div><div class="tgme_channel_info_description">${rich(account.bio)}</div></div></section></div></header>
<main class="tgme_main" data-url="/${account.shown}"><div class="tgme_container"><section class="tgme_channel_history js-message_history">
${reachesStart ? created(account) : `<div class="tgme_widget_message_centered js-messages_more_wrap"><a href="/s/${account.shown}?before=${numberOf(first)}" class="tme_messages_more js-messages_more" data-before="${numberOf(first)}"></a></div>\n`}`,
    ...posts.map((post) => message(world, account, post, at)),
    TAIL,
  ]);
};
