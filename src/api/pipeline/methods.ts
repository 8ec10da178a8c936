/** Methods by path. */
export interface Methods {
  /** @param url request target with query. @returns the value of `Allow`; null for an unknown path. */
  allowed(url: string): string | null;
}

/** @param routes paths, with `{name}` for parameters, and their methods. */
export const createMethods = (
  routes: readonly { readonly method: string; readonly path: string }[],
): Methods => {
  const known = routes.map(({ method, path }) => ({
    method,
    parts: (partsOf(path) ?? []).map((part) => (part.startsWith('{') ? null : part)),
  }));
  return {
    allowed: (url) => {
      // The absolute form, used by proxies, contains the host (RFC 9112, 3.2.2).
      const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
      const segments = partsOf(path);
      if (segments === null) return null;
      const methods = new Set(
        known.flatMap(({ method, parts }) =>
          parts.length === segments.length &&
          parts.every((part, i) => (part === null ? segments[i] !== '' : part === segments[i]))
            ? [method]
            : [],
        ),
      );
      return methods.size === 0 ? null : listOf(methods);
    },
  };
};

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};

/** Decoded segments of a path; null if one is malformed. */
const partsOf = (path: string): readonly string[] | null => {
  const parts = path
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .map(decoded);
  return parts.includes(null) ? null : (parts as readonly string[]);
};

const listOf = (methods: ReadonlySet<string>): string =>
  [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
