/**
 * The page's only script. The page is readable without it: it adds copy buttons and the filter, and opens the
 * target of a link. The security policy allows only its hash (see `scriptHash`), so no injected script from a
 * server can run.
 */
export const script: string = `'use strict';
for (const box of document.querySelectorAll('.copy')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy: ' + box.querySelector('.title').textContent);
  const code = box.querySelector('code');
  button.addEventListener('click', async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Marked';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  box.append(button);
  box.classList.add('wired');
}
const form = document.querySelector('.filter');
if (form) {
  const found = (selector) => [...document.querySelectorAll(selector)].map((element) => ({ element, text: element.textContent.toLowerCase() }));
  const checks = found('.check');
  const cards = found('article.failure');
  const lines = new Map([...document.querySelectorAll('.index li')].map((line) => [line.querySelector('a').hash.slice(1), line]));
  const rules = found('.rules-grid tbody tr');
  const areas = [...document.querySelectorAll('.area')];
  const value = (name) => form.elements[name] ? form.elements[name].value : '';
  let place = '';
  const apply = () => {
    const words = value('text').toLowerCase().split(/\\s+/).filter(Boolean);
    const filtering = words.length > 0 || ['verdict', 'area', 'level', 'cause', 'place'].some((name) => value(name) !== '');
    const fits = (name, data) => value(name) === '' || value(name).split('|').some((one) => data.split('|').includes(one));
    const choose = (all) => {
      let shown = 0;
      for (const { element, text } of all) {
        const { verdict, area, level, cause, place } = element.dataset;
        const match = fits('verdict', verdict) && fits('area', area) && fits('level', level) && fits('cause', cause) && fits('place', place) && words.every((word) => text.includes(word));
        element.hidden = !match;
        shown += match ? 1 : 0;
      }
      return shown;
    };
    const shown = choose(checks);
    const causes = choose(cards);
    choose(rules);
    const isMoved = place !== value('place');
    place = value('place');
    for (const grid of isMoved ? document.querySelectorAll('.rules-grid') : []) {
      const heads = [...grid.rows[0].cells];
      const hidden = heads.map(({ dataset }) => dataset.place !== undefined && !fits('place', dataset.place));
      for (const row of grid.rows) [...row.cells].forEach((cell, at) => { cell.hidden = hidden[at]; });
    }
    for (const { element } of cards) {
      const line = lines.get(element.id);
      if (line) line.hidden = element.hidden;
    }
    for (const area of areas) {
      area.hidden = !area.querySelector('.check:not([hidden]),.rules-grid tbody tr:not([hidden])');
      if (filtering) area.open = true;
    }
    form.querySelector('output').textContent = filtering ? causes + ' of ' + cards.length + ' causes, ' + shown + ' of ' + checks.length + ' checks' : '';
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const tile of document.querySelectorAll('a.tile[href="#checks"]')) {
    tile.addEventListener('click', () => {
      form.reset();
      form.elements.verdict.value = tile.dataset.verdict;
      apply();
    });
  }
}
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  if (target.hidden && form) {
    form.reset();
    form.dispatchEvent(new Event('input'));
  }
  for (let element = target; element; element = element.parentElement) {
    if (element.tagName === 'DETAILS') element.open = true;
  }
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
if (location.hash) reveal();
addEventListener('beforeprint', () => {
  for (const element of document.querySelectorAll('.area')) element.open = true;
});
`;

/** The base64 SHA-256 of the script, for the page's content security policy; a test verifies it. */
export const scriptHash = 'sha256-jtlvzrZRBQsfVlAKRi8kgpEYtxuM+QQzYTDtopO3L1c=';
