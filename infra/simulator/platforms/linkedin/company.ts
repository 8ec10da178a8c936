import type { Account, SimPost } from '../../world/account.ts';
import type { CompanyFacts } from '../../world/linkedin/company.ts';
import { escapeHtml, html, scriptJson } from '../response.ts';
import type { Reply } from '../site.ts';
import { avatarOf, discussion, HEAD, TAIL } from './payloads.ts';

const BRACKETS: readonly (readonly [number, string])[] = [
  [1, '1 employee'],
  [10, '2-10 employees'],
  [50, '11-50 employees'],
  [200, '51-200 employees'],
  [500, '201-500 employees'],
  [1000, '501-1,000 employees'],
  [5000, '1,001-5,000 employees'],
  [10_000, '5,001-10,000 employees'],
];

const row = (id: string, name: string, value: string): string =>
  `<div class="mb-2" data-test-id="about-us__${id}"><dt class="font-sans">${name}</dt><dd class="font-sans">${escapeHtml(value)}</dd></div>`;

export const companyPage = (account: Account, posts: readonly SimPost[], facts: CompanyFacts): Reply => {
  const { employees } = facts;
  const address = `https://www.linkedin.com/company/${account.shown}`;
  const graph = {
    '@context': 'http://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        name: account.displayName,
        url: address,
        description: account.bio,
        slogan: '',
        sameAs: account.links[0],
        logo: { '@type': 'ImageObject', contentUrl: avatarOf(account) },
        numberOfEmployees: { '@type': 'QuantitativeValue', value: employees },
        address: {
          '@type': 'PostalAddress',
          addressCountry: facts.country,
          addressLocality: account.location,
        },
      },
      ...posts.map((post) => discussion(account, post)),
    ],
  };
  const size = BRACKETS.find(([max]) => employees <= max)?.[1] ?? '10,001+ employees';
  return html([
    HEAD,
    `<title>${escapeHtml(account.displayName)} | LinkedIn</title>
<script type="application/ld+json">${scriptJson(graph)}</script>
</head>
<body dir="ltr"><main class="main"><section class="top-card-layout"><h1 class="top-card-layout__title">${escapeHtml(account.displayName)}</h1><h3 class="top-card-layout__first-subline">${escapeHtml(account.location)} <span class="before:middot">${account.followers.toLocaleString('en-US')} followers</span></h3></section>
<section data-test-id="about-us"><p data-test-id="about-us__description">${escapeHtml(account.bio)}</p><dl>${row('website', 'Website', account.links[0] ?? '')}${row('industry', 'Industry', facts.industry)}${row('size', 'Company size', size)}${row('headquarters', 'Headquarters', account.location)}${row('foundedOn', 'Founded', String(facts.founded))}${row('specialties', 'Specialties', facts.specialties.join(' and '))}</dl></section></main>
`,
    TAIL,
  ]);
};
