const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * 32-bit MurmurHash2 as Kafka's default partitioner uses it, so that any client computes the same partition.
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
