import { isoOf } from '../../../../src/kernel/clock.ts';
import { html } from '../response.ts';
import { nothing, profileOf, type Site, type Visible } from '../site.ts';
import { graphql } from './graphql.ts';
import { page } from './page.ts';
import { avatarOf } from './payloads.ts';
import { syndication } from './syndication.ts';

/** X: the profile page, the embedded timeline, GraphQL. */
export const x: Site = {
  platform: 'x',
  hosts: ['x.com', 'twitter.com', 'www.x.com', 'syndication.twitter.com', 'api.x.com'],
  serve: (world, request) => {
    if (request.host === 'syndication.twitter.com') return syndication(world, request);
    if (request.host === 'api.x.com' || request.path.startsWith('/i/api/')) return graphql(world, request);
    if (request.path.startsWith('/i/'))
      return html('<!DOCTYPE html><html><title>Log in to X / X</title></html>');
    return page(world, request);
  },
  unused: [nothing('page', 'unknown'), nothing('syndication', 'unknown'), nothing('graphql', 'absent')],
  visible: (account) => {
    const gone = account.status !== 'active' && account.status !== 'private';
    const known = {
      id: account.id,
      display_name: account.displayName,
      followers: account.followers,
      following: account.following,
      posts: account.posts,
      created_at: isoOf(account.createdAt),
      bio: account.bio,
      location: account.location,
      links: account.links,
    };
    const shown = (surface: string, status: 'present' | 'private', verified: boolean | null): Visible => ({
      surface,
      status,
      profile: profileOf(account, { ...known, avatar_url: avatarOf(account, '_400x400'), verified }),
    });
    const none = (surface: string, status: Visible['status']): Visible => ({
      surface,
      status,
      profile: null,
    });
    if (gone) {
      return [
        none('page', 'unknown'),
        none('syndication', 'unknown'),
        none('graphql', account.status === 'suspended' ? 'suspended' : 'absent'),
      ];
    }
    const closed = account.status === 'private';
    return [
      shown('page', 'present', null),
      closed || account.posts === 0
        ? none('syndication', 'unknown')
        : shown('syndication', 'present', account.verified),
      shown('graphql', closed ? 'private' : 'present', account.verified),
    ];
  },
};
