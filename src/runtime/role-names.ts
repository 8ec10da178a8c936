/** Roles of a Sightline process; any number of processes may have each. */
export const ROLES = ['api', 'crawl', 'project', 'relay', 'research'] as const;
export type Role = (typeof ROLES)[number];
