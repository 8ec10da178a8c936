/** What clients are generated from: the operations of the endpoints' own contract. */

import type { JsonObject } from '../../src/api/contract/json.ts';
import { openApiDocument } from '../../src/api/description/document.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';

/** A JSON Schema, as far as the contract uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly name: string;
  readonly group: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** How it is charged; live calls read a platform. */
  readonly meter: 'free' | 'catalog' | 'live';
  readonly parameters: readonly Parameter[];
  /** The data of its answer: of a list, an item. */
  readonly data: Schema;
  readonly meta: Schema;
  readonly isList: boolean;
  /** A list in its body, whose items may be charged each, and how many it has at most; null without one. */
  readonly items: readonly [name: string, max: number] | null;
  /** Parameters of a call that is valid. */
  readonly example: Readonly<Record<string, unknown>>;
}

export interface Contract {
  readonly operations: readonly Operation[];
  /** Named schemas of answers. */
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly errorCodes: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: Schema } } }>
  >;
}

interface DescribedParameter {
  readonly $ref?: string;
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The contract of this release. */
export const readContract = async (): Promise<Contract> => {
  const endpoints = await loadEndpoints();
  const document = openApiDocument(endpoints, publishedPlans('A')) as JsonObject as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, Schema>>;
      readonly parameters: Readonly<Record<string, DescribedParameter>>;
    };
  };
  const { schemas, parameters } = document.components;
  const schemaAt = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] as Schema);
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.operation, endpoint]));

  const operationOf = (path: string, method: string, described: Described): Operation => {
    const found = (described.parameters ?? []).map((each) =>
      each.$ref === undefined ? each : (parameters[nameIn(each.$ref)] as DescribedParameter),
    );
    const body = described.requestBody?.content['application/json'].schema;
    const answer = schemaAt(
      (described.responses['200'] as Described['responses'][string]).content['application/json'].schema,
    );
    const { data = {}, meta = {} } = answer.properties ?? {};
    const isList = schemaAt(meta).properties?.next_cursor !== undefined;
    const own = found.filter((each) => each.in !== 'header' && !(isList && each.name === 'cursor'));
    const listed = schemaAt(data);
    if (isList && listed.items === undefined) throw new Error(`${described.operationId} lists no array`);
    const endpoint = endpointOf.get(described.operationId);
    const {
      params,
      query,
      body: posted,
    } = (endpoint?.example ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>;
    return {
      name: described.operationId,
      group: endpoint?.group ?? 'root',
      method: method.toUpperCase() as Operation['method'],
      path,
      summary: described.summary,
      description: described.description,
      meter: endpoint?.meter ?? 'free',
      parameters: [
        ...own.map(({ name, in: place, required = false, schema }) => ({
          name,
          in: place as 'path' | 'query',
          required,
          schema,
        })),
        ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
          name,
          in: 'body' as const,
          required: body?.required?.includes(name) === true,
          schema,
        })),
      ],
      data: isList ? (listed.items as Schema) : data,
      meta,
      isList,
      items:
        Object.entries(body?.properties ?? {})
          .map(([name, { maxItems }]) => [name, maxItems ?? 0] as const)
          .find(([, max]) => max > 0) ?? null,
      example: { ...params, ...query, ...posted },
    };
  };
  const error = schemaAt({ $ref: 'Error' });
  const code = schemaAt(schemaAt(error.properties?.error ?? {}).properties?.code ?? {});
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
  const used = new Set<string>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key !== '$ref') visit(value);
      else if (!used.has(nameIn(value))) {
        used.add(nameIn(value));
        visit(schemas[nameIn(value)]);
      }
    }
  };
  visit(operations.map(({ data, meta, parameters: all }) => [data, meta, all]));
  return {
    operations,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    errorCodes: code.enum ?? [],
  };
};

/** A schema without null, and whether null was one of its values. */
export const withoutNull = (schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } => {
  const rest = schema.anyOf?.filter((each) => each.type !== 'null');
  if (rest === undefined || rest.length === schema.anyOf?.length) return { schema, isNullable: false };
  return { schema: rest.length === 1 ? (rest[0] as Schema) : { anyOf: rest }, isNullable: true };
};

/** Name of a named schema. */
export const referredTo = ({ $ref }: Schema): string | null => ($ref === undefined ? null : nameIn($ref));
