import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import Validator from '@adobe/structured-data-validator'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import { Parser } from 'htmlparser2'
import openGraph from 'open-graph-scraper'
import pLimit from 'p-limit'
import { type Page, pages } from '../contract/pages.ts'
import { brands, expect, test } from './fixtures.ts'
import { radioOrigin } from './radio-steps.ts'
import type { Site } from './server.ts'

interface Answer {
  status: number
  type: string
  location: string | undefined
  body: string
}

/**
 * Requests a path of a brand. The brand's host is sent as a header and not resolved, because Node cannot resolve subdomains of localhost.
 */
async function request(site: Site, origin: string, urlPath: string): Promise<Answer> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: site.port, path: urlPath, headers: { host: new URL(origin).host } }, resolve).on('error', reject)
  })
  const { statusCode = 0, headers } = response
  return { status: statusCode, type: headers['content-type'] ?? '', location: headers.location, body: await text(response) }
}

/** Returns the addresses that a document links to or loads, and the ids of its elements. */
function readDocument(html: string) {
  const linkUrls: string[] = []
  const ids = new Set<string>()
  const parser = new Parser({
    onopentag(_name, { href, src, id }) {
      linkUrls.push(...[href, src].filter((each) => each !== undefined))
      if (id !== undefined) ids.add(id)
    },
  })
  parser.end(html)
  return { addresses: linkUrls, ids }
}

/** The pages that have no route yet. The navigation and the panel of locked pages may link to them. */
const plannedPaths = Object.entries<Page>(pages).flatMap(([path, { planned }]) => (planned ? [path] : []))

for (const brand of brands)
  test(`${brand.name}: every internal link of every page leads to a page, and other programs can read every page's head`, {
    tag: '@long',
  }, async ({ site }) => {
    test.setTimeout(240_000)
    const origin = site.origin(brand.subdomain)
    const documents = new Map<string, string>()
    /** The addresses that were found so far, each with the page that links to it. */
    const foundPages = new Map<string, string>([['/', 'the start']])
    const anchors: { from: string; path: string; id: string }[] = []
    const faults: string[] = []
    const limit = pLimit(4)

    async function visit(urlPath: string, linkingPage: string): Promise<void> {
      const { status, type, location, body } = await limit(() => request(site, origin, urlPath))
      if (location !== undefined) return follow(location, urlPath, linkingPage)
      if (status !== 200) faults.push(`${linkingPage} links to ${urlPath}, which answers ${status}`)
      if (status !== 200 || !type.startsWith('text/html')) return
      documents.set(urlPath, body)
      await Promise.all(readDocument(body).addresses.map((address) => follow(address, urlPath, urlPath)))
    }
    async function follow(linkUrl: string, base: string, linkingPage: string): Promise<void> {
      const url = new URL(linkUrl, origin + base)
      if (url.origin !== origin) return
      const urlPath = url.pathname + url.search
      if (url.hash.length > 1) anchors.push({ from: linkingPage, path: urlPath, id: decodeURIComponent(url.hash.slice(1)) })
      if (foundPages.has(urlPath) || plannedPaths.includes(url.pathname)) return
      foundPages.set(urlPath, linkingPage)
      await visit(urlPath, linkingPage)
    }
    await visit('/', 'the start')
    for (const [, address] of (await request(site, origin, '/sitemap.xml')).body.matchAll(/<loc>(.*?)<\/loc>/g))
      for (const [, page = ''] of (await request(site, origin, new URL(address ?? '').pathname)).body.matchAll(/<loc>(.*?)<\/loc>/g))
        await follow(page.replaceAll('&amp;', '&'), '/', 'the sitemap')
    for (const { from, path, id } of anchors)
      if (documents.has(path) && !readDocument(documents.get(path) ?? '').ids.has(id))
        faults.push(`${from} links to ${path}#${id}, which is not there`)
    expect(faults).toEqual([])
    expect(documents.size).toBeGreaterThan(200)
    documents.set('the radio', (await request(site, radioOrigin(site, brand), '/')).body)

    for (const [urlPath, html] of documents) {
      const { result, error } = await openGraph({ html })
      expect(error, urlPath).toBe(false)
      expect(result, urlPath).toMatchObject({
        ogTitle: expect.stringMatching(/./),
        ogDescription: expect.stringMatching(/./),
        ogSiteName: brand.name,
        twitterCard: expect.stringMatching(/^summary/),
        ogImage: [expect.objectContaining({ url: expect.stringMatching(/^http/), alt: expect.anything() })],
      })
      const structuredData = new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(html)
      const issues = await new Validator().validate(structuredData)
      expect(
        issues.filter(({ severity }) => severity === 'ERROR'),
        urlPath,
      ).toEqual([])
    }
  })
