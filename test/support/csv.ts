/** Records of a CSV text by the grammar of RFC 4180; throws on what it does not allow. */
export const parseCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let at = 0;
  const field = (): string => {
    if (text[at] !== '"') {
      const end = text.slice(at).search(/[",\r\n]/);
      const value = end < 0 ? text.slice(at) : text.slice(at, at + end);
      at += value.length;
      return value;
    }
    let value = '';
    for (;;) {
      const quote = text.indexOf('"', at + 1);
      if (quote < 0) throw new Error('a quoted field has no end');
      value += text.slice(at + 1, quote);
      at = quote + 1;
      if (text[at] !== '"') return value;
      value += '"';
    }
  };
  while (at < text.length) {
    const record = [field()];
    while (text[at] === ',') {
      at += 1;
      record.push(field());
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no line end at ${at}`);
    at += 2;
    records.push(record);
  }
  return records;
};
