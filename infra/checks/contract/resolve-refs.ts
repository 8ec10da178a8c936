import { isObject, type Json, type JsonObject } from '../../../src/api/contract/json.ts';

/** Target of a local reference (`#/a/b`). @throws if it does not exist. */
export const resolvePointer = (document: Json, ref: string): Json => {
  let part: Json | undefined = document;
  for (const token of ref.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    part = isObject(part) || Array.isArray(part) ? (part as JsonObject)[name] : undefined;
  }
  if (part === undefined || !ref.startsWith('#/')) throw new Error(`the document has no ${ref}`);
  return part;
};

/** Resolves every local reference in a part of a document. A recursive reference is kept at its second occurrence. */
export const resolveRefs = (document: Json, part: Json = document, within: readonly string[] = []): Json => {
  if (Array.isArray(part)) return part.map((each: Json) => resolveRefs(document, each, within));
  if (!isObject(part)) return part;
  const { $ref: ref, ...siblings } = part;
  if (typeof ref === 'string') {
    if (within.includes(ref)) return part;
    const target = resolveRefs(document, resolvePointer(document, ref), [...within, ref]);
    // Keywords beside `$ref` add to its target (JSON Schema 2020-12, 8.2.3.1).
    return isObject(target)
      ? { ...target, ...(resolveRefs(document, siblings, within) as JsonObject) }
      : target;
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolveRefs(document, value, within)]),
  );
};
