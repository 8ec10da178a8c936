import type { Account, SimPost } from '../../world/account.ts';
import { scramble } from '../../world/hash.ts';
import type { World } from '../../world/world.ts';
import { escapeHtml, html, isoSeconds } from '../response.ts';
import type { Reply } from '../site.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const videoId = (post: SimPost): string => scramble(ALPHABET, 11, post.key, 8);

const entry = (account: Account, post: SimPost): string => {
  const id = videoId(post);
  const at = isoSeconds(post.at);
  const title = escapeHtml(post.text.slice(0, 90));
  return ` <entry>
  <id>yt:video:${id}</id>
  <yt:videoId>${id}</yt:videoId>
  <yt:channelId>${account.id.slice(2)}</yt:channelId>
  <title>${title}</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <author>
   <name>${escapeHtml(account.displayName)}</name>
   <uri>https://www.youtube.com/channel/${account.id}</uri>
  </author>
  <published>${at}</published>
  <updated>${at}</updated>
  <media:group>
   <media:title>${title}</media:title>
   <media:content url="https://www.youtube.com/v/${id}?version=3" type="application/x-shockwave-flash" width="640" height="390"/>
   <media:thumbnail url="https://i3.ytimg.com/vi/${id}/hqdefault.jpg" width="480" height="360"/>
   <media:description>${escapeHtml(post.text)}</media:description>
   <media:community>
    <media:starRating count="${post.likes}" average="5.00" min="1" max="5"/>
    <media:statistics views="${post.views}"/>
   </media:community>
  </media:group>
 </entry>
`;
};

/** The last fifteen videos. Only the feed has the channel's creation time. */
export const feed = (world: World, account: Account | null, at: number): Reply => {
  if (account?.status !== 'active') {
    return html('<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title></html>', 404);
  }
  const channel = `https://www.youtube.com/channel/${account.id}`;
  return {
    status: 200,
    headers: { 'content-type': 'text/xml; charset=UTF-8' },
    body: [
      `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?channel_id=${account.id}"/>
 <id>yt:channel:${account.id.slice(2)}</id>
 <yt:channelId>${account.id.slice(2)}</yt:channelId>
 <title>${escapeHtml(account.displayName)}</title>
 <link rel="alternate" href="${channel}"/>
 <author>
  <name>${escapeHtml(account.displayName)}</name>
  <uri>${channel}</uri>
 </author>
 <published>${isoSeconds(account.createdAt)}</published>
`,
      ...world.posts(account, at, 15).map((post) => entry(account, post)),
      '</feed>\n',
    ],
  };
};
