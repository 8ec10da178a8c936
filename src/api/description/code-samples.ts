import type { Endpoint } from '../contract/endpoint.ts';

interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The name of an operation's function in Python: `scrapeXUser` is `scrape_x_user`. */
export const pythonNameOf = (operation: string): string =>
  operation.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();

/** The name of a parameter or field in Python, where words of the language can't be names. */
export const pythonParameterOf = (name: string): string => (name === 'from' ? 'from_' : name);

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A value as Python writes it: JSON but for its three constants. */
const pythonOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${pythonOf(each)}`)
      .join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
};

const scriptOf = (values: object): string =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')} }`;

/** How an operation is called, with the values of its example. */
export const codeSamplesOf = ({
  operation,
  method,
  path,
  list,
  example,
}: Pick<Endpoint, 'operation' | 'method' | 'path' | 'list' | 'example'>): readonly CodeSample[] => {
  const {
    params = {},
    query = {},
    body,
  } = example as Readonly<Record<'params' | 'query' | 'body', object | undefined>>;
  const values = { ...params, ...query, ...body };
  const has = Object.keys(values).length > 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name as never])),
  );
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const url = `/v2${filled}${search.size === 0 ? '' : `?${search}`}`;
  const posted =
    method === 'POST' ? ` \\\n  -H 'Content-Type: application/json' -d ${shell(JSON.stringify(body))}` : '';
  const script = `sightline.${operation}(${has ? scriptOf(values) : ''})`;
  const python = `sightline.${pythonNameOf(operation)}(${Object.entries(values)
    .map(([name, value]) => `${pythonParameterOf(name)}=${pythonOf(value)}`)
    .join(', ')})`;
  return [
    {
      lang: 'Shell',
      label: 'curl',
      source: `curl -s -H "Authorization: Bearer $SIGHTLINE_KEY" "$SIGHTLINE_URL${url}"${posted}`,
    },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { Sightline } from 'sightline/client';

const sightline = new Sightline({ key, url });
${list ? `for await (const item of ${script}) console.log(item);` : `console.log(await ${script});`}`,
    },
    {
      lang: 'Python',
      label: 'Python',
      source: `from sightline_client import Sightline

with Sightline(key, url) as sightline:
    ${list ? `for item in ${python}:\n        print(item)` : `print(${python})`}`,
    },
  ];
};
