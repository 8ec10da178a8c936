import { pythonNameOf, pythonParameterOf } from '../../src/api/description/code-samples.ts';
import {
  type Contract,
  type Operation,
  type Parameter,
  referredTo,
  type Schema,
  withoutNull,
} from './contract.ts';

const HEAD = 'Generated from the contract of the endpoints by `npm run clients:generate`.';

const text = (value: string): string => JSON.stringify(value);

/** Every line but empty ones further in. */
const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '    ');

/** A docstring, as one line where it has only one. */
const docstring = (words: string): string => {
  const escaped = words.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  return escaped.includes('\n') ? `"""${escaped}\n"""\n` : `"""${escaped}"""\n`;
};

/** A list between brackets, one value a line; a formatter leaves it so. */
const listed = (open: string, values: readonly string[], close: string): string =>
  `${open}\n${indented(values.map((value) => `${value},\n`).join(''))}${close}`;

/**
 * The type of a schema.
 * @param isOpen whether later releases may answer other values of an enumeration.
 * @param named how another schema is named.
 */
const typeOf = (schema: Schema, isOpen: boolean, named: (name: string) => string): string => {
  const name = referredTo(schema);
  if (name !== null) return named(name);
  const { schema: rest, isNullable } = withoutNull(schema);
  if (isNullable) return `${typeOf(rest, isOpen, named)} | None`;
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each, isOpen, named)).join(' | ');
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const as string]);
  if (values !== undefined) {
    const one =
      values.length === 1 ? `Literal[${text(String(values[0]))}]` : listed('Literal[', values.map(text), ']');
    if (!isOpen) return one;
    return one.includes('\n') ? `(\n${indented(`${one}\n| str`)}\n)` : `${one} | str`;
  }
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'array': {
      const item = typeOf(schema.items ?? {}, isOpen, named);
      return isOpen ? `list[${item}]` : `Sequence[${item}]`;
    }
    case 'object':
      return `dict[str, ${typeOf((schema.additionalProperties as Schema | undefined) ?? {}, isOpen, named)}]`;
    default:
      return 'Any';
  }
};

const isModel = (schema: Schema): boolean => schema.type === 'object' && schema.properties !== undefined;

const fieldOf = (name: string, schema: Schema, isRequired: boolean): string => {
  const type = typeOf(schema, true, (other) => other);
  const isNullable = type.endsWith(' | None');
  const field = pythonParameterOf(name);
  const value = isRequired && !isNullable ? 'NOT_SENT' : 'None';
  const declared = isRequired || isNullable ? type : `${type} | None`;
  const given = field === name ? value : `Field(default=${value}, alias=${text(name)})`;
  return `${field}: ${declared} = ${given}\n${schema.description === undefined ? '' : docstring(schema.description)}`;
};

const modelOf = (name: string, { description, properties = {}, required = [] }: Schema): string => {
  const fields = Object.entries(properties).map(([key, schema]) =>
    fieldOf(key, schema, required.includes(key)),
  );
  const about = description === undefined ? '' : `${docstring(description)}\n`;
  return `class ${name}(Model):\n${indented(about + fields.join(''))}`;
};

const aliasOf = (name: string, schema: Schema): string =>
  `${name} = ${typeOf(schema, true, (other) => other)}\n${schema.description === undefined ? '' : docstring(schema.description)}`;

/** Types of what is given besides plain text and numbers, each named after the first parameter that has it. */
const givenTypesOf = (operations: readonly Operation[]): ReadonlyMap<string, string> => {
  const types = new Map<string, string>();
  for (const operation of operations)
    for (const parameter of operation.parameters) {
      const key = givenKeyOf(parameter.schema);
      if (key === null || types.has(key)) continue;
      const names = [operation.name, parameter.name].flatMap((name) => name.split('_'));
      types.set(key, names.map((each) => `${each[0]?.toUpperCase()}${each.slice(1)}`).join(''));
    }
  return types;
};

