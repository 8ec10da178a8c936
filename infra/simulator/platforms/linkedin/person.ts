import type { Account, SimPost } from '../../world/account.ts';
import { residenceOf } from '../../world/linkedin/employment.ts';
import type { World } from '../../world/world.ts';
import { escapeHtml, html, scriptJson } from '../response.ts';
import type { Reply } from '../site.ts';
import { avatarOf, discussion, HEAD, TAIL } from './payloads.ts';

export const personPage = (account: Account, posts: readonly SimPost[], world: World): Reply => {
  const employer = world.hidden.company(world.hidden.employer(account.index));
  const address = `https://www.linkedin.com/in/${account.handle}`;
  const title = world.hidden.title(account.index).text;
  const { country, showsCountry } = residenceOf(account.key);
  const graph = {
    '@context': 'http://schema.org',
    '@graph': [
      ...posts.map((post) => discussion(account, post)),
      {
        '@context': 'http://schema.org',
        '@type': 'Person',
        name: account.displayName,
        url: address,
        sameAs: address,
        description: account.bio,
        image: { '@type': 'ImageObject', contentUrl: avatarOf(account) },
        address: {
          '@type': 'PostalAddress',
          ...(showsCountry ? { addressCountry: country } : {}),
          addressLocality: account.location,
        },
        jobTitle: [title],
        worksFor: [
          {
            '@type': 'Organization',
            name: employer.name,
            url: `https://www.linkedin.com/company/${employer.slug}`,
          },
        ],
        interactionStatistic: {
          '@type': 'InteractionCounter',
          interactionType: 'https://schema.org/FollowAction',
          name: 'Follows',
          userInteractionCount: account.followers,
        },
      },
    ],
  };
  const name = escapeHtml(account.displayName);
  return html([
    HEAD,
    `<title>${name} - ${escapeHtml(employer.name)} | LinkedIn</title>
<script type="application/ld+json">${scriptJson(graph)}</script>
</head>
<body dir="ltr"><main class="main"><section class="top-card-layout"><h1 class="top-card-layout__title">${name}</h1><h2 class="top-card-layout__headline">${escapeHtml(title)} at ${escapeHtml(employer.name)}</h2><div class="profile-info-subheader"><span>${escapeHtml(account.location)}</span> <span>${account.followers.toLocaleString('en-US')} followers</span></div></section></main>
`,
    TAIL,
  ]);
};

export const notFound = (): Reply =>
  html(
    [HEAD, '<title>Profile Not Found | LinkedIn</title></head><body><h1>Profile Not Found</h1>', TAIL],
    404,
  );
