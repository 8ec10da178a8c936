/** Longer titles are classified by their beginning. */
const MAX_CHARS = 300;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  // Arabic letters that are written for one another.
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ـ: '',
};

/** Characters of Traditional Chinese and Japanese with their simplified ones: a word of one lexicon is found in all. */
const HAN = new Map(
  [
    '長长務务業业專专經经會会計计總总監监財财處处員员師师設设銷销營营営营運运術术開开發发発发產产産产資资訊讯網网絡络電电軟软體体機机',
    '構构護护醫医藥药薬药學学習习實实實实園园導导領领組组隊队協协顧顾問问諮咨詢询採采購购庫库倉仓貨货質质檢检検检驗验験验測测試试編编',
    '輯辑記记譯译圖图図图廣广広广賣卖売卖買买價价稅税審审銀银險险證证執执創创辦办聯联東东區区國国際际貿贸廠厂車车間间製制維维線线',
    '練练書书館馆藝艺樂乐劇剧視视頻频劃划戰战規规數数據据統统層层級级職职縣县黨党幹干備备負负責责類类應应応应調调標标準准現现場场環环',
    '續续綠绿廳厅廚厨飲饮飯饭點点櫃柜臺台戶户聲声飛飞鐵铁輸输遞递關关関关総总労劳団团読读変变専专',
  ].flatMap((pairs) =>
    Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[i * 2], pairs[i * 2 + 1]] as [string, string]),
  ),
);
const HAN_VARIANTS = new RegExp(`[${[...HAN.keys()].join('')}]`, 'g');

/** Combining marks of Latin and Cyrillic, and the vowel signs of Arabic. */
const MARKS = /[\u0300-\u036f\u064b-\u0652]/g;

/** Lower case without accents and width variants, so that a lexicon needs one spelling of each word. */
export const fold = (text: string): string =>
  text
    .slice(0, MAX_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .normalize('NFC')
    .replaceAll(/[ßłøæœđıأإآىةؤئـ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(HAN_VARIANTS, (character) => HAN.get(character) ?? character)
    .replaceAll(/[\u2018\u2019\u02bc`´]/g, "'")
    // Abbreviations with stops: v.p., r.h., i.t.
    .replaceAll(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+\.?(?![\p{L}\p{N}])/gu, (letters) =>
      letters.replaceAll('.', ''),
    );
