import type { Platform } from '../simulated-platforms.ts';

/** The URL by which an account is usually shared. */
export const addressOf = (platform: Platform, handle: string): string => {
  switch (platform) {
    case 'x':
      return `https://x.com/${handle}`;
    case 'instagram':
      return `https://www.instagram.com/${handle}/`;
    case 'tiktok':
      return `https://www.tiktok.com/@${handle}`;
    case 'youtube':
      return `https://www.youtube.com/@${handle}`;
    case 'telegram':
      return `https://t.me/${handle}`;
    case 'bluesky':
      return `https://bsky.app/profile/${handle}`;
    case 'linkedin':
      return handle.startsWith('company:')
        ? `https://www.linkedin.com/company/${handle.slice(8)}`
        : `https://www.linkedin.com/in/${handle}`;
  }
};

/** How a text mentions an account of its own platform. */
export const mentionOf = (platform: Platform, handle: string): string =>
  platform === 'linkedin' ? addressOf(platform, handle) : `@${handle}`;

/** Where link pages are. */
export const LINK_PAGES = 'linktr.ee';

/** The link page of a name: of a person, or of an agency with all its clients. */
export const pageOf = (name: string): string => `https://${LINK_PAGES}/${name}`;
