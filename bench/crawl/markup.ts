import type { Account } from '../../infra/simulator/world/account.ts';
import type { World } from '../../infra/simulator/world/world.ts';

const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const button = (name: string, count: number): string =>
  `<div class="css-175oi2r r-18u37iz r-1h0z5md"><button aria-label="${count} ${name}" role="button" class="css-175oi2r r-1777fci r-bt1l66" data-testid="${name}" type="button"><div dir="ltr" class="css-146c3p1 r-bcqeeo"><div class="css-175oi2r r-xoduu5"><svg viewBox="0 0 24 24" aria-hidden="true" class="r-4qtqp9 r-yyyyoo"><g><path d="M1.751 10c0-4.42 3.584-8 8.005-8h4.366c4.49 0 8.129 3.64 8.129 8.13z"></path></g></svg></div><span class="css-1jxf684 r-bcqeeo"><span>${count}</span></span></div></button></div>`;

/**
 * The body that a platform leaves in a page which its server rendered: a timeline of twenty posts, of about forty
 * elements each, after the manner of X's own. The data of the account still stands in the page's JSON.
 */
export const renderedBody = (world: World, account: Account, at: number): string =>
  world
    .posts(account, at, 20)
    .map(
      (post) =>
        `<article aria-labelledby="id__${post.key}" role="article" tabindex="0" class="css-175oi2r r-18u37iz" data-testid="tweet"><div class="css-175oi2r r-eqz5dr"><div class="css-175oi2r r-18u37iz"><a href="/${account.shown}" role="link" class="css-175oi2r"><div dir="ltr" class="css-146c3p1 r-bcqeeo"><span class="css-1jxf684"><span>${text(account.displayName)}</span></span></div></a><a href="/${account.shown}/status/${post.key}" class="css-146c3p1"><time datetime="${new Date(post.at).toISOString()}">${new Date(post.at).toDateString()}</time></a></div><div dir="auto" lang="en" class="css-146c3p1 r-8akbws" data-testid="tweetText"><span class="css-1jxf684">${text(post.text)}</span></div><div aria-label="figures" role="group" class="css-175oi2r r-1kbdv8c">${button('reply', 3)}${button('retweet', 5)}${button('like', post.likes)}${button('views', post.views)}</div></div></article>`,
    )
    .join('');
