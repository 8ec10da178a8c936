// An @ not preceded by a letter, digit or dot, which would be a mail address. Dots and hyphens only inside. A host may follow.
const MENTION =
  /(?<![\p{L}\p{N}_.@/+-])@([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.·-]{0,252}[\p{L}\p{N}\p{M}_])?(?:@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z0-9-]{2,63})?)/giu;

const URL_WITH_SCHEME = /\bhttps?:\/\/\S+/gi;

/**
 * Handles that a text names with an @, normalized, in order, with repetitions.
 * @param parseHandle the platform's grammar.
 */
export const handlesIn = (text: string, parseHandle: (input: string) => string | null): string[] => {
  if (!text.includes('@')) return [];
  // Ignore @ within URLs: `https://medium.com/@name` is not a handle here.
  const bare = text.replace(URL_WITH_SCHEME, ' ');
  return [...bare.matchAll(MENTION)].flatMap(([, name = '']) => {
    // A name at a host is of a network that has hosts. If the grammar has no dots, a dot ends the handle.
    const shorter = name.includes('@') ? '' : name.split(/[^\p{L}\p{N}\p{M}_]/u)[0];
    const handle = parseHandle(name) ?? parseHandle(shorter ?? '');
    return handle === null ? [] : [handle];
  });
};
