// SPDX-License-Identifier: Apache-2.0
// chdb_server.mjs PACKAGE FOLDER: the engine of today's ClickHouse, chdb, behind as much of its HTTP as assay speaks. Prints its
// port. What comes in RowBinary goes to the engine as a file, as chdb itself takes no binary rows.
import { createRequire } from 'node:module';
import http from 'node:http';
import fs from 'node:fs';
import zlib from 'node:zlib';

const [, , chdb, folder] = process.argv;
const { Session } = createRequire(import.meta.url)(chdb);
const session = new Session(folder + '/data');
const files = folder + '/rows';
fs.mkdirSync(files, { recursive: true });
let n = 0;
let turn = Promise.resolve();
let database = 'default';

async function ask(sql, format) {
    const result = await session.queryAsync(sql, { format });
    return Buffer.from(result.bytes());
}

async function insert(sql, rows) {
    const [, table, columns] = /^INSERT INTO (\w+) \(([^)]*)\) FORMAT RowBinary$/.exec(sql);
    const said = await ask(`DESCRIBE TABLE ${table}`, 'TSV');
    const type = new Map(said.toString().split('\n').map((line) => line.split('\t')));
    const structure = columns.split(', ').map((name) => `${name} ${type.get(name)}`).join(', ');
    const path = `${files}/${n++}`;
    fs.writeFileSync(path, rows);
    await ask(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM file('${path}', 'RowBinary', '${structure}')`, 'TSV');
    fs.unlinkSync(path);
    return Buffer.alloc(0);
}

async function answer(request, body) {
    const query = new URL(request.url, 'http://x').searchParams;
    const sql = query.get('query');
    const wanted = query.get('database') || 'default';
    if (wanted !== database) {
        await ask(`USE ${wanted}`, 'TSV');
        database = wanted;
    }
    if (sql?.startsWith('INSERT'))
        return insert(sql, body);
    const whole = (sql ? sql + ' ' : '') + body.toString();
    const format = /\s+FORMAT (\w+)\s*$/.exec(whole);
    return ask(format ? whole.slice(0, format.index) : whole, format ? format[1] : 'TSV');
}

const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
        let body = Buffer.concat(parts);
        if (request.headers['content-encoding'] === 'gzip')
            body = zlib.gunzipSync(body);
        turn = turn.then(() => answer(request, body)).then(
            (data) => response.writeHead(200, { 'Content-Length': data.length }).end(data),
            (err) => {
                const text = Buffer.from(String(err.message));
                response.writeHead(500, { 'Content-Length': text.length }).end(text);
            });
    });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
