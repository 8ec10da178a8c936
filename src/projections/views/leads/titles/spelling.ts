/** Frequent words of titles, long enough that a word one letter away from them is a typing error. */
const FREQUENT =
  'accountant administrator assistant associate attorney business commercial communications consultant controller coordinator customer designer developer director engineer executive finance financial founder logistics manager management marketing mechanical operations operator president procurement production professor programmer project purchasing receptionist recruiter representative researcher resources scientist secretary specialist strategy student supervisor technician technology teacher trainee vice-president gerente analista assistente asistente geschaftsfuhrer mitarbeiter directeur responsable directrice ingenieur electrician electrical administrative administrativo propietario proprietario superintendent entrepreneur attorney architect psychologist therapist journalist photographer electronics maintenance warehouse logistics education analyst accounting compliance insurance investment development engineering software hardware security research responsable coordinador supervisora';

const withoutOne = (word: string): string[] =>
  Array.from(word, (_, n) => word.slice(0, n) + word.slice(n + 1));

const byDeletion = new Map<string, string>();
for (const word of FREQUENT.split(' ')) {
  byDeletion.set(word, word);
  for (const shorter of withoutOne(word)) byDeletion.set(shorter, word);
}

const LETTERS = 7;

/** The frequent word that a word is one letter away from; the word itself if there is none. */
export const corrected = (word: string): string => {
  if (word.length < LETTERS - 1 || word.length > 20) return word;
  const exact = byDeletion.get(word);
  if (exact !== undefined) return exact;
  for (const shorter of withoutOne(word)) {
    const found = byDeletion.get(shorter);
    // Exchanged or neighbouring letters; other words share a deletion by chance.
    if (found !== undefined && Math.abs(found.length - word.length) <= 1) return found;
  }
  return word;
};
