const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** Phrases of bios and posts by language. `{m}` is a mention. */
export const PHRASES: Readonly<
  Record<string, { readonly bios: readonly string[]; readonly posts: readonly string[] }>
> = {
  en: {
    bios: lines(`Photographer & slow traveller
      Writes about cities and trains 🚆
      Chef. Fermenting everything
      Open source, open windows
      Coach, runner, terrible dancer
      Makes games after midnight 🎮
      Coffee first, questions later ☕
      Maps, data and bad puns`),
    posts: lines(`Back in the studio today, long overdue.
      Three years of work and it finally ships tomorrow 🎉
      Does anybody else keep a list of good benches?
      New piece is up, tell me what you think
      Rain again. The garden is happy, I am not.
      Small thread on what we learned this month`),
  },
  de: {
    bios: lines(`Macht Musik in der Küche 🎹
      Schreibt über Fahrräder und Äpfel
      Ärztin, Läuferin, Frühaufsteherin`),
    posts: lines(`Endlich Frühling, größtenteils.
      Heute Abend Konzert, wer kommt?
      Neues Video ist fertig, viel Spaß 🎬`),
  },
  es: {
    bios: lines(`Cocina lenta, café rápido ☕
      Periodista. Mañanas y mareas
      Diseño, niños y montaña ⛰️`),
    posts: lines(`¡Por fin! Mañana estrenamos.
      Un paseo largo y muchas fotos 📷
      ¿Qué estáis leyendo este otoño?`),
  },
  pt: {
    bios: lines(`Música, praia e código 🌊
      Professora de história`),
    posts: lines(`Novo episódio amanhã às 20h!
      Que dia, que vista 🌅`),
  },
  ru: {
    bios: lines(`Заметки о городе и людях
      Снимаю кино на телефон 🎥`),
    posts: lines(`Сегодня новый выпуск, заходите
      Первый снег ❄️`),
  },
  ja: {
    bios: lines(`写真とコーヒーと猫🐈
      ゲームを作っています`),
    posts: lines(`新しい動画を公開しました！
      今日もいい天気 ☀️`),
  },
  ar: {
    bios: lines('مصور وكاتب من المدينة القديمة'),
    posts: lines('صباح الخير من البحر 🌊'),
  },
  fr: {
    bios: lines(`Pain, vélo et longues lettres
      Dessine des villes imaginaires ✏️`),
    posts: lines(`Nouvel épisode demain matin !
      Qui vient au marché dimanche ?`),
  },
  it: {
    bios: lines(`Fotografo di provincia e caffè
      Scrive di treni e di mare 🚆`),
    posts: lines(`Domani si parte, finalmente.
      Che giornata, che luce 🌅`),
  },
  nl: {
    bios: lines(`Fietst, bakt en schrijft
      Maakt kaarten van kleine dorpen`),
    posts: lines(`Vanavond concert, wie komt er?
      Eindelijk zon op het terras`),
  },
  pl: {
    bios: lines(`Książki, góry i kawa
      Robię gry po godzinach 🎮`),
    posts: lines(`Nowy odcinek już jutro!
      Kto jeszcze lubi długie spacery?`),
  },
  tr: {
    bios: lines(`Deniz, kitap ve çay ☕
      Şehirler üzerine yazar`),
    posts: lines(`Yeni bölüm yarın sabah!
      Bugün hava çok güzel ☀️`),
  },
  hi: {
    bios: lines('चाय, किताबें और लंबी यात्राएँ'),
    posts: lines('आज नया वीडियो आया है 🎬'),
  },
  ko: {
    bios: lines('사진과 커피 그리고 고양이'),
    posts: lines('새 영상이 올라왔어요 🎬'),
  },
  zh: {
    bios: lines('摄影、咖啡和慢旅行'),
    posts: lines('新视频已经上线 🎬'),
  },
  id: {
    bios: lines(`Kopi, kereta dan kota kecil
      Menulis tentang laut 🌊`),
    posts: lines(`Video baru sudah tayang!
      Siapa yang suka jalan pagi?`),
  },
};

/** Weighted by repetition. */
export const LANGUAGES =
  lines(`en en en en en en en en en en en en de de es es es es es pt pt pt ru ru ja ja ar ar fr fr
  it nl pl tr hi ko zh id id`).flatMap((line) => line.split(' '));

/** How parodies and fans' accounts of a language say that they are not the real one: after the name, and in the bio. */
export const DISCLAIMERS: Readonly<
  Record<string, { readonly names: readonly string[]; readonly bios: readonly string[] }>
