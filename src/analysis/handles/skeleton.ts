import { domainToUnicode } from 'node:url';
import unhomoglyph from 'unhomoglyph';

/** Prototypes of the ASCII characters: most handles have no others, and need no search in thousands of them. */
const ASCII = Array.from({ length: 128 }, (_, code) => unhomoglyph(String.fromCharCode(code)));

const PUNYCODE = /(?:^|\.)xn--/;
const IS_ASCII = /^[\0-\x7f]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A prototype may be a capital whose small letter has a prototype of its own: `𝐌`, `M`, `m`, `rn`. */
const MAX_ROUNDS = 4;

/** As people see it: labels of international domains are shown in their own script. */
const shown = (name: string): string => (PUNYCODE.test(name) ? domainToUnicode(name) || name : name);

const prototypes = (text: string): string => {
  if (IS_ASCII.test(text)) {
    let mapped = '';
    for (let i = 0; i < text.length; i++) mapped += ASCII[text.charCodeAt(i)];
    return mapped;
  }
  return unhomoglyph(text.normalize('NFD').replace(IGNORABLE, '')).normalize('NFD');
};

/** Handles ignore case and holders choose it, so that an `i` may be shown as `I`, whose prototype is `l`. */
const withoutCase = (text: string): string => text.toLowerCase().replaceAll('i', 'l');

/**
 * What a name looks like: two are confusable if their skeletons are equal (Unicode Technical Standard 39, section 4, with
 * `confusables.txt` of Unicode 13), whichever case each of them is shown in. No text for people.
 */
export const skeletonOf = (name: string): string => {
  let skeleton = withoutCase(shown(name));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = withoutCase(prototypes(skeleton));
    if (next === skeleton) break;
    skeleton = next;
  }
  return skeleton;
};
