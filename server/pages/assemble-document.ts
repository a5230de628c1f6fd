import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { brands } from '../../brands/registry.ts'
import type { InitialData, PrerenderFunctions } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'
import { computeEtag } from '../http/etag.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { readBuildManifest } from './chunks.ts'
import { createBrandStyle, createDocumentRenderer } from './document.ts'
import type { PageHead } from './resolve-page.ts'

/** The data from which a document is made. */
export interface DocumentSource {
  head: PageHead
  site: Site
  origin: string
  /** The path of the page of a main host whose scripts and styles the document loads. */
  assetsPath: string
  /** What is rendered: the page at an address, which includes the query, from its rows, or the shell. `heading`: only the heading. */
  content: { address: string; data: InitialData } | 'shell' | 'heading'
}

/** A document as it is sent, and the source expressions of its Content Security Policy that allow its inline styles and scripts. */
export interface AssembledDocument {
  gzippedBody: Uint8Array
  etag: string
  styleSources: string
  scriptSources: string
}

export type AssembleDocument = (source: DocumentSource) => Promise<AssembledDocument>

/**
 * Creates the function that makes documents. They contain only their heading unless there are render functions.
 * @param clientDir the folder of the built client
 * @throws Error if the built `index.html` lacks a placeholder
 */
export function createDocumentAssembler(clientDir: string, prerender?: PrerenderFunctions): AssembleDocument {
  const buildChunks = readBuildManifest(clientDir)
  const renderDocument = createDocumentRenderer(readFileSync(join(clientDir, 'index.html'), 'utf8'))
  const styledBrandById = new Map(brands.map((brand) => [brand.id, { brand, ...createBrandStyle(brand) }]))

  async function renderContent(site: Site, documentContent: DocumentSource['content']): Promise<string | undefined> {
    if (documentContent === 'heading') return undefined
    return documentContent === 'shell'
      ? prerender?.renderShell(site)
      : prerender?.renderPage(site, documentContent.address, documentContent.data)
  }

  return async function assembleDocument({ head, site, origin, assetsPath, content }) {
    const styledBrand = styledBrandById.get(site.brand)
    if (styledBrand === undefined) throw new Error(`There is no brand ${site.brand}`)
    const contentMarkup = await renderContent(site, content)
    const isPageHydrated = contentMarkup !== undefined && typeof content === 'object' && head.hasDeviceRows === undefined
    const { html, ...assetSources } = renderDocument({
      head,
      site,
      ...styledBrand,
      origin,
      assets: site.host_class === 'main' ? buildChunks.assetsOfPath(assetsPath) : buildChunks.assetsOfHost(site.host_class),
      markup: contentMarkup ?? `<h1>${escapeHtml(head.heading)}</h1>`,
      ...(isPageHydrated && { initial: { path: content.address, data: content.data, opensDatabase: head.opensDatabase === true } }),
    })
    const body = Buffer.from(html)
    return { gzippedBody: gzipSync(body), etag: computeEtag(body), ...assetSources }
  }
}
