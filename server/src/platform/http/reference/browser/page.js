/** What the reference page can do beyond being read: search, copy, show where one is. It reads the page and asks for nothing. */
const searching = globalThis.referenceSearch;
const contents = document.getElementById('contents');
const search = document.getElementById('search');
const found = document.getElementById('found');
const sections = [...document.querySelectorAll('main section')];
const articles = [...document.querySelectorAll('main article')];
const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
const results = document.getElementById('results');
const ranked = document.getElementById('ranked');
const nothing = document.getElementById('nothing');
const guides = document.getElementById('guides');
const guideItems = [...guides.querySelectorAll('li')];
/** So many sections of guides stand above the operations that were found. */
const SHOWN_GUIDES = 8;
/** Where each operation stands when nothing is searched, on the page and in the contents. */
const homes = articles.map((article) => ({ item: linkOf(article).parentElement, section: article.parentElement }));
for (const home of homes) home.list = home.item.parentElement;
const entries = articles.map((article) => ({
  title: article.querySelector('h3').textContent.toLowerCase(),
  path: article.querySelector('.endpoint').textContent.toLowerCase(),
  names: [...article.querySelectorAll('.explanation code')].map((code) => code.textContent.toLowerCase()).join(' '),
  text: article.textContent.toLowerCase(),
}));
const guideEntries = guideItems.map((item) => ({
  title: item.querySelector('a').textContent.toLowerCase(),
  path: '',
  names: '',
  text: item.textContent.toLowerCase(),
}));

// The samples name the service by a variable; on this page its value is known.
for (const code of document.querySelectorAll('code')) {
  code.firstChild?.data?.startsWith('PAYDESK_URL=') && code.replaceChildren(`PAYDESK_URL=${location.origin}`);
}

function linkOf(article) {
  return links.get(article.id);
}

/** Shows the operations that hold every word of the search, the best match first, in the contents as on the page. */
function filter() {
  const words = searching.wordsOf(search.value);
  const isSearch = words.length > 0;
  const order = isSearch ? searching.rankEntries(entries, words) : articles.keys();
  for (const [index, { item, list, section }] of homes.entries()) {
    list.append(item);
    section.append(articles[index]);
  }
  if (isSearch) {
    for (const index of order) {
      results.append(articles[index]);
      ranked.append(homes[index].item);
    }
  }
  document.getElementById('top').hidden = isSearch;
  results.hidden = !isSearch;
  for (const part of [...sections, ...contents.querySelectorAll('h2, ul:not(#ranked)')]) part.hidden = isSearch;
  const count = results.querySelectorAll('article').length;
  const guideCount = showGuides(words);
  found.textContent = isSearch
    ? `${count} of ${articles.length} operations, ${guideCount} ${guideCount === 1 ? 'place' : 'places'} in the guides`
    : '';
  nothing.hidden = !isSearch || count + guideCount > 0;
  nothing.textContent = `Nothing holds “${search.value.trim()}”. Search for a path, a field, an error code or a word.`;
  markHits(count > 0 ? words : []);
  if (isSearch) scrollTo(0, 0);
}

/** Shows the sections of guides that hold every word, the best first. @returns how many hold them */
function showGuides(words) {
  const order = words.length === 0 ? [] : searching.rankEntries(guideEntries, words);
  for (const item of guideItems) item.hidden = true;
  for (const index of order.slice(0, SHOWN_GUIDES)) {
    guideItems[index].hidden = false;
    guides.append(guideItems[index]);
  }
  guides.hidden = order.length === 0;
  return order.length;
}

/** Marks what was searched for, by the browser's own highlights, which leave the page as it is. An older one shows none. */
function markHits(words) {
  if (!('highlights' in CSS)) return;
  const ranges = [];
  for (const place of words.length === 0 ? [] : [results, ranked]) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      for (const word of words) {
        for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
}

function clear() {
  search.value = '';
  filter();
}

search.closest('[hidden]').hidden = false;
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement === search;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (search.offsetParent === null) contents.showPopover();
    search.focus();
    event.preventDefault();
  } else if (event.key === 'Enter' && isTyping) {
    (ranked.querySelector('a') ?? guides.querySelector('li:not([hidden]) a'))?.click();
  } else if (event.key === 'Escape' && isTyping && search.value !== '') {
    clear();
    event.preventDefault();
  }
});

// A link that leads to something the search has hidden ends the search. On a small screen it also closes the contents.
document.addEventListener('click', (event) => {
  const id = event.target.closest('a[href^="#"]')?.hash.slice(1);
  if (id === undefined) return;
  if (document.getElementById(id)?.closest('[hidden]')) clear();
  if (contents.matches(':popover-open')) contents.hidePopover();
});

for (const sample of document.querySelectorAll('figure')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${sample.querySelector('figcaption').textContent}`);
  button.addEventListener('click', async () => {
    const text = sample.querySelector('code').textContent;
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
  sample.querySelector('figcaption').append(button);
}

/** Marks the link to what one is reading, the last place that has passed the upper quarter, and keeps it in sight. */
const places = [...document.querySelectorAll('.introduction h2, main article')];
function showPlace() {
  const passed = places.filter(
    (place) => place.offsetParent !== null && place.getBoundingClientRect().top < innerHeight / 4,
  );
  const link = links.get(passed.at(-1)?.id);
  const marked = contents.querySelector('[aria-current]');
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  link?.setAttribute('aria-current', 'location');
  if (link !== undefined) keepInSight(link);
}

function keepInSight(link) {
  // Not scrollIntoView(), which would also stop the page on its way to where a link leads.
  const { top, bottom } = link.getBoundingClientRect();
  const frame = contents.getBoundingClientRect();
  if (top < frame.top) contents.scrollTop -= frame.top - top + 16;
  else if (bottom > frame.bottom) contents.scrollTop += bottom - frame.bottom + 16;
}

addEventListener('scroll', () => requestAnimationFrame(showPlace), { passive: true });
showPlace();
