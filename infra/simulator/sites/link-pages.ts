import { escapeHtml, html } from '../platforms/response.ts';
import type { Reply, SiteRequest } from '../platforms/site.ts';
import { PLATFORMS } from '../simulated-platforms.ts';
import { isClient } from '../world/agencies.ts';
import { addressOf } from '../world/links.ts';
import type { World } from '../world/world.ts';

/** Addresses that a link page of a name lists; null if the page does not exist. */
export const listedOn = (world: World, name: string, at: number): readonly string[] | null => {
  const { people } = world.hidden;
  const owner = world.hidden.pages.ownerOf(name);
  if (owner === null) return null;
  if ('agency' in owner) {
    const { agency } = owner;
    const found: string[] = [];
    for (let index = agency.from; index < agency.to; index++)
      for (const platform of PLATFORMS)
        if (isClient(world.seed, platform, index))
          found.push(addressOf(platform, world.handleOf(platform, index, at)));
    return found;
  }
  const { person } = owner;
  const listed = people.membershipsOf(person).filter((platform) => people.hasPage(platform, person));
  return listed.length === 0
    ? null
    : listed.map((platform) => addressOf(platform, world.handleOf(platform, person, at)));
};

/** Pages of links: of people, with their accounts, and of agencies, with those of all their clients. */
export const linkPages = (world: World, { path, at }: SiteRequest): Reply => {
  const name = path.slice(1).toLowerCase();
  const links = listedOn(world, name, at);
  if (links === null) return html('<!DOCTYPE html><title>Not found</title>', 404);
  const items = links.map(
    (link) => `<li><a href="${escapeHtml(link)}" rel="noopener">${escapeHtml(link)}</a></li>`,
  );
  return html(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(name)}</title></head><body><h1>@${escapeHtml(name)}</h1><ul>${items.join('\n')}</ul></body></html>`,
  );
};
