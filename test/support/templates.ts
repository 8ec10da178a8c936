/** Templates of the tests' databases: `migrated`, or one that also has an active, empty build of each projection. */
export const TEMPLATES = { migrated: 'sightline', built: 'sightline_built' } as const;
