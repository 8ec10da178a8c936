import {
  type Contract,
  type Operation,
  type Parameter,
  referredTo,
  type Schema,
  withoutNull,
} from './contract.ts';

const HEAD = `/** Generated from the contract of the endpoints by \`npm run clients:generate\`. */
`;

const comment = (text: string | undefined, indent = ''): string =>
  text === undefined
    ? ''
    : `${indent}/** ${text.replaceAll('\n\n', '\n').replaceAll('\n', `\n${indent} * `).replaceAll('*/', '* /')} */\n`;

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/**
 * The type of a schema.
 * @param isOpen whether later releases may answer other values of an enumeration.
 */
const typeOf = (schema: Schema, isOpen: boolean, indent = ''): string => {
  const name = referredTo(schema);
  if (name !== null) return name;
  const { schema: rest, isNullable } = withoutNull(schema);
  if (isNullable) return `${typeOf(rest, isOpen, indent)} | null`;
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each, isOpen, indent)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    return isOpen ? `${values} | (string & {})` : values;
  }
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly ${groupOf(typeOf(schema.items ?? {}, isOpen, indent))}[]`;
    case 'object':
      return objectOf(schema, isOpen, indent);
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
};

const groupOf = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type);

const objectOf = (
  { properties, required = [], additionalProperties }: Schema,
  isOpen: boolean,
  indent: string,
): string => {
  if (properties === undefined) {
    const of =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, isOpen, indent) : 'unknown';
    return `Readonly<Record<string, ${of}>>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([key, schema]) => {
    const mark = required.includes(key) ? '' : '?';
    return `${comment(schema.description, inner)}${inner}readonly ${isName(key) ? key : JSON.stringify(key)}${mark}: ${typeOf(schema, isOpen, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

const parametersOf = (parameters: readonly Parameter[]): string =>
  objectOf(
    {
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    },
    false,
    '    ',
  );

const operationOf = (operation: Operation): string =>
  `${comment(`${operation.summary}.\n${operation.description}`, '  ')}  readonly ${operation.name}: {
    readonly parameters: ${operation.parameters.length === 0 ? 'Readonly<Record<never, never>>' : parametersOf(operation.parameters)};
    readonly data: ${typeOf(operation.data, true, '    ')};
    readonly meta: ${typeOf(operation.meta, true, '    ')};
    readonly isList: ${operation.isList};
  };
`;

/** Where a parameter goes: those of the path are in the path, and those of a POST in its body. */
const entryOf = ({ name, method, path, meter, isList, items }: Operation): string =>
  `  ${name}: ${JSON.stringify([method, path, meter, isList, items])},\n`;

/** Types of all operations, and what a client needs to call them. */
export const typescriptOf = ({ operations, schemas, errorCodes }: Contract): string => {
  const types = Object.entries(schemas).map(([name, schema]) => {
    const type = typeOf(schema, true);
    return `${comment(schema.description)}${type.startsWith('{\n') ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
  });
  return `${HEAD}
/** Codes of errors. */
export type ErrorCode =
${errorCodes.map((code) => `  | '${code}'`).join('\n')}
  | (string & {});

/** Every operation: its parameters, and what it answers; of a list, one of its items. */
export interface Operations {
${operations.map(operationOf).join('\n')}}

/** Method, path and meter of each operation, whether it is a list, and a list in its body whose items may be charged each. */
export const OPERATIONS: {
  readonly [Name in keyof Operations]: readonly [
    method: 'GET' | 'POST',
    path: string,
    meter: 'free' | 'catalog' | 'live',
    isList: boolean,
    items: readonly [name: string, max: number] | null,
  ];
} = {
${operations.map(entryOf).join('')}};

${types.join('\n')}`;
};
