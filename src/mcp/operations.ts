/** The operations of the API, as its own description has them. */

/** How the API is called: within its process, or over HTTP. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

export interface CallRequest {
  readonly method: string;
  /** With its query, below `/v2`. */
  readonly path: string;
  readonly body?: unknown;
}

export interface CallAnswer {
  readonly status: number;
  /** Units that it cost. */
  readonly cost: number;
  readonly body: unknown;
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OperationParameter[];
}

interface OperationParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (OperationParameter & { readonly $ref?: string })[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: {
          readonly properties?: Readonly<Record<string, unknown>>;
          readonly required?: readonly string[];
        };
      };
    };
  };
}

/** An OpenAPI document, as far as it is read here. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, OperationParameter>> };
}

/** All operations by their names. */
export const operationsIn = ({ paths, components }: Description): ReadonlyMap<string, Operation> => {
  const parametersOf = ({ parameters = [], requestBody }: Described): readonly OperationParameter[] => {
    const named = parameters.map((each) =>
      each.$ref === undefined
        ? each
        : (components.parameters?.[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)] as OperationParameter),
    );
    const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
    const posted = Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'body',
      required: required.includes(name),
      schema,
    }));
    return [
      ...named
        .filter((each) => each.in !== 'header')
        .map(({ name, in: place, required = false, schema }) => ({ name, in: place, required, schema })),
      ...posted,
    ];
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => {
        const { operationId: name, summary, description } = described;
        return [
          name,
          {
            name,
            method: method.toUpperCase(),
            path,
            summary,
            description,
            parameters: parametersOf(described),
          },
        ] as const;
      }),
    ),
  );
};

/** The request of a call: parameters go where the path has them, and the others into the body of a POST or the query. */
export const requestOf = (
  { method, path }: Operation,
  values: Readonly<Record<string, unknown>>,
): CallRequest => {
  const rest = new Map(Object.entries(values).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value ?? ''));
  });
  if (method === 'POST') return { method, path: filled, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { method, path: query.size === 0 ? filled : `${filled}?${query}` };
};

/** Operations in which all words occur, those with more of them in their names first. */
export const searchOperations = (operations: Iterable<Operation>, text: string): readonly Operation[] => {
  const words = text.toLowerCase().split(/\W+/).filter(Boolean);
  const hits = [...operations].flatMap((operation) => {
    const name = `${operation.name} ${operation.path} ${operation.summary}`.toLowerCase();
    const whole = `${name} ${operation.description}`.toLowerCase();
    const found = words.filter((word) => whole.includes(word)).length;
    return found === 0
      ? []
      : [{ operation, rank: found * 10 + words.filter((word) => name.includes(word)).length }];
  });
  return hits.sort((a, b) => b.rank - a.rank).map(({ operation }) => operation);
};
