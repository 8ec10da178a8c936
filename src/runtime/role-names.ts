/** What a process of Sightline may do; any number of processes may do each. */
export const ROLES = ['api', 'crawl', 'project', 'relay'] as const;
export type Role = (typeof ROLES)[number];
