/**
 * Small accessors for JSON that came from outside and whose shape is a hope: they give what is there when it is of
 * the right kind, and nothing otherwise.
 */
export type Json = unknown;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined where it is none. */
export const parseJson = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a path of keys and indexes; undefined where the path breaks off. */
export const at = (value: Json, ...path: readonly (string | number)[]): Json => {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    // Own fields only: a page must not reach into what every object inherits.
    if (!Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
};

export const listAt = (value: Json, ...path: readonly (string | number)[]): readonly Json[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const boolAt = (value: Json, ...path: readonly (string | number)[]): boolean | null => {
  const found = at(value, ...path);
  return typeof found === 'boolean' ? found : null;
};

/** Text that may be stored: whole code points and no NUL, which Postgres does not take. */
export const clean = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
};

export const textAt = (value: Json, ...path: readonly (string | number)[]): string | null => {
  const found = at(value, ...path);
  return typeof found === 'string' ? clean(found) : null;
};

/** A native id: digits as text or as a number; null for the 0 that stands for "not told". */
export const idAt = (value: Json, ...path: readonly (string | number)[]): string | null => {
  const found = at(value, ...path);
  if (typeof found === 'number') return Number.isSafeInteger(found) && found > 0 ? String(found) : null;
  return typeof found === 'string' && found !== '' && found !== '0' ? clean(found) : null;
};

/** The first value of a field by its name, at any depth. Looks at no more than `limit` nodes. */
export const findField = (value: Json, name: string, limit = 200_000): { readonly value: Json } | null => {
  const open: Json[] = [value];
  for (let seen = 0; open.length > 0 && seen < limit; seen++) {
    const here = open.pop();
    if (Array.isArray(here)) {
      for (let i = here.length - 1; i >= 0; i--) if (typeof here[i] === 'object') open.push(here[i]);
    } else if (isObject(here)) {
      if (Object.hasOwn(here, name)) return { value: here[name] };
      const inner = Object.values(here);
      for (let i = inner.length - 1; i >= 0; i--) if (typeof inner[i] === 'object') open.push(inner[i]);
    }
  }
  return null;
};