> = {
  en: {
    names: ['(parody)', 'Parody', '(unofficial)', 'Fan Page', '(not the real one)'],
    bios: ['Parody, not the real one.', 'Unofficial fan account', 'Parody account. Not affiliated.'],
  },
  de: {
    names: ['(inoffiziell)', '(Parodie)', 'Fanseite'],
    bios: ['Parodie, nicht der echte Account.', 'Inoffizielle Fanseite'],
  },
  es: {
    names: ['(parodia)', '(no oficial)', 'Club de Fans'],
    bios: ['Cuenta parodia.', 'Cuenta no oficial, hecha por fans', 'Perfil no oficial'],
  },
  pt: {
    names: ['(paródia)', '(não oficial)', 'Fã-Clube'],
    bios: ['Perfil de paródia', 'Página não oficial de fãs'],
  },
  ru: {
    names: ['(пародия)', '(неофициальный)', 'Фан-клуб'],
    bios: ['Пародийный аккаунт', 'Неофициальная страница фанатов'],
  },
  ja: {
    names: ['【非公式】', '(パロディ)', 'ファンアカウント'],
    bios: ['非公式ファンアカウントです', '本人ではありません。パロディです'],
  },
  ar: {
    names: ['(غير رسمي)', '(محاكاة ساخرة)'],
    bios: ['حساب غير رسمي', 'حساب محاكاة ساخرة'],
  },
  fr: {
    names: ['(parodie)', '(non officiel)', 'Fan Club'],
    bios: ['Compte parodique.', 'Compte de fans, non officiel'],
  },
  it: {
    names: ['(parodia)', '(non ufficiale)', 'Fan Club'],
    bios: ['Account parodia', 'Pagina non ufficiale'],
  },
  nl: {
    names: ['(parodie)', '(onofficieel)', 'Fanpagina'],
    bios: ['Parodie, niet de echte', 'Onofficieel fanaccount'],
  },
  pl: {
    names: ['(parodia)', '(nieoficjalne)', 'Fanklub'],
    bios: ['Konto parodystyczne', 'Nieoficjalne konto fanów'],
  },
  tr: {
    names: ['(parodi)', '(resmi değil)', 'Hayran Sayfası'],
    bios: ['Parodi hesabıdır', 'Resmi olmayan hayran hesabı'],
  },
  hi: {
    names: ['(पैरोडी)', 'फैन पेज'],
    bios: ['यह एक पैरोडी अकाउंट है', 'अनाधिकारिक फैन पेज'],
  },
  ko: {
    names: ['(비공식)', '팬페이지', '(패러디)'],
    bios: ['비공식 팬 계정입니다', '패러디 계정, 본인 아님'],
  },
  zh: {
    names: ['(非官方)', '粉丝团', '(恶搞)'],
    bios: ['非官方粉丝账号', '恶搞账号，非本人'],
  },
  id: {
    names: ['(parodi)', '(tidak resmi)', 'Fanbase'],
    bios: ['Akun parodi', 'Akun penggemar, bukan akun resmi'],
  },
};

export const LOCATIONS: Readonly<Record<string, readonly string[]>> = {
  en: ['London', 'Portland, OR', 'Toronto, Canada', 'Lagos, Nigeria', 'everywhere', 'Dublin 🇮🇪'],
  de: ['Berlin', 'Köln', 'Zürich, Schweiz'],
  es: ['Madrid, España', 'Ciudad de México', 'Bogotá'],
  pt: ['São Paulo', 'Lisboa, Portugal'],
  ru: ['Алматы', 'Тбилиси'],
  ja: ['東京', '大阪'],
  ar: ['القاهرة', 'دبي'],
};

/** Names in other scripts, which do not occur in handles. */
export const OTHER_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  ru: ['Анна Морозова', 'Илья Гуров', 'Майя Белова', 'Тимур Сафин'],
  ja: ['佐藤 ゆい', '高橋 海', '小林はな', '森 健太'],
  ar: ['ليلى حداد', 'سامي نصر', 'نور الدين'],
  ko: ['김민수', '박서연', '이지훈'],
  zh: ['王伟', '李娜', '陈思远'],
  hi: ['राहुल शर्मा', 'प्रिया वर्मा'],
};

/** Accents of letters by the languages whose names have them. */
export const ACCENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  es: { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ' },
  pt: { a: 'ã', e: 'ê', o: 'õ', c: 'ç' },
  fr: { e: 'é', a: 'â', o: 'ô', c: 'ç' },
  de: { a: 'ä', o: 'ö', u: 'ü' },
  it: { a: 'à', e: 'è', o: 'ò' },
  pl: { l: 'ł', o: 'ó', s: 'ś', z: 'ż', e: 'ę' },
  tr: { s: 'ş', g: 'ğ', u: 'ü', o: 'ö', i: 'ı' },
};

/** Letters of names in Cyrillic. */
export const CYRILLIC = Object.fromEntries(
  Array.from('abcdefghijklmnopqrstuvwxyz', (letter, n) => [letter, 'абцдефгхийклмнопкрстуввхйз'.charAt(n)]),
);

export const EMOJI = ['✨', '🌿', '🎧', '🐙', '🚲', '🌙', '📚', '🥐'] as const;
