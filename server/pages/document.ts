import type { Brand } from '../../brands/brand.ts'
import { SNAPSHOT_PATH } from '../../contract/account-snapshot.ts'
import type { InitialData } from '../../contract/initial-data.ts'
import { formatRadioTitle } from '../../contract/radio-page.ts'
import type { Site } from '../../contract/site.ts'
import { computeCspHash } from '../http/security.ts'
import { escapeHtml } from '../text/escape-html.ts'
import type { PageAssets } from './chunks.ts'
import { accountSnapshot, extractEntryScript, renderDeferredScripts, reservedSpaceElement, scriptCspSources } from './deferred-scripts.ts'
import { serializeJson } from './markup.ts'
import { createOembedUrl, OEMBED_TYPE } from './oembed-link.ts'
import type { PageHead } from './resolve-page.ts'
import { extractStyleAttributes } from './style-attributes.ts'

/** Matches the rules of the display font's Latin part; captures its URL and the range of its width in percent. */
const LATIN_FACE = /@font-face\{font-family:Anybody;src:url\(([^)]+)\)[^}]*font-stretch:(\d+)% (\d+)%[^}]*unicode-range:U\+20-/g

/** Returns the URL of the display font's Latin part in the width of `brand`, from a built style sheet. */
function findDisplayFontUrl(css: string, brand: Brand): string | undefined {
  const width = Number.parseFloat(brand.tokens['display-wdth'])
  for (const [, url, min, max] of css.matchAll(LATIN_FACE)) if (Number(min) <= width && width <= Number(max)) return url
  return undefined
}

const HEAD_PLACEHOLDER = '<!--head-->'
const ROOT_PLACEHOLDER = '<!--page-->'

/** An HTML document, and the source expressions of its Content Security Policy that allow its inline styles and scripts. */
export interface RenderedDocument {
  html: string
  styleSources: string
  scriptSources: string
}

/** Returns a brand's design tokens as a style sheet, and the Content Security Policy source that allows it. */
export function createBrandStyle(brand: Brand): { css: string; cspSource: string } {
  const brandCss = `:root{${Object.entries(brand.tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`
  return { css: brandCss, cspSource: computeCspHash(brandCss) }
}

const renderMetaElement = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`
const renderAlternateElement = (type: string, title: string, url: string) =>
  `<link rel="alternate" type="${type}" title="${escapeHtml(title)}" href="${escapeHtml(url)}">`
const renderOpenGraphElement = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`

export interface DocumentContent {
  head: PageHead
  site: Site
  brand: Brand
  /** The style sheet of the brand's design tokens; `cspSource` allows it in the Content Security Policy. */
  css: string
  cspSource: string
  origin: string
  assets: PageAssets
  /** The prerendered HTML inside `#root`. */
  markup: string
  /** The URL path and rows that `markup` was rendered from, for hydration. If absent, the client renders without hydration. */
  initial?: { path: string; data: InitialData; opensDatabase: boolean }
}

/** Splits off the preload links that React renders before the markup: they belong in `<head>`. */
function splitPreloads(pageMarkup: string): [preloads: string, body: string] {
  const preloads = /^(?:<link rel="preload"[^>]*>)+/.exec(pageMarkup)?.[0] ?? ''
  return [preloads, pageMarkup.slice(preloads.length)]
}

