// A graph in a window of its own: at first all of it, then moved and zoomed by wheel, pointer, fingers and keys.
(() => {
'use strict';
const svg = document.documentElement;
if (!document.currentScript || document.currentScript.parentNode !== svg) return;
const {x, y, width, height} = svg.viewBox.baseVal, whole = svg.getAttribute('viewBox'), natural = 4 / 3, most = 20;
const fingers = new Map();
let scale = 1, cx = 0, cy = 0;
const between = (least, value, greatest) => Math.max(least, Math.min(greatest, value));
const fitting = () => Math.min(innerWidth / width, innerHeight / height, natural);
const draw = () => {
  const w = innerWidth / scale, h = innerHeight / scale;
  svg.setAttribute('viewBox', `${cx - w / 2} ${cy - h / 2} ${w} ${h}`);
};
// What is in the middle of the window is in the graph.
const look = (atX, atY) => {
  cx = between(x, atX, x + width);
  cy = between(y, atY, y + height);
  draw();
};
const fit = () => {
  scale = fitting();
  look(x + width / 2, y + height / 2);
};
const pan = (dx, dy) => look(cx - dx / scale, cy - dy / scale);
// What is at this place of the window stays there.
const zoom = (factor, px = innerWidth / 2, py = innerHeight / 2) => {
  const old = scale;
  scale = between(fitting() / 2, old * factor, most);
  look(cx + (px - innerWidth / 2) * (1 / old - 1 / scale), cy + (py - innerHeight / 2) * (1 / old - 1 / scale));
};
const pinch = (from, to, other) => {
  const apart = p => Math.max(8, Math.hypot(p.x - other.x, p.y - other.y));
  zoom(apart(to) / apart(from), (to.x + other.x) / 2, (to.y + other.y) / 2);
  pan((to.x - from.x) / 2, (to.y - from.y) / 2);
};
const keys = {'+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(.8), '0': fit, Home: fit,
  ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60)};
svg.setAttribute('width', '100%');
svg.setAttribute('height', '100%');
svg.classList.add('moved');
svg.addEventListener('wheel', e => {
  e.preventDefault();
  zoom(Math.exp(-e.deltaY * (e.deltaMode ? .03 : .0015)), e.clientX, e.clientY);
}, {passive: false});
svg.addEventListener('pointerdown', e => {
  if (e.button) return;
  svg.setPointerCapture(e.pointerId);
  fingers.set(e.pointerId, {x: e.clientX, y: e.clientY});
});
svg.addEventListener('pointermove', e => {
  const from = fingers.get(e.pointerId), to = {x: e.clientX, y: e.clientY};
  if (!from) return;
  const other = [...fingers].find(([id]) => id !== e.pointerId);
  fingers.set(e.pointerId, to);
  if (other) pinch(from, to, other[1]);
  else pan(to.x - from.x, to.y - from.y);
});
['pointerup', 'pointercancel'].forEach(name => svg.addEventListener(name, e => fingers.delete(e.pointerId)));
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
addEventListener('resize', () => zoom(1));
addEventListener('beforeprint', () => svg.setAttribute('viewBox', whole));
addEventListener('afterprint', draw);
fit();
})();
