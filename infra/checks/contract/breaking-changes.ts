import { isObject, type Json, type JsonObject, objectAt } from '../../../src/api/contract/json.ts';
import { compareSchemas, type Direction, dereference } from './compare-schemas.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Both versions of a part of the document. */
interface Pair {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Both versions of the document, and the collected changes. */
interface Context {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly report: (change: string) => void;
}

const member = ({ before, after }: Pair, name: string): Pair => ({
  before: isObject(before) ? before[name] : undefined,
  after: isObject(after) ? after[name] : undefined,
});

const resolve = (c: Context, { before, after }: Pair) => ({
  before: dereference(c.before, before),
  after: dereference(c.after, after),
});

const namesOf = ({ before, after }: Pair): readonly string[] => [
  ...new Set([before, after].flatMap((part) => (isObject(part) ? Object.keys(part) : []))),
];

const compareSchemaAt = (c: Context, at: string, direction: Direction, schemas: Pair): void => {
  const report = (field: string, what: string) =>
    c.report(`${at}${field === '' ? '' : `: ${field}`}: ${what}`);
  compareSchemas({ before: c.before, after: c.after, direction, report }, schemas.before, schemas.after);
};

const compareContent = (c: Context, at: string, direction: Direction, content: Pair): void => {
  for (const type of namesOf(content)) {
    const media = member(content, type);
    if (media.after === undefined) c.report(`${at}: ${type} removed`);
    if (media.before === undefined || media.after === undefined) continue;
    const where = type === 'application/json' ? at : `${at} (${type})`;
    compareSchemaAt(c, where, direction, member(media, 'schema'));
  }
};

/** Parameters by location and name; those of the path item apply to each of its operations. */
const parametersOf = (document: JsonObject, item: Json | undefined, method: string): JsonObject => {
  const lists = [item, objectAt(item, method)].map((part) => (isObject(part) ? part.parameters : undefined));
  return Object.fromEntries(
    lists
      .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
      .map((parameter) => dereference(document, parameter))
      // Header names are case-insensitive (RFC 9110, 5.1).
      .map((p) => [`${p.in} parameter ${p.in === 'header' ? String(p.name).toLowerCase() : p.name}`, p]),
  );
};

const compareParameters = (c: Context, at: string, item: Pair, method: string): void => {
  const parameters = {
    before: parametersOf(c.before, item.before, method),
    after: parametersOf(c.after, item.after, method),
  };
  for (const name of namesOf(parameters)) {
    const { before, after } = member(parameters, name);
    const where = `${at}: ${name}`;
    if (!isObject(after)) {
      c.report(`${where}: removed`);
      continue;
    }
    const isRequired = after.required === true;
    if (!isObject(before)) {
      if (isRequired) c.report(`${where}: new and required`);
      continue;
    }
    if (isRequired && before.required !== true) c.report(`${where}: required`);
    for (const keyword of ['style', 'explode']) {
      if (before[keyword] !== after[keyword]) c.report(`${where}: ${keyword} changed`);
    }
    compareSchemaAt(c, where, 'request', { before: before.schema, after: after.schema });
  }
};

const compareBody = (c: Context, at: string, bodies: Pair): void => {
  const where = `${at}: request body`;
  if (bodies.after === undefined) {
    if (bodies.before !== undefined) c.report(`${where}: removed`);
    return;
  }
  const { before, after } = resolve(c, bodies);
  if (after.required === true && before.required !== true) {
    c.report(`${where}: ${bodies.before === undefined ? 'new and required' : 'required'}`);
  }
  compareContent(c, where, 'request', { before: before.content, after: after.content });
};

const compareHeaders = (c: Context, at: string, headers: Pair): void => {
  const lower = (part: Json | undefined): JsonObject =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, header]) => [name.toLowerCase(), header]))
      : {};
  const byName = { before: lower(headers.before), after: lower(headers.after) };
  for (const name of Object.keys(byName.before)) {
    const where = `${at}: header ${name}`;
    if (!(name in byName.after)) {
      c.report(`${where}: removed`);
      continue;
    }
    const { before, after } = resolve(c, member(byName, name));
    if (before.required === true && after.required !== true) c.report(`${where}: no longer in every answer`);
    compareSchemaAt(c, where, 'answer', { before: before.schema, after: after.schema });
  }
};

const compareResponses = (c: Context, at: string, responses: Pair): void => {
  for (const status of isObject(responses.before) ? Object.keys(responses.before) : []) {
    const where = `${at}: status ${status}`;
    const response = member(responses, status);
    if (response.after === undefined) {
      c.report(`${where}: removed`);
      continue;
    }
    const resolved = resolve(c, response);
    compareHeaders(c, where, member(resolved, 'headers'));
    compareContent(c, where, 'answer', member(resolved, 'content'));
  }
};

/** Accepted credentials: any one of the requirements suffices. */
const credentialsOf = (document: JsonObject, operation: Json | undefined): readonly string[] => {
  const own = isObject(operation) ? operation.security : undefined;
  const list = own ?? document.security;
  const all = Array.isArray(list) && list.length > 0 ? (list as readonly Json[]) : [{}];
  return all.map((requirement) => JSON.stringify(requirement));
};

const compareOperation = (c: Context, at: string, item: Pair, method: string): void => {
  const operation = member(item, method);
  const id = member(operation, 'operationId');
  // Generated clients name methods by it.
  if (id.before !== id.after) c.report(`${at}: operationId changed from ${id.before} to ${id.after}`);
  const accepted = new Set(credentialsOf(c.after, operation.after));
  for (const credentials of credentialsOf(c.before, operation.before)) {
    if (!accepted.has(credentials) && !accepted.has('{}')) {
      c.report(`${at}: credentials ${credentials} no longer accepted`);
    }
  }
  compareParameters(c, at, item, method);
  compareBody(c, at, member(operation, 'requestBody'));
  compareResponses(c, at, member(operation, 'responses'));
};

const serversOf = (document: JsonObject): readonly string[] =>
  Array.isArray(document.servers)
    ? (document.servers as readonly Json[]).map((server) => String(isObject(server) ? server.url : ''))
    : [];

/**
 * Changes of an OpenAPI 3.1 document that break callers, a line each. Texts, examples and the choice between inline
 * parts and components don't count. Additive changes are not listed: new paths, statuses, headers, optional
 * parameters, response fields and their enum values.
 */
export const breakingChanges = (before: JsonObject, after: JsonObject): readonly string[] => {
  const changes = new Set<string>();
  const c: Context = { before, after, report: (change) => changes.add(change) };
  for (const url of serversOf(before)) {
    if (!serversOf(after).includes(url)) c.report(`server ${url}: removed`);
  }
  const schemes = member(member({ before, after }, 'components'), 'securitySchemes');
  for (const name of isObject(schemes.before) ? Object.keys(schemes.before) : []) {
    const scheme = resolve(c, member(schemes, name));
    for (const keyword of ['type', 'scheme', 'in', 'name']) {
      if (scheme.before[keyword] !== scheme.after[keyword])
        c.report(`credentials ${name}: ${keyword} changed`);
    }
  }
  const paths = { before: before.paths, after: after.paths };
  for (const path of isObject(before.paths) ? Object.keys(before.paths) : []) {
    const item = member(paths, path);
    for (const method of METHODS) {
      const at = `${method.toUpperCase()} ${path}`;
      const operation = member(item, method);
      if (operation.before === undefined) continue;
      if (operation.after === undefined) c.report(`${at}: removed`);
      else compareOperation(c, at, item, method);
    }
  }
  return [...changes];
};