function renderHead({ head, site, brand, css, origin, assets, initial }: DocumentContent, preloadsHtml: string): string {
  const url = head.canonical === undefined ? undefined : origin + head.canonical
  const oembedUrl = createOembedUrl(origin, head.canonical)
  // The font of the headings is preloaded, because the layout of a page depends on their line breaks.
  const fontUrl = findDisplayFontUrl(assets.css, brand)
  return [
    `<title>${escapeHtml(head.title)}</title>`,
    renderMetaElement('description', head.description),
    ...(head.indexable ? [] : [renderMetaElement('robots', 'noindex')]),
    ...(url === undefined ? [] : [`<link rel="canonical" href="${escapeHtml(url)}">`, renderOpenGraphElement('og:url', url)]),
    ...(head.atom === undefined ? [] : [renderAlternateElement('application/atom+xml', head.atom.title, head.atom.path)]),
    // Most sites read this element and not the header `Link`, which has the same URL.
    ...(oembedUrl === undefined ? [] : [renderAlternateElement(OEMBED_TYPE, head.title, oembedUrl)]),
    renderOpenGraphElement('og:site_name', site.settings.NAME),
    renderOpenGraphElement('og:type', head.ogType),
    renderOpenGraphElement('og:title', head.title),
    renderOpenGraphElement('og:description', head.description),
    renderOpenGraphElement('og:image', head.image),
    renderOpenGraphElement('og:image:width', '1200'),
    renderOpenGraphElement('og:image:alt', head.title),
    renderMetaElement('twitter:card', 'summary_large_image'),
    renderMetaElement('twitter:title', head.title),
    renderMetaElement('twitter:description', head.description),
    renderMetaElement('twitter:image', head.image),
    renderMetaElement('theme-color', brand.tokens['surface-0']),
    renderMetaElement('application-name', site.host_class === 'radio' ? formatRadioTitle(site.settings) : site.settings.NAME),
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    // A subscriber's site has no web app manifest, because it cannot be installed.
    ...(site.host_class === 'subscriber' ? [] : ['<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">']),
    renderMetaElement('mobile-web-app-capable', 'yes'),
    renderMetaElement('apple-mobile-web-app-status-bar-style', 'black-translucent'),
    ...(site.host_class === 'main' ? [reservedSpaceElement] : []),
    `<style>${css}</style>`,
    `<style>${assets.css}</style>`,
    preloadsHtml,
    ...(fontUrl === undefined ? [] : [`<link rel="preload" href="${fontUrl}" as="font" type="font/woff2" crossorigin>`]),
    // The style sheets are inlined above and must not be requested. Each therefore has a disabled link: Vite's loader skips style sheets that have
    // a link, and the browser does not fetch disabled links.
    ...assets.styleSheets.map((url) => `<link rel="stylesheet" href="${url}" disabled>`),
    `<script type="application/json" id="site">${serializeJson(site)}</script>`,
    ...(initial === undefined ? [] : [`<script type="application/json" id="initial-data">${serializeJson(initial.data)}</script>`]),
    ...head.jsonLd.map((data) => `<script type="application/ld+json">${serializeJson(data)}</script>`),
  ].join('\n    ')
}

/** Returns a function that fills the built `index.html` with a page's content. @throws Error if a placeholder is missing */
export function createDocumentRenderer(builtHtml: string) {
  const { template, entryUrl } = extractEntryScript(builtHtml)
  const headOffset = template.indexOf(HEAD_PLACEHOLDER)
  const rootOffset = template.indexOf(ROOT_PLACEHOLDER)
  if (headOffset < 0 || rootOffset < headOffset)
    throw new Error(`index.html lacks ${headOffset < 0 ? HEAD_PLACEHOLDER : ROOT_PLACEHOLDER}: build the client again`)
  const htmlBeforeHead = template.slice(0, headOffset)
  const htmlBeforeRoot = template.slice(headOffset + HEAD_PLACEHOLDER.length, rootOffset)
  const htmlAfterRoot = template.slice(rootOffset + ROOT_PLACEHOLDER.length)

  return function render(content: DocumentContent): RenderedDocument {
    const htmlOpening = htmlBeforeHead.replace(/<html\b[^<>]*>/, `<html lang="en" data-brand="${escapeHtml(content.brand.id)}">`)
    const [preloadsHtml, bodyMarkup] = splitPreloads(content.markup)
    const { markup, css } = extractStyleAttributes(bodyMarkup)
    const { initial } = content
    const databaseAttribute = initial?.opensDatabase ? ' data-db' : ''
    const pathAttribute = initial === undefined ? '' : ` data-path="${escapeHtml(initial.path)}"${databaseAttribute}`
    const styleElement = css === '' ? '' : `<style>${css}</style>`
    const rootOpening = htmlBeforeRoot.replace('<div id="root">', () => `<div id="root"${pathAttribute}>`)
    const snapshotHtml = initial?.path === SNAPSHOT_PATH ? accountSnapshot : undefined
    const scriptsHtml = entryUrl === undefined ? '' : renderDeferredScripts(entryUrl, content.assets.modules)
    const htmlClosing = htmlAfterRoot.replace('</body>', () => `${snapshotHtml?.html ?? ''}${scriptsHtml}</body>`)
    const documentHtml = `${htmlOpening}${renderHead(content, preloadsHtml + styleElement)}${rootOpening}${markup}${htmlClosing}`
    return {
      html: documentHtml,
      styleSources: [content.cspSource, content.assets.cspSource, ...(css === '' ? [] : [computeCspHash(css)])].join(' '),
      scriptSources: [scriptCspSources, ...(snapshotHtml ? [snapshotHtml.cspSource] : [])].join(' '),
    }
  }
}
