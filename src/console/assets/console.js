/** What pages of the console do besides refreshing: ages, charts and keys. Every page can be read without it. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const showAges = (root) => {
  for (const each of root.querySelectorAll('time')) {
    const seconds = (Date.parse(each.dateTime) - Date.now()) / 1_000;
    const [unit, length] = UNITS.find(([, s]) => Math.abs(seconds) >= 2 * s) ?? UNITS[3];
    each.textContent = relative.format(Math.round(seconds / length), unit);
  }
};

/** Seconds between two marks of the time axis. */
const STEPS_S = [60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800, 2_592_000];

const COLORS = ['#2f7ed8', '#d9822b', '#2f9e63', '#b64fc8', '#c23b3b', '#7a8794'];

/** The values of each line on top of those of the lines before it. */
const stacked = (lines) => {
  const heights = [];
  return lines.map(({ values }) =>
    values.map((value, i) => {
      if (value === null) return null;
      heights[i] = (heights[i] ?? 0) + value;
      return heights[i];
    }),
  );
};

const drawCharts = (root) => {
  for (const place of root.querySelectorAll('.plot')) {
    const { times, lines, isStacked } = JSON.parse(place.dataset.chart);
    const drawn = isStacked ? stacked(lines) : lines.map(({ values }) => values);
    const colorOf = (i) => COLORS[i % COLORS.length];
    const ink = getComputedStyle(place).color;
    const axis = { stroke: ink, grid: { stroke: `color-mix(in srgb, ${ink} 15%, transparent)` } };
    const isLong = times.at(-1) - times[0] > 2 * 86_400;
    const timeText = (s) => new Date(s * 1_000).toISOString().slice(...(isLong ? [5, 10] : [11, 16]));
    place.replaceChildren();
    new uPlot(
      {
        width: place.clientWidth || 600,
        height: 200,
        axes: [
          { ...axis, incrs: STEPS_S, values: (_, all) => all.map(timeText) },
          { ...axis, size: 80 },
        ],
        series: [
          {
            label: 'time (UTC)',
            value: (_, s) => (s === null ? '–' : new Date(s * 1_000).toISOString().slice(0, 16)),
          },
          ...lines.map(({ name, values }, i) => ({
            label: name,
            stroke: colorOf(i),
            width: 2,
            // The first one stands on the axis.
            fill: isStacked && i === 0 ? `${colorOf(i)}80` : undefined,
            value: (_, __, ___, at) => values[at] ?? '–',
          })),
        ],
        bands: isStacked
          ? lines.slice(1).map((_, i) => ({ series: [i + 2, i + 1], fill: `${colorOf(i + 1)}80` }))
          : [],
      },
      [times, ...drawn],
      place,
    );
  }
};

const enrich = (root) => {
  showAges(root);
  drawCharts(root);
};

document.addEventListener('DOMContentLoaded', () => enrich(document));
addEventListener('resize', () => drawCharts(document));
/** Parts that somebody opened stay open when the page is refreshed. */
let opened = [];
const figures = () => [...document.querySelectorAll('#live details')];
document.addEventListener('htmx:before:swap', () => {
  opened = figures().map((each) => each.open);
});
document.addEventListener('htmx:after:swap', () => {
  figures().forEach((each, i) => {
    each.open = opened[i] ?? false;
  });
  document.body.classList.remove('stale');
  enrich(document.querySelector('#live') ?? document);
});
for (const fault of ['htmx:error', 'htmx:response:error'])
  document.addEventListener(fault, () => document.body.classList.add('stale'));

/** A page that nobody sees is not refreshed, nor one in whose part somebody chose a text. */
document.addEventListener('htmx:before:request', (event) => {
  const chosen = document.getSelection();
  const isReading = chosen !== null && !chosen.isCollapsed;
  if (document.hidden || isReading) event.preventDefault();
});

const rows = () =>
  [...document.querySelectorAll('tbody tr a')].filter((each, _, all) => {
    const row = each.closest('tr');
    return all.find((other) => other.closest('tr') === row) === each;
  });

const step = (by) => {
  const all = rows();
  const at = all.findIndex((each) => each.closest('tr').contains(document.activeElement));
  all[Math.min(all.length - 1, Math.max(0, at === -1 ? 0 : at + by))]?.focus();
};

/** What the palette can open for a text, in the order in which it stands there. */
const openable = (text) => {
  const isMeant = ({ label }) => label.toLowerCase().includes(text.toLowerCase());
  const screens = [...document.querySelectorAll('nav a[data-key]')].map((each) => ({
    label: each.firstChild.textContent,
    open: () => each.click(),
  }));
  const actions = [...document.querySelectorAll('.actions summary')].map((each) => ({
    label: each.textContent,
    open: () => {
      each.parentElement.open = true;
      each.parentElement.querySelector('input:not([type=hidden]), select, textarea').focus();
    },
  }));
  const platforms = text === '' ? [] : document.querySelector('#palette').dataset.platforms.split(' ');
  const accounts = platforms.map((platform) => ({
    label: `Account ${text} on ${platform}`,
    open: () => location.assign(`/accounts?${new URLSearchParams({ platform, account: text })}`),
  }));
  return [...[...screens, ...actions].filter(isMeant), ...accounts];
};

const preparePalette = () => {
  const palette = document.querySelector('#palette');
  if (palette === null) return;
  const input = palette.querySelector('input');
  const list = palette.querySelector('ul');
  let found = [];
  let at = 0;
  const choose = (index) => {
    at = Math.min(found.length - 1, Math.max(0, index));
    for (const [i, each] of [...list.children].entries())
      each.setAttribute('aria-selected', String(i === at));
    const chosen = list.children[at];
    if (chosen === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', chosen.id);
    chosen?.scrollIntoView({ block: 'nearest' });
  };
  const open = (index) => {
    palette.close();
    found[index]?.open();
  };
  const show = () => {
    found = openable(input.value.trim());
    list.replaceChildren(
      ...found.map(({ label }, i) => {
        const item = document.createElement('li');
        item.role = 'option';
        item.id = `found-${i}`;
        item.textContent = label;
        item.addEventListener('click', () => open(i));
        return item;
      }),
    );
    choose(0);
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(at + 1);
    else if (event.key === 'ArrowUp') choose(at - 1);
    else if (event.key === 'Enter') open(at);
    else return;
    event.preventDefault();
  });
  palette.addEventListener('close', () => {
    input.value = '';
    show();
  });
  show();
};
document.addEventListener('DOMContentLoaded', preparePalette);

/** What was sent says so until its answer is there, and is not sent twice. */
document.addEventListener('submit', (event) => {
  const button = event.target.querySelector('button');
  if (button?.ariaBusy === 'true') event.preventDefault();
  else if (event.target.method !== 'dialog' && button !== null) button.ariaBusy = 'true';
});

document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
  // A key in a dialog is for that.
  if (document.querySelector('dialog[open]') !== null) return;
  if (key === '/') document.querySelector('#palette')?.showModal();
  else if (key === '?') document.querySelector('#keys')?.showModal();
  else if (key === 'j') step(1);
  else if (key === 'k') step(-1);
  else {
    const found = [...document.querySelectorAll('nav a[data-key]')].find((each) => each.dataset.key === key);
    if (found === undefined) return;
    found.click();
  }
  event.preventDefault();
});
