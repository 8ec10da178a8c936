import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { z } from 'zod';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { parseUsd } from '../../kernel/money.ts';
import { type Plan, type Plans, planSchema, plansOf, SCOPES } from './plans.ts';

type Path = readonly PropertyKey[];

interface Problem {
  readonly path: Path;
  /** The problem. It is printed after the path. */
  readonly text: string;
}

// Products of values up to these limits fit into a bigint column.
const MAX = 1_000_000_000;
const MAX_WEIGHT = 1_000_000;
const MAX_PRICE_USD = 1_000_000_000n;
const MAX_OVERAGE_USD = 1_000n;

const whole = (min: number, max = MAX) => {
  const allowed = { error: `a whole number from ${min} to ${max}` };
  return z.int(allowed).min(min, allowed).max(max, allowed);
};

/** Dollars as text, so that no digit is lost: `"0.0035"`. */
const dollars = (minMicroUsd: bigint, maxUsd: bigint, allowed: string) =>
  z
    .string({ error: allowed })
    .refine(
      (text) => {
        const micro = parseUsd(text);
        return micro !== null && micro >= minMicroUsd && micro <= maxUsd * 1_000_000n;
      },
      { error: allowed },
    )
    .transform((text) => Number(parseUsd(text)));

const yesOrNo = 'true or false';
const oneScope = `one of ${SCOPES.join(', ')}`;

/** A plan as written in the file. Fields without a default are required, so that nothing is omitted by mistake. */
const planEntry = z
  .strictObject(
    {
      name: z.string({ error: 'text' }).refine((name) => planSchema.shape.name.safeParse(name).success, {
        error: 'up to 40 lower-case letters, digits and -, as growth',
      }),
      price_usd: dollars(0n, MAX_PRICE_USD, 'dollars for 30 days in quotes, as "249.00"'),
      units: whole(0),
      requests_per_minute: whole(1),
      live_per_minute: whole(0),
      keys: whole(1),
      overage_usd: dollars(
        1n,
        MAX_OVERAGE_USD,
        'dollars a unit in quotes, as "0.0035", at most 1000, or null for none',
      ).nullable(),
      weights: z.strictObject(
        {
          catalog: whole(0, MAX_WEIGHT),
          live: whole(0, MAX_WEIGHT),
          upstream: whole(0, MAX_WEIGHT).optional(),
        },
        { error: 'the units of a read: catalog, live and upstream' },
      ),
      scopes: z
        .array(z.enum(SCOPES, { error: oneScope }), { error: `a list of ${SCOPES.join(', ')}` })
        .min(1, { error: `a list with at least ${oneScope}` })
        .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'each scope once' }),
      ip_allowlist: z.boolean({ error: yesOrNo }).default(false),
      support: z.string({ error: 'text or null' }).nullable().default(null),
    },
    { error: 'a plan: name, price_usd, units and so on' },
  )
  .transform(
    ({ price_usd, overage_usd, ...rest }): Plan => ({
      ...rest,
      price_micro_usd: price_usd,
      overage_micro_usd: overage_usd,
    }),
  );

const fileSchema = z.strictObject(
  {
    plans: z
      .array(planEntry, { error: 'a list of plans, from the lowest to the highest' })
      .min(1, { error: 'a list of at least one plan' })
      .superRefine((plans, context) => {
        plans.forEach(({ name }, i) => {
          if (plans.findIndex((other) => other.name === name) < i) {
            context.addIssue({
              code: 'custom',
              path: [i, 'name'],
              message: 'a name that no other plan has',
            });
          }
        });
      }),
  },
  { error: 'plans: and a list of them below' },
);

const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  ) || 'the file';

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** The value at a path; undefined if there is none. */
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );

const problemsOf = (issue: z.core.$ZodIssue, value: unknown): readonly Problem[] => {
  if (issue.code === 'unrecognized_keys') {
    const shape = issue.path.includes('weights')
      ? planEntry.in.shape.weights.shape
      : issue.path.length === 0
        ? fileSchema.shape
        : planEntry.in.shape;
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      text: `is not known; allowed: ${Object.keys(shape).join(', ')}`,
    }));
  }
  const found = valueAt(value, issue.path);
  const state = found === undefined ? 'is missing' : `is ${quoted(found)}`;
  return [{ path: issue.path, text: `${state}; allowed: ${issue.message}` }];
};

/** Duplicate keys of a map. YAML would silently use the second. */
const repeatedKeys = (node: unknown, path: Path, found: { node: Node; path: Path }[]): typeof found => {
  if (isSeq(node)) node.items.forEach((item, i) => void repeatedKeys(item, [...path, i], found));
  if (isMap(node)) {
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      if (seen.has(name)) found.push({ node: key as Node, path: [...path, name] });
      seen.add(name);
      repeatedKeys(value, [...path, name], found);
    }
  }
  return found;
};

/** Offset of a path in the text: that of its key, or of the nearest existing ancestor. */
const offsetOf = (document: Document, path: Path): number => {
  const last = path.at(-1);
  if (last === undefined) return document.contents?.range?.[0] ?? 0;
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const child = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === last)?.key
    : isSeq(parent)
      ? parent.items[Number(last)]
      : undefined;
  const node = isPair(child) ? child.key : child;
  return (node as Node | undefined)?.range?.[0] ?? offsetOf(document, path.slice(0, -1));
};

type Refuse = (problems: readonly { readonly offset: number; readonly text: string }[]) => never;

/** The value of the document. Throws if aliases expand beyond a limit. */
const read = (document: Document, refuse: Refuse): unknown => {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return refuse([{ offset: 0, text: `can't be read: ${errorMessage(error)}` }]);
  }
};

/**
 * Parses a plans file.
 * @param file name of the file in errors.
 * @throws {OperatorError} with a line per problem: file, line, path, and the given and allowed value.
 */
export const parsePlans = (file: string, text: string): Plans => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const refuse: Refuse = (problems) => {
    throw new OperatorError(
      'plans_invalid',
      problems.map((one) => `${file}:${lines.linePos(one.offset).line || 1}: ${one.text}`).join('\n'),
    );
  };
  const malformed = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    offset: pos[0],
    text:
      code === 'MULTIPLE_DOCS'
        ? 'a second document begins; allowed: one'
        : `is neither JSON nor YAML here: ${message}`,
  }));
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) === undefined)
        malformed.push({ offset: alias.range?.[0] ?? 0, text: `*${alias.source} names nothing before it` });
    },
  });
  if (malformed.length > 0) refuse(malformed);
  const repeated = repeatedKeys(document.contents, [], []);
  if (repeated.length > 0) {
    refuse(
      repeated.map(({ node, path }) => ({
        offset: node.range?.[0] ?? 0,
        text: `${pathText(path)} is given again; allowed: once`,
      })),
    );
  }
  const value = read(document, refuse);
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    return refuse(
      parsed.error.issues
        .flatMap((issue) => problemsOf(issue, value))
        .map((one) => ({
          offset: offsetOf(document, one.path),
          text: `${pathText(one.path)} ${one.text}`,
        })),
    );
  }
  return plansOf(file, parsed.data.plans);
};
