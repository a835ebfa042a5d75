(() => {
'use strict';
const script = document.currentScript;
const svg = script ? script.parentNode : document.documentElement;
const part = name => svg.querySelector('.' + name);
const frames = part('frames'), detail = part('detail'), found = part('status');
const axis = part('axis'), all = part('all'), search = part('search'), head = part('head'), bar = part('bar');
const NS = 'http://www.w3.org/2000/svg', CHAR = 6.7, LEVEL = 17, EDGE = 10;
const number = (e, name) => Number(e.getAttribute(name));
const right = [all, search, found].map(e => [e, number(e, 'x')]);
// Boxes in the order of the file: parents before what stands on them.
const box = [...frames.children].map((g, i) => {
  const [title, rect, text] = g.children, words = title.textContent;
  g.id = 'f' + i;
  return {g, rect, text, words, name: words.split('\n')[0], label: text ? text.textContent : '',
    x: number(rect, 'x'), w: number(rect, 'width'), y: number(rect, 'y'),
    small: g.classList.contains('r'), hit: false};
});
const root = box[0], up = box.length > 1 && box[1].y < root.y;
const open = [];
box.forEach((b, i) => {
  b.level = Number(b.g.dataset.level || Math.round(Math.abs(b.y - root.y) / LEVEL));
  b.parent = b.level ? open[b.level - 1] : -1;
  open[b.level] = i;
});
// Of a chart: all that threads ran.
const whole = axis ? box.reduce((sum, b) => sum + (b.level === 2 ? b.w : 0), 0) : root.w;
// The file's own size; boxes are drawn so many times as wide.
const {width: own, height: high} = svg.viewBox.baseVal;
let wide = 1;
let zoomed = 0, at = 0, query = '', typing = false;

const end = i => {
  let k = i + 1;
  while (k < box.length && box[k].level > box[i].level) k++;
  return k;
};
const write = (b, w) => {
  const room = Math.floor((w - 4) / CHAR), chars = [...b.name], short = [...b.label].length;
  let label = '';
  if (w === b.w) label = b.label;
  else if (chars.length <= room) label = b.name;
  // What the file has says more than as much of the name's begin.
  else if (short && room < 2 * short) label = b.label;
  else if (room > 3) label = chars.slice(0, room - 1).join('') + '\u2026';
  if (label !== b.name && label.replace(/[^\p{L}\p{N}_]/gu, '').length < 3) label = '';
  if (!b.text && label) {
    b.text = b.g.appendChild(document.createElementNS(NS, 'text'));
    b.text.setAttribute('y', b.y + 11);
  }
  if (b.text) b.text.textContent = label;
};
const place = (b, x, w) => {
  b.g.style.display = '';
  b.rect.setAttribute('x', x);
  b.rect.setAttribute('width', w);
  write(b, w);
  if (b.text) b.text.setAttribute('x', x + 3);
};
const draw = () => {
  const z = box[zoomed], last = end(zoomed), full = root.w * wide, scale = full / z.w;
  const below = new Set();
  for (let p = z.parent; p >= 0; p = box[p].parent) below.add(p);
  box.forEach((b, i) => {
    b.g.classList.toggle('dim', below.has(i));
    if (below.has(i)) place(b, 0, full);
    else if (i < zoomed || i >= last) b.g.style.display = 'none';
    else place(b, (b.x - z.x) * scale, b.w * scale);
  });
  all.style.display = zoomed ? '' : 'none';
  if (axis) axis.style.display = zoomed ? 'none' : '';
};
// As wide as the window, with letters of the same size; below its own width all of it is smaller.
const fit = () => {
  if (!svg.classList.contains('fits')) return;
  svg.setAttribute('width', '100%');
  const set = () => {
    const room = svg.getBoundingClientRect().width || own, broad = Math.max(own, room);
    svg.setAttribute('viewBox', '0 0 ' + broad + ' ' + high);
    svg.setAttribute('height', high * room / broad);
    return broad;
  };
  set();
  const broad = set(); // a bar to scroll by may have taken some of it
  wide = (broad - 2 * EDGE) / (own - 2 * EDGE);
  [head, bar].forEach(e => e.firstElementChild.setAttribute('width', broad));
  right.forEach(([e, x]) => e.setAttribute('x', x + broad - own));
  if (!axis) return;
  axis.setAttribute('transform', 'matrix(' + wide + ',0,0,1,' + EDGE * (1 - wide) + ',0)');
  axis.querySelectorAll('text').forEach(e => e.setAttribute('transform',
    'matrix(' + 1 / wide + ',0,0,1,' + number(e, 'x') * (1 - 1 / wide) + ',0)'));
};
// A path counts once, however many of its boxes match.
const look = () => {
  let re = null, sum = 0, n = 0, unknown = false, until = 0;
  if (query) {
    const flags = /[A-Z]/.test(query) ? '' : 'i';
    try { re = new RegExp(query, flags); } catch (e) {
      re = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), flags);
    }
  }
  box.forEach((b, i) => {
    b.hit = Boolean(re && i && !b.small && re.test(b.name));
    b.g.classList.toggle('found', b.hit);
    if (re && b.small && i >= until) unknown = true;
    if (!b.hit) return;
    n++;
    if (i >= until) {
      sum += b.w;
      until = end(i);
    }
  });
  const share = (100 * sum / whole).toFixed(1) + ' %';
  found.textContent = typing || query ? '/' + query + (typing ? '\u258f' : '') +
    (re ? '  ' + (unknown ? 'at least ' : '') + share + ', ' + n + ' frames' : '') : '';
};
const tell = i => {
  detail.textContent = box[i].words.replace(/\n/g, '  ');
};
const keep = () => {
  const state = [];
  if (zoomed) state.push('z=' + zoomed);
  if (query) state.push('s=' + encodeURIComponent(query));
  const hash = '#' + state.join('&');
  if ((location.hash || '#') !== hash) location.hash = hash;
};
const take = () => {
  const state = new URLSearchParams(location.hash.slice(1)), z = Number(state.get('z'));
  zoomed = Number.isInteger(z) && box[z] ? z : 0;
  query = state.get('s') || '';
  draw();
  look();
};
const zoom = i => {
  zoomed = i;
  draw();
  keep();
};
const focus = i => {
  if (i < 0 || !box[i] || box[i].g.style.display === 'none') return;
  box[at].g.setAttribute('tabindex', -1);
  at = i;
  box[at].g.setAttribute('tabindex', 0);
  box[at].g.focus();
  pin();
  uncover(box[at]);
  tell(at);
};
const onto = () => {
  let best = -1;
  for (let k = at + 1; k < end(at); k++)
    if (box[k].level === box[at].level + 1 && (best < 0 || box[k].w > box[best].w)) best = k;
  focus(best);
};
const beside = step => {
  for (let k = at + step; box[k]; k += step)
    if (box[k].level === box[at].level && box[k].g.style.display !== 'none') return focus(k);
};
const next = step => {
  for (let n = 0, k = at; n < box.length; n++) {
    k = (k + step + box.length) % box.length;
    if (box[k].hit && box[k].g.style.display !== 'none') return focus(k);
  }
};
const help = () => {
  detail.textContent = 'arrows: move   Enter: zoom   Esc or 0: all   /: search   n N: next, ' +
    'previous match';
};
const typed = e => {
  if (e.key === 'Enter') typing = false;
  else if (e.key === 'Escape') [typing, query] = [false, ''];
  else if (e.key === 'Backspace') query = [...query].slice(0, -1).join('');
  else if ([...e.key].length === 1) query += e.key;
  else return;
  e.preventDefault();
  look();
  if (!typing) keep();
};
const keys = {
  ArrowUp: () => up ? onto() : focus(box[at].parent),
  ArrowDown: () => up ? focus(box[at].parent) : onto(),
  ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
  Enter: () => zoom(at), 0: () => zoom(0), Escape: () => zoom(0),
  '/': () => { typing = true; look(); }, n: () => next(1), N: () => next(-1), '?': help,
};
const ask = () => {
  const answer = prompt('Search for (a regular expression):', query);
  if (answer === null) return;
  query = answer;
  look();
  keep();
};

