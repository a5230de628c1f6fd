import { cspHash } from '../http/security.ts'

const ENTRY = /\s*<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>/
const LINKS = /\s*<link rel="(?:stylesheet|modulepreload)"[^>]*href="\/assets\/[^>]*>/g

// A page in the background paints nothing, and need not be quick; a picture that hangs does not hold up the program for long.
const STARTER =
  "{let t=document.getElementById('program'),start=()=>{t&&document.head.append(t.content);t=null};" +
  "addEventListener('load',()=>document.hidden?start():requestAnimationFrame(()=>setTimeout(start)));setTimeout(start,2000)}"

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
