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
};

/** Weighted by repetition. */
export const LANGUAGES = ['en', 'en', 'en', 'en', 'en', 'de', 'es', 'es', 'pt', 'ru', 'ja', 'ar'] as const;

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
};

export const EMOJI = ['✨', '🌿', '🎧', '🐙', '🚲', '🌙', '📚', '🥐'] as const;