/** A choice or an object, of a parameter or of the items of a list; null of anything else. */
const givenKeyOf = (schema: Schema): string | null => {
  const { enum: choices, properties } = schema.items ?? schema;
  return choices === undefined && properties === undefined ? null : JSON.stringify(choices ?? properties);
};

const givenTypeOf = (name: string, key: string): string => {
  const given: Schema['enum'] | Schema['properties'] = JSON.parse(key);
  if (Array.isArray(given)) return `${name} = ${typeOf({ enum: given }, false, (other) => other)}\n`;
  const fields = Object.entries(given as Readonly<Record<string, Schema>>).map(
    ([field, schema]) =>
      `${field}: ${typeOf(schema, false, (other) => other)}\n${schema.description === undefined ? '' : docstring(schema.description)}`,
  );
  return `class ${name}(TypedDict):\n${indented(fields.join(''))}`;
};

/** Names, each after those that it refers to. */
const inOrder = (schemas: Contract['schemas']): readonly string[] => {
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(/"\$ref":"[^"]*\/(\w+)"/g))
      visit(other);
    ordered.add(name);
  };
  for (const name of Object.keys(schemas)) visit(name);
  return [...ordered];
};

const moduleOf = (words: string, imports: string, ...parts: readonly string[]): string =>
  [`${docstring(`${words}\n\n${HEAD}`)}\n${imports}`, ...parts].join('\n\n');

/** Models of all answers, and types of what is given. */
export const pythonModelsOf = ({ operations, schemas, errorCodes }: Contract): string =>
  moduleOf(
    'Parts of answers.',
    `from typing import Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from ._core import NOT_SENT, Model`,
    `ErrorCode = ${typeOf({ enum: errorCodes }, true, (name) => name)}\n${docstring('Codes of errors.')}`,
    ...inOrder(schemas).map((name) => {
      const schema = schemas[name] as Schema;
      return (isModel(schema) ? modelOf : aliasOf)(name, schema);
    }),
    ...[...givenTypesOf(operations)].map(([key, name]) => givenTypeOf(name, key)),
  );

/** Method, path and meter of each operation, by its function. */
export const pythonOperationsOf = ({ operations }: Contract): string =>
  moduleOf(
    'What a client needs to call each operation.',
    'from ._core import Operation',
    `${listed(
      'OPERATIONS = {',
      operations.map(({ name, method, path, meter, isList, items }) => {
        const list = items === null ? 'None' : `(${text(items[0])}, ${items[1]})`;
        const values = [text(name), text(method), text(path), text(meter), isList ? 'True' : 'False', list];
        return `${text(pythonNameOf(name))}: ${listed('Operation(', values, ')')}`;
      }),
      '}',
    )}\n`,
  );

const inModels = (name: string): string => `models.${name}`;

const parameterTypeOf = ({ schema }: Parameter, given: ReadonlyMap<string, string>): string => {
  const name = given.get(givenKeyOf(schema) ?? '');
  if (name === undefined) return typeOf(schema, false, inModels);
  return schema.items === undefined ? inModels(name) : `Sequence[${inModels(name)}]`;
};

interface Kind {
  /** Whether its functions are awaited. */
  readonly isAsync: boolean;
  /** Whether an answer is given with all that came with it. */
  readonly isRaw: boolean;
}

