/** Databases that a test's own is cloned from: `migrated`, or with an active, empty build of each projection too. */
export const TEMPLATES = { migrated: 'sightline', built: 'sightline_built' } as const;
