import type { Account } from '../../world/account.ts';
import { html, redirect } from '../response.ts';
import { nothing, profileOf, type Site } from '../site.ts';
import { companyPage } from './company.ts';
import { avatarOf } from './payloads.ts';
import { notFound, personPage } from './person.ts';

const COUNTRIES = ['de', 'fr', 'es', 'br', 'uk', 'in'] as const;

/** The country host of a person's profile, to which LinkedIn redirects. */
const hostOf = (account: Account): string =>
  account.quirks.has('country_host')
    ? `${COUNTRIES[account.key % COUNTRIES.length]}.linkedin.com`
    : 'www.linkedin.com';

export const linkedin: Site = {
  platform: 'linkedin',
  hosts: ['www.linkedin.com', 'linkedin.com', '.linkedin.com'],
  serve: (world, request) => {
    const [, room = '', slug = ''] = request.path.split('/');
    if (room === 'authwall' || room === 'login' || room === 'checkpoint') {
      return html('<!DOCTYPE html><html><head><title>Sign Up | LinkedIn</title></head><body></body></html>');
    }
    if (room !== 'in' && room !== 'company') return notFound();
    const handle = room === 'company' ? `company:${slug}` : slug;
    if (room === 'in' && slug.includes(':')) return notFound();
    const account = world.current('linkedin', handle, request.at);
    if (account?.status !== 'active') return notFound();
    const host = hostOf(account);
    if (request.host !== host && !(host === 'www.linkedin.com' && request.host.startsWith('www'))) {
      return redirect(`https://${host}/${room}/${slug}`, 301);
    }
    const posts = world.posts(account, request.at, 6);
    return account.kind === 'company'
      ? companyPage(account, posts, world.hidden.company(account.index))
      : personPage(account, posts, world);
  },
  unused: [nothing('page', 'absent')],
  visible: (account) => {
    if (account.status !== 'active') return [{ surface: 'page', status: 'absent', profile: null }];
    return [
      {
        surface: 'page',
        status: 'present',
        profile: profileOf(account, {
          display_name: account.displayName,
          followers: account.followers,
          bio: account.bio,
          avatar_url: avatarOf(account),
          location: account.location,
          // A person's page has links in its text only; a company's has a website.
          links: account.kind === 'company' ? account.links : [],
        }),
      },
    ];
  },
};
