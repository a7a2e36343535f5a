/** What the reference page can do beyond being read: search, copy, show where one is. It reads the page and asks for nothing. */
const contents = document.getElementById('contents');
const search = document.getElementById('search');
const found = document.getElementById('found');
const sections = [...document.querySelectorAll('main section')];
const articles = [...document.querySelectorAll('main article')];
const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
const texts = new Map(articles.map((article) => [article, article.textContent.toLowerCase()]));

// The samples name the service by a variable; on this page its value is known.
for (const code of document.querySelectorAll('code')) {
  code.firstChild?.data?.startsWith('PAYDESK=') && code.replaceChildren(`PAYDESK=${location.origin}`);
}

/** Shows the operations that hold every word of the search, and hides the others, in the contents as on the page. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const article of articles) {
    const isMatch = words.every((word) => texts.get(article).includes(word));
    article.hidden = !isMatch;
    links.get(article.id).parentElement.hidden = !isMatch;
    count += isMatch;
  }
  document.getElementById('top').hidden = words.length > 0;
  for (const section of sections) {
    section.hidden = !section.querySelector('article:not([hidden])');
    links.get(section.id).parentElement.hidden = section.hidden;
  }
  found.textContent = words.length === 0 ? '' : `${count} of ${articles.length} operations`;
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
