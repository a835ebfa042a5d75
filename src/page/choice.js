// SPDX-License-Identifier: Apache-2.0
// The controls of a store: what is chosen is the query of the page's URL, and the server answers it.
(() => {
const form = document.getElementById('choice'), other = document.getElementById('choice-vs');
const vs = form.elements.vs, said = form.querySelector('p'), button = form.querySelector('button');
const inputs = side => [...side.querySelectorAll('input[type="text"]')];
const look = () => { other.hidden = !vs.checked; };

// What it is compared with begins as a copy, and differs in what is changed then.
vs.addEventListener('change', () => {
    look();
    if (!vs.checked || inputs(other).some(input => input.value))
        return;
    for (const to of inputs(other)) {
        const values = inputs(form).filter(from => `vs-${from.name}` === to.name && from.value).map(from => from.value);

        to.value = values[0] ?? '';
        for (const value of values.slice(1)) {
            const label = to.parentElement.cloneNode(true);
            label.querySelector('input').value = value;
            to.parentElement.after(label);
        }
    }
});
// What is shown of the new one is what was shown: the view, the event and so on.
form.addEventListener('submit', event => {
    event.preventDefault();
    const words = [...new FormData(form)]
        .filter(([key, value]) => key === 'service' || (value.trim() && (vs.checked || !key.startsWith('vs'))));
    const view = location.hash.slice(1).split('&').filter(word => word && !word.startsWith('diff=')).join('&');
    const query = `?${new URLSearchParams(words)}`;
    button.disabled = true;
    said.textContent = 'asking the store \u2026';
    if (query === location.search) {
        location.hash = view;
        location.reload();
    } else {
        location.assign(`${location.pathname}${query}${view && `#${view}`}`);
    }
});
addEventListener('pageshow', event => {
    if (event.persisted)
        location.reload();
});
look();
})();
