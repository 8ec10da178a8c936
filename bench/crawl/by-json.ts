import type { Extract } from './cases.ts';

interface ProfilePage {
  readonly mainEntity: {
    readonly name: string;
    readonly description: string;
    readonly additionalName: string;
    readonly identifier: string;
    readonly image: { readonly contentUrl: string };
    readonly interactionStatistic: readonly {
      readonly interactionType: string;
      readonly userInteractionCount: number;
    }[];
  };
  readonly relatedLink: readonly string[];
}

/** What an X page's own JSON says of its account, as one would write it for a crawler of one's own. */
export const extractOf = (scriptText: string): Extract => {
  const { mainEntity: entity, relatedLink } = JSON.parse(scriptText) as ProfilePage;
  const count = (action: string) =>
    entity.interactionStatistic.find((each) => each.interactionType.endsWith(action))?.userInteractionCount ??
    null;
  return {
    handle: entity.additionalName.toLowerCase(),
    id: entity.identifier,
    display_name: entity.name,
    followers: count('FollowAction'),
    following: count('SubscribeAction'),
    posts: count('WriteAction'),
    verified: null,
    bio: entity.description,
    avatar_url: entity.image.contentUrl,
    links: [...relatedLink, ...(entity.description.match(/https?:\/\/\S+/g) ?? [])],
    feed: [],
  };
};

const OPENING = '<script type="application/ld+json"';

/** The text of the script that carries the data, cut out without looking at the rest of the page. */
export const scriptIn = (html: string): string => {
  const from = html.indexOf('>', html.indexOf(OPENING)) + 1;
  return html.slice(from, html.indexOf('</script>', from));
};
