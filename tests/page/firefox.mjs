// SPDX-License-Identifier: Apache-2.0
/*
 * Firefox as Debian has it, which speaks WebDriver BiDi. That knows nothing of colours that somebody
 * prefers, of paper and of fingers; so they are set where the browser's own tools set them, by scripts
 * in its window, as --remote-allow-system-access lets us.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

const { firefox } = createRequire(path.join(process.env.PAGE_MODULES, 'package.json'))('playwright-core');

let session = null; // the browser's own, for what playwright has no words for
let chrome = null; // its window

const inner = thing => thing._connection.toImpl(thing);
const idOf = page => inner(page).delegate._session.sessionId;

/** BODY, a script in the browser's window, with BC, the page's browsing context. */
async function inBrowser(page, body) {
    const { type, exceptionDetails } = await session.send('script.evaluate', {
        expression: `{
            const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs');
            const bc = NavigableManager.getBrowsingContextById(${JSON.stringify(idOf(page))});
            ${body};
        }`,
        target: { context: chrome }, awaitPromise: true,
    });
    if (type !== 'success')
        throw new Error(`in the browser: ${exceptionDetails?.text}`);
}

/* Where colours are forced they are the system's, which has to have some: what is chosen is black on yellow. */
const HIGH_CONTRAST = { 'ui.highlight': '#ffff00', 'ui.highlighttext': '#000000', 'ui.selecteditem': '#ffff00', 'ui.selecteditemtext': '#000000' };

export async function launchFirefox(executablePath) {
    const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, args: ['--remote-allow-system-access'],
        firefoxUserPrefs: HIGH_CONTRAST });

    session = inner(browser)._browserSession;
    const { contexts } = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 });
    chrome = contexts[0].context;
    return browser;
}

/** What a page keeps is in FOLDER, and is told as playwright tells it. */
async function keepDownloads(page, folder) {
    await session.send('browser.setDownloadBehavior', { downloadBehavior: { type: 'allowed', destinationFolder: folder } });
    inner(page).delegate._session.on('browsingContext.downloadEnd', ({ filepath }) => page.emit('download', { suggestedFilename: () => path.basename(filepath), path: () => filepath }));
}

const move = ([x, y]) => ({ type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) });
const down = { type: 'pointerDown', button: 0 }, up = { type: 'pointerUp', button: 0 };

/** Each of POINTERS, of a kind, is what it does. */
function point(page, kind, pointers) {
    return session.send('input.performActions', {
        context: idOf(page),
        actions: pointers.map((actions, i) => ({ type: 'pointer', id: `${kind} ${i}`, parameters: { pointerType: kind }, actions })),
    });
}

/** The page has the keys again, which the browser's own buttons had. */
export const focusPage = page => inBrowser(page, 'bc.embedderElement.focus()');

/** Each of STEPS is where the fingers are; WHILE_DOWN is done before they go up. */
export async function touch(page, steps, whileDown) {
    await point(page, 'touch', steps[0].map((_, finger) => [move(steps[0][finger]), down, ...steps.slice(1).map(at => move(at[finger]))]));
    await whileDown?.();
    await point(page, 'touch', steps[0].map(() => [up]));
}

/** What playwright's page would do in a browser that it knows: without a network, with media and fingers. */
export async function equip(page, folder, { colorScheme, forcedColors, hasTouch, online }) {
    await keepDownloads(page, folder);
    page.emulateMedia = async ({ media, colorScheme: scheme, forcedColors: forced }) => {
        const set = { mediumOverride: media, prefersColorSchemeOverride: scheme, forcedColorsOverride: forced };
        await inBrowser(page, Object.entries(set).filter(([, value]) => value !== undefined)
            .map(([key, value]) => `bc.${key} = ${JSON.stringify(value === 'screen' ? '' : value ?? '')}`).join('; '));
    };
    // Playwright takes inches for centimetres.
    page.pdf = async ({ printBackground: background = false }) => {
        const { data } = await session.send('browsingContext.print', { context: idOf(page), background, page: { width: 21, height: 29.7 } });
        return Buffer.from(data, 'base64');
    };
    if (!online)
        await session.send('emulation.setNetworkConditions', { networkConditions: { type: 'offline' }, contexts: [idOf(page)] });
    if (colorScheme || forcedColors)
        await page.emulateMedia({ colorScheme, forcedColors });
    const { mouse, delegate } = inner(page), { click } = mouse;
    // Clicks count as one only where they are told at once.
    mouse.click = (progress, x, y, options = {}) => options.clickCount === 2 ? point(page, 'mouse', [[move([x, y]), down, up, down, up]])
        : click.call(mouse, progress, x, y, options);
    delegate.rawTouchscreen.tap = (progress, x, y) => touch(page, [[[x, y]]]);
    await page.bringToFront(); // nothing has the focus in a window behind others
    if (hasTouch)
        await inBrowser(page, 'bc.touchEventsOverride = "enabled"');
}

