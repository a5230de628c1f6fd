import type { Brand } from '../../brands/brand.ts'
import type { FirstData } from '../../contract/first-data.ts'
import type { Site } from '../../contract/site.ts'
import { cspHash } from '../http/security.ts'
import type { PageParts } from './chunks.ts'
import { escapeHtml, scriptJson } from './markup.ts'
import type { PageHead } from './page-head.ts'
import { programMarkup, takeProgram } from './program.ts'
import { liftStyles } from './style-attributes.ts'

const HEAD = '<!--head-->'
const PAGE = '<!--page-->'

/** What a document is sent with: its text, and the sources of its policy that let it use its own styles. */
export interface RenderedDocument {
  html: string
  cspSources: string
}

/** A brand's design tokens as a style sheet, and the source that lets the page use it. */
export function brandStyle(brand: Brand): { css: string; cspSource: string } {
  const css = `:root{${Object.entries(brand.tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`
  return { css, cspSource: cspHash(css) }
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`

export interface DocumentContent {
  head: PageHead
  site: Site
  brand: Brand
  /** The brand's tokens, and the source that allows them. */
  css: string
  cspSource: string
  origin: string
  parts: PageParts
  /** What stands in `#root`. */
  markup: string
  /** The address and rows that the page's program can take `markup` over with; absent where it must render anew. */
  first?: { path: string; data: FirstData }
}

/** What React asks to be fetched early stands before its markup; it belongs into the head. */
function splitPreloads(markup: string): [preloads: string, rest: string] {
  const preloads = /^(?:<link rel="preload"[^>]*>)+/.exec(markup)?.[0] ?? ''
  return [preloads, markup.slice(preloads.length)]
}

function headMarkup({ head, site, brand, css, origin, parts, first }: DocumentContent, preloads: string): string {
  const url = head.canonical === undefined ? undefined : origin + head.canonical
  return [
    `<title>${escapeHtml(head.title)}</title>`,
    meta('description', head.description),
    ...(head.listed ? [] : [meta('robots', 'noindex')]),
    ...(url === undefined ? [] : [`<link rel="canonical" href="${escapeHtml(url)}">`, property('og:url', url)]),
    property('og:site_name', site.settings.NAME),
    property('og:type', head.ogType),
    property('og:title', head.title),
    property('og:description', head.description),
    property('og:image', head.image),
    property('og:image:width', '1200'),
    meta('twitter:card', 'summary_large_image'),
    meta('twitter:title', head.title),
    meta('twitter:description', head.description),
    meta('twitter:image', head.image),
    meta('theme-color', brand.tokens['surface-0']),
    meta('application-name', site.settings.NAME),
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    // A subscriber's site is no app of its own.
    ...(site.host_class === 'subscriber' ? [] : ['<link rel="manifest" href="/manifest.webmanifest">']),
    meta('mobile-web-app-capable', 'yes'),
    meta('apple-mobile-web-app-status-bar-style', 'black-translucent'),
    `<style>${css}</style>`,
    `<style>${parts.css}</style>`,
    preloads,
    // Their rules stand above already: named, so that the program does not fetch them, and never fetched, as they are off.
    ...parts.styleSheets.map((url) => `<link rel="stylesheet" href="${url}" disabled>`),
    `<script type="application/json" id="site">${scriptJson(site)}</script>`,
    ...(first === undefined ? [] : [`<script type="application/json" id="first-data">${scriptJson(first.data)}</script>`]),
    ...head.jsonLd.map((data) => `<script type="application/ld+json">${scriptJson(data)}</script>`),
  ].join('\n    ')
}

/** Fills the built `index.html`. @throws when it lacks one of the two marks */
export function createDocument(built: string) {
  const { template, entry } = takeProgram(built)
  const headAt = template.indexOf(HEAD)
  const pageAt = template.indexOf(PAGE)
  if (headAt < 0 || pageAt < headAt) throw new Error(`index.html lacks ${headAt < 0 ? HEAD : PAGE}: build the client anew`)
  const before = template.slice(0, headAt)
  const between = template.slice(headAt + HEAD.length, pageAt)
  const after = template.slice(pageAt + PAGE.length)

  return function render(content: DocumentContent): RenderedDocument {
    const start = before.replace(/<html\b[^>]*>/, `<html lang="en" data-brand="${escapeHtml(content.brand.id)}">`)
    const [preloads, rest] = splitPreloads(content.markup)
    const { markup, css } = liftStyles(rest)
    const path = content.first === undefined ? '' : ` data-path="${escapeHtml(content.first.path)}"`
    const style = css === '' ? '' : `<style>${css}</style>`
    const root = between.replace('<div id="root">', () => `<div id="root"${path}>`)
    const end = entry === undefined ? after : after.replace('</body>', () => `${programMarkup(entry, content.parts.modules)}</body>`)
    const html = `${start}${headMarkup(content, preloads + style)}${root}${markup}${end}`
    return { html, cspSources: [content.cspSource, content.parts.cspSource, ...(css === '' ? [] : [cspHash(css)])].join(' ') }
  }
}
