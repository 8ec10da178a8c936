const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * MurmurHash2 with 32 bits, as Kafka's own partitioners hash a key, so that any client puts a stream where this does.
 * Source: https://github.com/aappleby/smhasher/blob/master/src/MurmurHash2.cpp and Kafka's `Utils.murmur2`.
 */
export const murmur2 = (text: string): number => {
  const data = Buffer.from(text);
  const { length } = data;
  let h = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let k = Math.imul(data.readInt32LE(at), M);
    k = Math.imul(k ^ (k >>> 24), M);
    h = Math.imul(h, M) ^ k;
  }
  const rest = length - at;
  if (rest > 0) {
    for (let i = rest - 1; i >= 0; i--) h ^= (data[at + i] as number) << (8 * i);
    h = Math.imul(h, M);
  }
  h ^= h >>> 13;
  h = Math.imul(h, M);
  return h ^ (h >>> 15);
};
