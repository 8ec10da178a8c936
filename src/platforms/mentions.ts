/** Handles in texts. */

export const URL_WITH_SCHEME = /\bhttps?:\/\/\S+/gi;

// An @ not preceded by a letter, digit or dot, which would be a mail address. Dots and hyphens only inside. A host may
// follow.
const MENTION =
  /(?<![\p{L}\p{N}_.@/+-])@([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.·-]{0,252}[\p{L}\p{N}\p{M}_])?(?:@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z0-9-]{2,63})?)/giu;

/** The handle that a mention names; null if the platform has no such names. */
const handleOf = (name: string, parseHandle: (input: string) => string | null): string | null => {
  // A name at a host is of a network that has hosts. If the grammar has no dots, a dot ends the handle.
  const shorter = name.includes('@') ? '' : name.split(/[^\p{L}\p{N}\p{M}_]/u)[0];
  return parseHandle(name) ?? parseHandle(shorter ?? '');
};

/**
 * Handles that a text names with an @, normalized, in order, with repetitions.
 * @param parseHandle the platform's grammar.
 */
export const handlesIn = (text: string, parseHandle: (input: string) => string | null): string[] => {
  if (!text.includes('@')) return [];
  // Ignore @ within URLs: `https://medium.com/@name` is not a handle here.
  const bare = text.replace(URL_WITH_SCHEME, ' ');
  return [...bare.matchAll(MENTION)].flatMap(([, name = '']) => handleOf(name, parseHandle) ?? []);
};

/**
 * A text with another one in place of the handles that it names with an @; the same text if there is none.
 * @param replaced what stands in place of a handle; null to keep it.
 */
export const withoutHandles = (
  text: string,
  parseHandle: (input: string) => string | null,
  replaced: (handle: string) => string | null,
): string => {
  if (!text.includes('@')) return text;
  return text.replace(MENTION, (mention, name: string) => {
    const handle = handleOf(name, parseHandle);
    return (handle === null ? null : replaced(handle)) ?? mention;
  });
};
