(() => {
'use strict';
const svg = document.currentScript ? document.currentScript.parentNode : document.documentElement;
const boxes = [...svg.querySelector('.frames').children], detail = svg.querySelector('.detail');
const words = g => g.firstChild.textContent;
let at = 0;
const tell = g => {
  detail.textContent = words(g).replace('\n', '  ');
};
const focus = i => {
  if (!boxes[i]) return;
  boxes[at].setAttribute('tabindex', -1);
  at = i;
  boxes[at].setAttribute('tabindex', 0);
  boxes[at].focus();
};
svg.querySelector('.frames').setAttribute('role', 'list');
boxes.forEach((g, i) => {
  g.setAttribute('role', 'listitem');
  g.setAttribute('aria-label', words(g).replace('\n', ', '));
  g.setAttribute('tabindex', i ? -1 : 0);
  g.addEventListener('pointerenter', () => tell(g));
  g.addEventListener('focus', () => tell(g));
  g.addEventListener('click', () => focus(i));
});
addEventListener('keydown', e => {
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[e.key];
  if (!step || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  focus(at + step);
});
})();
