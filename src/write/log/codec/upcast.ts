import type { EventDefinition } from '../event-definition.ts';

/**
 * Upcasts an event's data from an older version to the current one, a step per version.
 * @throws {Error} if a step is missing.
 */
export const upcast = (definition: EventDefinition, data: unknown, from: number): unknown => {
  let value = data;
  for (let version = from; version < definition.version; version++) {
    const step = definition.upcasts[version];
    if (step === undefined) throw new Error(`no upcast from version ${version}`);
    value = step(value);
  }
  return value;
};