const functionOf = (
  operation: Operation,
  given: ReadonlyMap<string, string>,
  { isAsync, isRaw }: Kind,
): string => {
  const { name, method, isList, data, meta } = operation;
  const [item, about] = [data, meta].map((schema) => inModels(referredTo(schema) as string));
  const ordered = operation.parameters.toSorted((a, b) => Number(b.required) - Number(a.required));
  const parameters = ordered.map((parameter) => {
    const type = parameterTypeOf(parameter, given);
    return `${pythonParameterOf(parameter.name)}: ${parameter.required ? type : `${type} | None = None`}`;
  });
  const extra = method === 'POST' ? ['idempotency_key'] : isList && isRaw ? ['cursor'] : [];
  parameters.push(...extra.map((each) => `${each}: str | None = None`));
  const signature = listed('(', ['self', ...(parameters.length === 0 ? [] : ['*']), ...parameters], ')');
  const answer = `Answer[${isList ? `list[${item}]` : item}, ${about}]`;
  const items = `${isAsync ? 'AsyncItems' : 'Items'}[${item}, ${about}]`;
  const returned = isRaw ? answer : isList ? items : item;
  const start = isAsync && (isRaw || !isList) ? 'async def' : 'def';
  const awaited = isAsync ? 'await ' : '';
  const function_ = pythonNameOf(name);
  const sent = [...ordered.map((parameter) => parameter.name), ...extra.filter((each) => each === 'cursor')];
  const values = sent.map((each) => `${text(each)}: ${pythonParameterOf(each)}`);
  const passed = [...ordered.map((parameter) => pythonParameterOf(parameter.name)), ...extra].map(
    (each) => `${each}=${each}`,
  );
  const body = isRaw
    ? `return ${awaited}self._connection.${listed(
        isList ? 'page(' : 'answer(',
        [
          text(function_),
          item as string,
          about as string,
          values.length === 0 ? '{}' : listed('{', values, '}'),
          ...(method === 'POST' ? ['idempotency_key'] : []),
        ],
        ')',
      )}\n`
    : isList
      ? `return ${isAsync ? 'AsyncItems' : 'Items'}(\n    lambda cursor: self.raw.${function_}${listed('(', [...passed, 'cursor=cursor'], ')').replaceAll('\n', '\n    ')}\n)\n`
      : isAsync
        ? `answer = await self.raw.${function_}${passed.length === 0 ? '()' : listed('(', passed, ')')}\nreturn answer.data\n`
        : `return self.raw.${function_}${passed.length === 0 ? '()' : listed('(', passed, ')')}.data\n`;
  const described = ordered.flatMap(({ name: each, schema }) =>
    schema.description === undefined ? [] : [`    ${pythonParameterOf(each)}: ${schema.description}`],
  );
  const words = isRaw
    ? `${operation.summary}.`
    : `${operation.summary}.\n\n${operation.description}${described.length === 0 ? '' : `\n\nArgs:\n${described.join('\n')}`}`;
  return `${start} ${function_}${signature} -> ${returned}:\n${indented(docstring(words) + body)}`;
};

const classOf = (operations: readonly Operation[], kind: Kind): string => {
  const prefix = kind.isAsync ? 'Async' : '';
  const given = givenTypesOf(operations);
  const functions = operations.map((operation) => functionOf(operation, given, kind));
  const [name, head] = kind.isRaw
    ? [
        `${prefix}RawSightline`,
        `${docstring('The same functions, with all that came with an answer; of a list, one page.')}
def __init__(self, connection: ${prefix}Connection) -> None:
    self._connection = connection
`,
      ]
    : [
        `${prefix}Sightline(${prefix}Client)`,
        `__doc__ = ${prefix}Client.__doc__

@cached_property
def raw(self) -> ${prefix}RawSightline:
    ${docstring('The same functions, with all that came with an answer; of a list, one page.')}    return ${prefix}RawSightline(self._connection)
`,
      ];
  return `class ${name}:\n${indented([head, ...functions].join('\n'))}`;
};

/** The clients: a function of each operation, for threads and for tasks. */
export const pythonClientsOf = ({ operations }: Contract): string =>
  moduleOf(
    'The clients.',
    `from collections.abc import Sequence
from functools import cached_property

from . import models
from ._async import AsyncClient, AsyncConnection, AsyncItems
from ._core import Answer
from ._sync import Client, Connection, Items
`,
    ...[false, true].flatMap((isAsync) =>
      [true, false].map((isRaw) => classOf(operations, { isAsync, isRaw })),
    ),
  );
