// SPDX-License-Identifier: Apache-2.0
import './style.css';
import { Client } from './engine_client';

const inner = (id: string): string => document.getElementById(id)?.textContent ?? '';
const out = document.createElement('pre');
document.body.append(out);
const client = new Client(inner('worker'), inner('engine'), (what) => { document.title = what || 'assay'; });
const show = async (name: string, data: string | Blob): Promise<void> => {
    try {
        await client.open({ name, data }, null);
        out.textContent = JSON.stringify(await client.ask('top', { limit: 20 }), null, 1);
    } catch (e) {
        out.textContent = JSON.stringify(e);
    }
};
const el = document.getElementById('profile');
if (el)
    void show(el.dataset['name'] ?? '', el.textContent ?? '');
document.ondragover = event => event.preventDefault();
document.ondrop = event => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file)
        void show(file.name, file);
};