// The head and the line of details stay in sight while a high picture is scrolled, unless they
// are half of what there is to see.
const pin = () => {
  const r = svg.getBoundingClientRect(), height = svg.viewBox.baseVal.height;
  const scale = r.height / height || 1, own = number(head.firstElementChild, 'height');
  const above = 2 * own * scale > innerHeight ? 0 : Math.min(-r.top / scale, height - own - LEVEL);
  const below = (r.bottom - innerHeight) / scale;
  head.setAttribute('transform', 'translate(0,' + Math.max(0, above) + ')');
  bar.setAttribute('transform', 'translate(0,' + -Math.max(0, below) + ')');
};
// They do not hide what has the focus.
const uncover = b => {
  const r = b.rect.getBoundingClientRect(), top = Math.max(0, head.getBoundingClientRect().bottom);
  const low = bar.getBoundingClientRect().top;
  if (r.top < top) scrollBy(0, r.top - top);
  else if (r.bottom > low) scrollBy(0, r.bottom - low);
  pin();
};

svg.insertBefore(head, bar); // over the boxes
frames.setAttribute('role', 'tree');
frames.setAttribute('aria-label', 'frames');
box.forEach((b, i) => {
  b.g.setAttribute('role', 'treeitem');
  b.g.setAttribute('aria-level', b.level + 1);
  b.g.setAttribute('aria-label', b.words.replace(/\n/g, ', '));
  b.g.setAttribute('tabindex', i ? -1 : 0);
  b.g.addEventListener('click', () => { at = i; zoom(i); });
  b.g.addEventListener('pointerenter', () => tell(i));
  b.g.addEventListener('focus', () => tell(i));
});
[[all, () => zoom(0)], [search, ask]].forEach(([e, act]) => {
  e.setAttribute('role', 'button');
  e.setAttribute('tabindex', 0);
  e.addEventListener('click', act);
  e.addEventListener('keydown', k => {
    if (k.key !== 'Enter' && k.key !== ' ') return;
    k.preventDefault();
    k.stopPropagation();
    act();
  });
});
[all, search].forEach(e => e.removeAttribute('display'));
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (typing) return typed(e);
  if (!keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
addEventListener('hashchange', take);
addEventListener('scroll', pin);
addEventListener('resize', () => {
  fit();
  draw();
  pin();
});
fit();
take();
if (up) scrollTo(0, svg.getBoundingClientRect().bottom);
pin();
})();
