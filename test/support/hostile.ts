import fc from 'fast-check';
import { z } from 'zod';

const ODD = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\ufffe\uffff',
  '\u202e\u2066evil\u2069',
  `e${'\u0301'.repeat(500)}`,
  'e\u0301',
  '\u0001\u0008\u001b[31m\u007f\u0085',
  '\\'.repeat(5_000),
  "'; drop table log.events; --",
  '{"__proto__":{"polluted":true}}',
  '[['.repeat(3_000),
  '<input'.repeat(2_000),
  'https://www.youtube.com/redirect?q=https%3A%2F%2Fa.co%2F%00x',
  `https://a.co/${'😀'.repeat(700)}`,
  `https://a.co/${'a'.repeat(2_690)}`,
  `http://${'a.'.repeat(120)}co/`,
  'http://a.co/%00%00',
  'https://user:pass@a.co:99999/\t\n',
  'javascript:alert(1)',
  '-1',
  '9007199254740993',
  '1e400',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T25:61:61.000Z',
  '+275760-09-13T00:00:00.000Z',
] as const;

/** Hostile text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.nat(0xff_ff).map((code) => String.fromCharCode(code)) }) },
  { weight: 1, arbitrary: fc.constantFrom('ordinary', 'Näme', '名前', 'https://a.example/') },
  // Long in characters, in bytes and in words.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('x', '😀', 'w ', '\u0301', 'ß')
      .chain((one) => fc.constantFrom(300, 3_000, 120_000, 1_000_000).map((n) => one.repeat(n))),
  },
);

const hostileNumber = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }) },
  fc.constantFrom(0, -0, -1, 1e15, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e300, 0.5, Number.MIN_VALUE),
  fc.nat(),
);

const instants = fc.oneof(
  fc.constantFrom('1970-01-01T00:00:00.000Z', '2199-12-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z'),
  hostileText,
);

const ofString = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema.safeParse('2026-11-01T00:00:00.000Z').success && !schema.safeParse('x').success) return instants;
  if (schema.safeParse('x').success) return hostileText;
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
  const formats = [fc.uuid(), hex(64), hex(16), fc.nat().map(String)].filter((format) =>
    fc.sample(format, { seed: 1, numRuns: 3 }).every((text) => schema.safeParse(text).success),
  );
  return fc.oneof(...formats.map((arbitrary) => ({ weight: 4, arbitrary })), hostileText);
};

/** The only length that an array may have; undefined if several are allowed. */
const lengthOf = (schema: z.ZodArray): number | undefined =>
  (schema._zod.def.checks ?? [])
    .map((check) => (check._zod.def as { readonly length?: number }).length)
    .find((length) => length !== undefined);

/** Data in the shape of a schema, with hostile values. */
export const hostileData = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodNullable) {
    const inner = hostileData(schema.unwrap() as z.ZodType);
    return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: inner });
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fc.oneof(hostileData(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, hostileData(field)])), {
      requiredKeys: fields
        .filter(([, field]) => !(field instanceof z.ZodOptional || field instanceof z.ZodDefault))
        .map(([name]) => name),
    });
  }
  if (schema instanceof z.ZodArray) {
    const element = hostileData(schema.element as z.ZodType);
    const [few, many] = [fc.array(element, { minLength: 1, maxLength: 4 }), lengthOf(schema)];
    return many === undefined ? few : fc.oneof(few, fc.array(element, { minLength: many, maxLength: many }));
  }
  if (schema instanceof z.ZodRecord) {
    const keys = ofString(schema.keyType as unknown as z.ZodType) as fc.Arbitrary<string>;
    return fc.dictionary(keys, hostileData(schema.valueType as z.ZodType), { maxKeys: 3 });
  }
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as string[]));
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return hostileNumber;
  return ofString(schema);
};

/** One of each kind that a store may stumble over. */
export const ODD_TEXTS: readonly string[] = [
  'a\0b',
  '\ud800',
  'e\u0301',
  'x'.repeat(1_000_000),
  `https://a.co/${'😀'.repeat(700)}`,
  '0000-01-01T00:00:00.000Z',
];

type Path = readonly (string | number)[];

/** Where the texts of a value are. */
export const textsOf = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
};

/** The same value with another text at a place. */
export const withTextAt = (value: unknown, [step, ...rest]: Path, text: string): unknown => {
  if (step === undefined) return text;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[step] = withTextAt(copy[step], rest, text);
  return copy;
};
