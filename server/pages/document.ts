import type { Brand } from '../../brands/brand.ts'
import type { Site } from '../../contract/site.ts'
import { cspHash } from '../http/security.ts'
import { escapeHtml, scriptJson } from './markup.ts'
import type { PageHead } from './page-head.ts'

const HEAD = '<!--head-->'
const PAGE = '<!--page-->'

/** A brand's design tokens as a style sheet, and the source that lets the page use it. */
export function brandStyle(brand: Brand): { css: string; cspSource: string } {
  const css = `:root{${Object.entries(brand.tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`
  return { css, cspSource: cspHash(css) }
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`

function headMarkup(head: PageHead, site: Site, brand: Brand, css: string, origin: string): string {
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
    `<style>${css}</style>`,
    `<script type="application/json" id="site">${scriptJson(site)}</script>`,
    ...head.jsonLd.map((data) => `<script type="application/ld+json">${scriptJson(data)}</script>`),
  ].join('\n    ')
}

/** Fills the built `index.html`. @throws when it lacks one of the two marks */
export function createDocument(template: string) {
  const headAt = template.indexOf(HEAD)
  const pageAt = template.indexOf(PAGE)
  if (headAt < 0 || pageAt < headAt) throw new Error(`index.html lacks ${headAt < 0 ? HEAD : PAGE}: build the client anew`)
  const before = template.slice(0, headAt)
  const between = template.slice(headAt + HEAD.length, pageAt)
  const after = template.slice(pageAt + PAGE.length)

  return function render(head: PageHead, site: Site, brand: Brand, css: string, origin: string): string {
    const start = before.replace(/<html\b[^>]*>/, `<html lang="en" data-brand="${escapeHtml(brand.id)}">`)
    return `${start}${headMarkup(head, site, brand, css, origin)}${between}<h1>${escapeHtml(head.heading)}</h1>${after}`
  }
}
