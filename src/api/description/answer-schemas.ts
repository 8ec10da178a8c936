import { isObject, type Json, type JsonObject, mapValues, objectAt } from '../contract/json.ts';
import { FIELD_TEXTS } from './field-texts.ts';

/** The document with its answer schemas prepared for generated clients. Request schemas stay unchanged. */
export const withAnswerSchemas = (document: JsonObject): JsonObject => {
  const schemas = new AnswerSchemas();
  const components = objectAt(document, 'components');
  for (const [name, schema] of Object.entries(objectAt(components, 'schemas')))
    if (isObject(schema)) schemas.add(name, schema);
  const paths = mapValues(objectAt(document, 'paths'), (path) =>
    !isObject(path)
      ? path
      : mapValues(path, (operation) => {
          if (!isObject(operation)) return operation;
          const name = pascalCase(String(operation.operationId));
          const answerOf = (schema: JsonObject, type: string): Json =>
            type === 'application/json'
              ? namedAnswer(schemas, name, schema)
              : schemas.named(schema, `${name}Row`);
          const responses = mapValues(objectAt(operation, 'responses'), (response) =>
            !isObject(response)
              ? response
              : {
                  ...response,
                  ...(isObject(response.content)
                    ? {
                        content: mapValues(response.content, (media, type) =>
                          isObject(media) && isObject(media.schema)
                            ? { ...media, schema: answerOf(media.schema, type) }
                            : media,
                        ),
                      }
                    : {}),
                },
          );
          return { ...operation, responses };
        }),
  );
  const sorted = Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...components, schemas: sorted } };
};

const NULL: JsonObject = { type: 'null' };

const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');

const isNull = (schema: Json): boolean => isObject(schema) && schema.type === 'null';

/** A nullable schema in its one form: a choice between the schema and null. */
const withNullApart = (schema: JsonObject): JsonObject => {
  const { type, description, enum: values, ...rest } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return schema;
  const [kept] = type.filter((one) => one !== 'null');
  const listed = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  const own = { type: kept as Json, ...listed, ...rest };
  return { anyOf: [own, NULL], ...(description === undefined ? {} : { description }) };
};

/** A schema without bounds and patterns that its type or format implies. */
const withoutNoise = ({ minimum, maximum, pattern, ...schema }: JsonObject): JsonObject => ({
  ...schema,
  ...(minimum === undefined || minimum === -Number.MAX_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  ...(pattern === undefined || schema.format === 'date-time' ? {} : { pattern }),
});

/**
 * Schemas of answers for generated clients: open, so that a new field breaks none; every object and enumeration a named
 * component; nullable in one form; every field described.
 */
class AnswerSchemas {
  readonly #names = new Map<string, string>();
  readonly components: Record<string, Json> = {};

  /** Adds a component that the endpoints named themselves. */
  add(name: string, schema: JsonObject): void {
    this.components[name] = this.#inside(schema, name);
  }

  /** A schema for use: a reference to its component if it is an object or enumeration. @param name of the component. */
  named(source: Json, name: string): Json {
    if (!isObject(source) || source.$ref !== undefined) return source;
    const { description, ...schema } = this.#inside(withNullApart(source), name);
    const described = description === undefined ? {} : { description };
    const isValues = Array.isArray(schema.enum) && schema.enum.length > 1;
    if (schema.type !== 'object' && !isValues) return { ...schema, ...described };
    return { $ref: `#/components/schemas/${this.#keep(schema, name)}`, ...described };
  }

  /** Adds a component, unless one has the same content. @returns its name. */
  #keep(schema: JsonObject, name: string): string {
    const text = JSON.stringify(schema);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.components[name] !== undefined) throw new Error(`two different schemas are called ${name}`);
    this.#names.set(text, name);
    this.components[name] = schema;
    return name;
  }

  /** A schema with its parts replaced by named components. */
  #inside({ additionalProperties, ...source }: JsonObject, name: string): JsonObject {
    const schema = withoutNoise(source);
    const out: Record<string, Json> = { ...schema };
    if (isObject(additionalProperties))
      out.additionalProperties = this.named(additionalProperties, `${name}Value`);
    else if (additionalProperties === true) out.additionalProperties = true;
    if (isObject(schema.properties))
      out.properties = mapValues(schema.properties, (field, key) =>
        this.named(this.#described(field, name, key), `${name}${pascalCase(key)}`),
      );
    if (isObject(schema.items)) out.items = this.named(schema.items, `${name}Item`);
    for (const choice of ['anyOf', 'oneOf', 'allOf'])
      if (Array.isArray(schema[choice])) out[choice] = this.#choices(schema[choice] as readonly Json[], name);
    return out;
  }

  #choices(members: readonly Json[], name: string): Json {
    const flat = members.flatMap((member) =>
      isObject(member) && Array.isArray(member.anyOf) && Object.keys(member).length === 1
        ? (member.anyOf as readonly Json[])
        : [member],
    );
    const own = flat.filter((member) => !isNull(member));
    const named = own.map((member, i) => this.named(member, own.length === 1 ? name : `${name}${i + 1}`));
    return flat.some(isNull) ? [...named, NULL] : named;
  }

  #described(field: Json, name: string, key: string): Json {
    if (!isObject(field) || field.description !== undefined) return field;
    const text = FIELD_TEXTS[`${name}.${key}`] ?? FIELD_TEXTS[key];
    return text === undefined ? field : { ...field, description: text };
  }
}

/** The data and the envelope of an answer get the name of their operation. */
const namedAnswer = (schemas: AnswerSchemas, operation: string, schema: JsonObject): Json => {
  if (schema.$ref !== undefined) return schema;
  const { data } = objectAt(schema, 'properties');
  const properties = {
    ...objectAt(schema, 'properties'),
    ...(isObject(data) ? { data: schemas.named(data, `${operation}Result`) } : {}),
  };
  return schemas.named({ ...schema, properties }, `${operation}Answer`);
};
