/** Names of fields and parameters whose value lets somebody in, or follows somebody around. */
const SECRET_FIELD =
  /token|csrf|secret$|session_?(?:id|key)|passw|authorization|^auth$|cookie|visitor_?data|api_?key|guest_?id|ttwid|webid/i;

// In addresses these mean a secret too; in a page `signature` may be somebody's biography and `key` any key.
const SECRET_PARAMETER = /^(?:key|sig|signature|auth|session)$/i;

const REDACTED = 'redacted';

/** An address without its fragment, credentials and token-like parameters. */
export const redactUrl = (address: string, base?: string): string => {
  if (!URL.canParse(address, base)) return address;
  const url = new URL(address, base);
  url.username = '';
  url.password = '';
  url.hash = '';
  for (const name of new Set(url.searchParams.keys())) {
    if (SECRET_FIELD.test(name) || SECRET_PARAMETER.test(name)) url.searchParams.set(name, REDACTED);
  }
  return url.href;
};

// "name":"value", also with the quotes escaped, as in JSON that stands within a string.
// A match begins where a run of backslashes does, and strings within strings are at most four deep: linear in any text.
const FIELD = /(?<!\\)(\\{0,15}")([\w$.-]{1,60})\1(\s*:\s*)\1((?:(?!\1)[^\\"]|\\[^"])*)\1/g;
const INPUT = /<input\b/gi;

const redactInput = (tag: string): string => {
  const name = /\bname\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
  return name !== undefined && SECRET_FIELD.test(name)
    ? tag.replace(/\bvalue\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i, `value="${REDACTED}"`)
    : tag;
};

/** A page whose token-like inputs have lost their values. Looked through once, however many tags have no end. */
const redactInputs = (html: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of html.matchAll(INPUT)) {
    if (index < from) continue;
    const end = html.indexOf('>', index);
    if (end === -1) break;
    parts.push(html.slice(from, index), redactInput(html.slice(index, end + 1)));
    from = end + 1;
  }
  parts.push(html.slice(from));
  return parts.join('');
};

/** A body whose token-like JSON fields and form inputs have lost their values. */
export const redactBody = (body: string): string =>
  redactInputs(
    body.replace(FIELD, (all, quote: string, name: string, colon: string) =>
      SECRET_FIELD.test(name) ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}` : all,
    ),
  );

/** Answer headers that say something of the answer; every other one is left out of a recording. */
const KEPT =
  /^(content-type|content-language|date|last-modified|location|retry-after|ratelimit-.*|x-ratelimit-.*|x-rate-limit-.*)$/;

export const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  base: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => KEPT.test(name.toLowerCase()))
      .map(([name, value]) => [
        name.toLowerCase(),
        name.toLowerCase() === 'location' ? redactUrl(value, base) : value,
      ]),
  );
