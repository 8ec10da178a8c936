/** Names of fields and parameters with credentials or tracking IDs. */
const SECRET_FIELD =
  /token|csrf|secret$|session_?(?:id|key)|passw|authorization|^auth$|cookie|visitor_?data|api_?key|guest_?id|ttwid|webid/i;

// Secret in URLs only: in a page `signature` may be a biography and `key` anything.
const SECRET_PARAMETER = /^(?:key|sig|signature|auth|session)$/i;

const REDACTED = 'redacted';

/** A URL without fragment, credentials and token-like parameters. */
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

// "name":"value", also with escaped quotes, as in JSON within a string. A match begins at a run of backslashes, and
// nesting is limited to four levels, so the match takes linear time.
const FIELD = /(?<!\\)(\\{0,15}")([\w$.-]{1,60})\1(\s*:\s*)\1((?:(?!\1)[^\\"]|\\[^"])*)\1/g;
const INPUT = /<input\b/gi;

const redactInput = (tag: string): string => {
  const name = /\bname\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
  return name !== undefined && SECRET_FIELD.test(name)
    ? tag.replace(/\bvalue\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i, `value="${REDACTED}"`)
    : tag;
};

/** A page with the values of token-like inputs redacted. Single pass, however many tags are unterminated. */
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

/** A body with the values of token-like JSON fields and form inputs redacted. */
export const redactBody = (body: string): string =>
  redactInputs(
    body.replace(FIELD, (all, quote: string, name: string, colon: string) =>
      SECRET_FIELD.test(name) ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}` : all,
    ),
  );

/** Response headers kept in a recording; all others are dropped. */
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
