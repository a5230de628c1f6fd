import { cspHash } from '../http/security.ts'

const ENTRY = /\s*<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>/
const LINKS = /\s*<link rel="(?:stylesheet|modulepreload)"[^>]*href="\/assets\/[^>]*>/g

/**
 * Starts the program when the page is loaded and on the screen, or at the first sign of a person; a page in the background paints
 * nothing, and a picture that hangs does not hold it up for long. What happens before it is there, it finds in `window.early`; a form is not
 * sent by the browser meanwhile, as the press that would send it is done again.
 */
const STARTER = `{
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

/** The source that allows the one inline script that pages have. */
export const starterSource = cspHash(STARTER)

/** Takes the links to the program out of the built `index.html`: what a page needs of it is told for each address. */
export function takeProgram(built: string): { template: string; entry: string | undefined } {
  return { template: built.replace(LINKS, '').replace(ENTRY, ''), entry: ENTRY.exec(built)?.[1] }
}

/**
 * The program's files as inert markup, and the script that brings them to life once what the HTML shows is on the screen: before
 * that, nothing but its fonts and pictures is fetched, and no script runs.
 */
export function programMarkup(entry: string, modules: readonly string[]): string {
  const preloads = modules.map((url) => `<link rel="modulepreload" crossorigin href="${url}">`).join('')
  return `<template id="program">${preloads}<script type="module" crossorigin src="${entry}"></script></template><script>${STARTER}</script>`
}
