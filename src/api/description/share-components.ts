import { isObject, type Json, type JsonObject, mapValues, objectAt } from '../contract/json.ts';

/**
 * Moves repeated parts of operations (headers, parameters, examples, error responses) into components. Only parts used
 * more than once become components; of different parts with the same name, the most frequent one does.
 */
export const shareComponents = (document: JsonObject): JsonObject => {
  const components: Record<string, Record<string, Json>> = {};
  // Innermost kinds first: responses are compared with references already in them.
  const toComponents = (kinds: readonly Kind[], from: JsonObject): JsonObject => {
    const uses = new Map<string, Map<string, number>>();
    visitDocument((kind, name, part) => {
      if (!kinds.includes(kind)) return part;
      const [key, text] = [`${kind}/${name}`, JSON.stringify(part)];
      const variants = uses.get(key) ?? new Map<string, number>();
      uses.set(key, variants.set(text, (variants.get(text) ?? 0) + 1));
      return part;
    }, from);
    const texts = new Map([...uses].map(([key, variants]) => [key, mostFrequent(variants)]));
    return visitDocument((kind, name, part) => {
      if (!kinds.includes(kind) || texts.get(`${kind}/${name}`) !== JSON.stringify(part)) return part;
      components[kind] = { ...components[kind], [name]: part };
      return { $ref: `#/components/${kind}/${name}` };
    }, from);
  };
  const shared = toComponents(['responses'], toComponents(['headers', 'examples', 'parameters'], document));
  const sorted = Object.fromEntries(
    Object.entries(components).map(([kind, byName]) => [
      kind,
      Object.fromEntries(Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );
  return { ...shared, components: { ...objectAt(shared, 'components'), ...sorted } };
};

/** Kinds of components that operations share. */
type Kind = 'headers' | 'examples' | 'parameters' | 'responses';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const pascalCase = (code: string): string =>
  code
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/**
 * Component name of a response, derived from the response alone, so that a new endpoint renames no other component:
 * error responses are named by their codes. Null if it is specific to one operation.
 */
const responseName = (status: string, response: JsonObject): string | null => {
  if (status === '304') return 'NotModified';
  const codes = Object.keys(
    objectAt(objectAt(objectAt(response, 'content'), 'application/json'), 'examples'),
  );
  return codes.length === 0 ? null : codes.map(pascalCase).join('Or');
};

const headerName = (name: string, header: Json): string =>
  isObject(header) && header.required === true ? name : `${name}.optional`;

/** A header with its description in one place: some have it in their schema, too, or only there. */
const describedOnce = (header: Json): Json => {
  if (!isObject(header) || !isObject(header.schema)) return header;
  const { description, ...schema } = header.schema;
  const own = header.description ?? description;
  return { ...header, ...(own === undefined ? {} : { description: own }), schema };
};

/** Visits each part that may become a component, innermost first, and replaces it by the result. */
type Visit = (kind: Kind, name: string, part: Json) => Json;

const visitResponse = (visit: Visit, status: string, response: Json): Json => {
  if (!isObject(response)) return response;
  const name = responseName(status, response);
  const visited = mapValues(response, (member, key) => {
    if (!isObject(member)) return member;
    if (key === 'headers')
      return mapValues(member, (header, n) => visit('headers', headerName(n, header), describedOnce(header)));
    if (key !== 'content') return member;
    return mapValues(member, (media) =>
      !isObject(media)
        ? media
        : mapValues(media, (value, field) =>
            field === 'examples' && isObject(value)
              ? mapValues(value, (example, code) => visit('examples', code, example))
              : value,
          ),
    );
  });
  return name === null ? visited : visit('responses', name, visited);
};

const visitOperation = (visit: Visit, operation: JsonObject): JsonObject =>
  mapValues(operation, (member, key) => {
    if (key === 'parameters' && Array.isArray(member)) {
      return (member as readonly Json[]).map((parameter) =>
        isObject(parameter) ? visit('parameters', `${parameter.in}.${parameter.name}`, parameter) : parameter,
      );
    }
    if (key !== 'responses' || !isObject(member)) return member;
    return mapValues(member, (response, status) => visitResponse(visit, status, response));
  });

const visitDocument = (visit: Visit, document: JsonObject): JsonObject =>
  mapValues(document, (member, key) =>
    key !== 'paths' || !isObject(member)
      ? member
      : mapValues(member, (path) =>
          isObject(path)
            ? mapValues(path, (operation, method) =>
                METHODS.has(method) && isObject(operation) ? visitOperation(visit, operation) : operation,
              )
            : path,
        ),
  );

/** The text that is used most often, at least twice; the smallest of equals. Null if none is. */
const mostFrequent = (variants: ReadonlyMap<string, number>): string | null => {
  const [first] = [...variants].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first === undefined || first[1] < 2 ? null : first[0];
};
