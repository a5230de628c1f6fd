import { EMPTY_SNAPSHOT_TEMPLATE, SIGNED_IN_ACCOUNT_KEY, SNAPSHOT_ID } from '../../contract/account-snapshot.ts'
import { FOLLOWED_HEIGHT_KEY, FOLLOWED_HEIGHT_PROPERTY } from '../../contract/follow-rules.ts'
import { RECENT_COUNT_KEY } from '../../contract/recent-songs.ts'
import { computeCspHash } from '../http/security.ts'

const ENTRY_SCRIPT = /\s*<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>/
const ASSET_LINKS = /\s*<link rel="(?:stylesheet|modulepreload)"[^>]*href="\/assets\/[^>]*>/g

/**
 * Inline script that loads the program after the `load` event and the first paint, at the first input, or after 2 s (an image may stall). In a
 * background tab, which never paints, the program is loaded at `load`. Input events before the program starts are recorded in `window.early`; form
 * submissions are cancelled, because the program replays the click that caused them.
 */
const LOADER_SCRIPT = `{
let program = document.getElementById('program')
const start = () => { if (program) document.head.append(program.content); program = null }
window.early = []
for (const type of ['pointerdown', 'keydown', 'click', 'change', 'submit', 'beforeinstallprompt'])
  addEventListener(type, (event) => {
    if (type === 'beforeinstallprompt' || (type === 'submit' && window.early)) event.preventDefault()
    if (window.early) window.early.push({ event, value: event.target.value })
    if (type !== 'beforeinstallprompt') start()
  }, true)
addEventListener('load', () => document.hidden ? start() : new PerformanceObserver(start).observe({ type: 'paint', buffered: true }))
setTimeout(start, 2000)
}`

/**
 * Inline script for the head. It copies the stored sizes that reserve space for content of the device to the root element: the number of recent
 * songs, and the height of the songs of followed artists. A browser may deny access to the storage.
 */
const RESERVED_SPACE_SCRIPT = `try {
let root = document.documentElement
let count = localStorage.getItem('${RECENT_COUNT_KEY}')
if (count) root.dataset.recent = count
let height = localStorage.getItem('${FOLLOWED_HEIGHT_KEY}')
if (height) root.style.setProperty('${FOLLOWED_HEIGHT_PROPERTY}', height)
} catch {}`

export const reservedSpaceElement = `<script>${RESERVED_SPACE_SCRIPT}</script>`

/**
 * Inline script that shows the account snapshot, which the service worker has inserted, if it belongs to the signed-in account. The program then
 * renders the page instead of hydrating it. A snapshot of another account is deleted. Style attributes, which the Content Security Policy
 * refuses, are in `data-style`.
 */
const SNAPSHOT_SCRIPT = `{
let snapshot = document.getElementById('${SNAPSHOT_ID}')
let owner = snapshot.dataset.account
let account
try { account = JSON.parse(localStorage.getItem('${SIGNED_IN_ACCOUNT_KEY}')).uid } catch {}
if (owner && owner === account) {
  let main = document.getElementById('main')
  main.replaceChildren(snapshot.content)
  for (let element of main.querySelectorAll('[data-style]')) element.style = element.dataset.style
  document.getElementById('root').removeAttribute('data-path')
  window.showsSnapshot = true
} else if (owner) navigator.serviceWorker.controller?.postMessage({ type: 'DELETE_SNAPSHOT' })
snapshot.remove()
}`

/**
 * The markup at the end of the body of the page that has an account snapshot, and the Content Security Policy source that allows the script in this
 * markup.
 */
export const accountSnapshot = {
  html: `${EMPTY_SNAPSHOT_TEMPLATE}<script>${SNAPSHOT_SCRIPT}</script>`,
  cspSource: computeCspHash(SNAPSHOT_SCRIPT),
}

/** The Content Security Policy sources that allow the inline scripts of every page. */
export const scriptCspSources = `${computeCspHash(LOADER_SCRIPT)} ${computeCspHash(RESERVED_SPACE_SCRIPT)}`

/** Removes the links to scripts and styles from the built `index.html`, because each page gets its own links. Returns the entry script's URL. */
export function extractEntryScript(builtHtml: string): { template: string; entryUrl: string | undefined } {
  return { template: builtHtml.replace(ASSET_LINKS, '').replace(ENTRY_SCRIPT, ''), entryUrl: ENTRY_SCRIPT.exec(builtHtml)?.[1] }
}

/**
 * Returns a `<template>` with the module links of a page, and the inline script that inserts them after the first paint. Until then the
 * browser fetches only fonts and images.
 */
export function renderDeferredScripts(entryUrl: string, moduleUrls: readonly string[]): string {
  const preloads = moduleUrls.map((url) => `<link rel="modulepreload" crossorigin href="${url}">`).join('')
  return `<template id="program">${preloads}<script type="module" crossorigin src="${entryUrl}"></script></template><script>${LOADER_SCRIPT}</script>`
}
