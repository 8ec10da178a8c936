/** Accessors for untrusted JSON: they return a value of the right type, or nothing. */
export type Json = unknown;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined if it is invalid. */
export const parseJson = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Value at a path of keys and indexes; undefined if the path does not exist. */
export const at = (value: Json, ...path: readonly (string | number)[]): Json => {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    // Own fields only: never inherited ones.
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

/** Storable text: well-formed and without NUL, which Postgres rejects. */
export const clean = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
};

export const textAt = (value: Json, ...path: readonly (string | number)[]): string | null => {
  const found = at(value, ...path);
  return typeof found === 'string' ? clean(found) : null;
};

/** A native ID from text or number; null for 0, which means "none". */
export const idAt = (value: Json, ...path: readonly (string | number)[]): string | null => {
  const found = at(value, ...path);
  if (typeof found === 'number') return Number.isSafeInteger(found) && found > 0 ? String(found) : null;
  return typeof found === 'string' && found !== '' && found !== '0' ? clean(found) : null;
};

/** Values of a field by name, at any depth and in order, none within another; visits at most `limit` nodes. */
export function* findFields(value: Json, name: string, limit = 200_000): Generator<Json, void, undefined> {
  const open: Json[] = [value];
  for (let seen = 0; open.length > 0 && seen < limit; seen++) {
    const here = open.pop();
    if (Array.isArray(here)) {
      for (let i = here.length - 1; i >= 0; i--) if (typeof here[i] === 'object') open.push(here[i]);
    } else if (isObject(here)) {
      if (Object.hasOwn(here, name)) {
        yield here[name];
        continue;
      }
      const inner = Object.values(here);
      for (let i = inner.length - 1; i >= 0; i--) if (typeof inner[i] === 'object') open.push(inner[i]);
    }
  }
}

/** First value of a field by name, at any depth. */
export const findField = (value: Json, name: string): { readonly value: Json } | null => {
  const first = findFields(value, name).next();
  return first.done === true ? null : { value: first.value };
};
