import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import Validator from '@adobe/structured-data-validator'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import { Parser } from 'htmlparser2'
import openGraph from 'open-graph-scraper'
import pLimit from 'p-limit'
import { type Page, pages } from '../contract/pages.ts'
import { brands, expect, test } from './fixtures.ts'
import { createRadioOrigin } from './radio-steps.ts'
import type { Site } from './server.ts'

interface PageAnswer {
  status: number
  type: string
  location: string | undefined
  body: string
}

/**
 * Requests a path of a brand. The brand's host is sent as a header and not resolved, because Node cannot resolve subdomains of localhost.
 */
async function requestPage(site: Site, siteOrigin: string, urlPath: string): Promise<PageAnswer> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: site.port, path: urlPath, headers: { host: new URL(siteOrigin).host } }, resolve).on('error', reject)
  })
  const { statusCode = 0, headers } = response
  return { status: statusCode, type: headers['content-type'] ?? '', location: headers.location, body: await text(response) }
}

/** Returns the addresses that a document links to or loads, and the ids of its elements. */
function readDocument(html: string) {
  const linkUrls: string[] = []
  const anchorIds = new Set<string>()
  const htmlParser = new Parser({
    onopentag(_name, { href, src, id }) {
      linkUrls.push(...[href, src].filter((each) => each !== undefined))
      if (id !== undefined) anchorIds.add(id)
    },
  })
  htmlParser.end(html)
  return { addresses: linkUrls, ids: anchorIds }
}

/** The pages that have no route yet. The navigation and the panel of locked pages may link to them. */
const plannedPaths = Object.entries<Page>(pages).flatMap(([path, { planned }]) => (planned ? [path] : []))

for (const brand of brands)
  test(`${brand.name}: every internal link of every page leads to a page, and other programs can read every page's head`, {
    tag: '@long',
  }, async ({ site }) => {
    test.setTimeout(240_000)
    const origin = site.origin(brand.subdomain)
    const documentByPath = new Map<string, string>()
    /** The addresses that were found so far, each with the page that links to it. */
    const linkingPageByPath = new Map<string, string>([['/', 'the start']])
    const linkedAnchors: { from: string; path: string; id: string }[] = []
    const faultTexts: string[] = []
    const limitConcurrency = pLimit(4)

    async function visitPage(urlPath: string, linkingPage: string): Promise<void> {
      const { status, type, location, body } = await limitConcurrency(() => requestPage(site, origin, urlPath))
      if (location !== undefined) return followLink(location, urlPath, linkingPage)
      if (status !== 200) faultTexts.push(`${linkingPage} links to ${urlPath}, which answers ${status}`)
      if (status !== 200 || !type.startsWith('text/html')) return
      documentByPath.set(urlPath, body)
      await Promise.all(readDocument(body).addresses.map((address) => followLink(address, urlPath, urlPath)))
    }
    async function followLink(linkUrl: string, baseUrl: string, linkingPage: string): Promise<void> {
      const url = new URL(linkUrl, origin + baseUrl)
      if (url.origin !== origin) return
      const urlPath = url.pathname + url.search
      if (url.hash.length > 1) linkedAnchors.push({ from: linkingPage, path: urlPath, id: decodeURIComponent(url.hash.slice(1)) })
      if (linkingPageByPath.has(urlPath) || plannedPaths.includes(url.pathname)) return
      linkingPageByPath.set(urlPath, linkingPage)
      await visitPage(urlPath, linkingPage)
    }
    await visitPage('/', 'the start')
    for (const [, address] of (await requestPage(site, origin, '/sitemap.xml')).body.matchAll(/<loc>(.*?)<\/loc>/g))
      for (const [, page = ''] of (await requestPage(site, origin, new URL(address ?? '').pathname)).body.matchAll(/<loc>(.*?)<\/loc>/g))
        await followLink(page.replaceAll('&amp;', '&'), '/', 'the sitemap')
    for (const { from, path, id } of linkedAnchors)
      if (documentByPath.has(path) && !readDocument(documentByPath.get(path) ?? '').ids.has(id))
        faultTexts.push(`${from} links to ${path}#${id}, which is not there`)
    expect(faultTexts).toEqual([])
    expect(documentByPath.size).toBeGreaterThan(200)
    documentByPath.set('the radio', (await requestPage(site, createRadioOrigin(site, brand), '/')).body)

    for (const [urlPath, documentHtml] of documentByPath) {
      const { result, error } = await openGraph({ html: documentHtml })
      expect(error, urlPath).toBe(false)
      expect(result, urlPath).toMatchObject({
        ogTitle: expect.stringMatching(/./),
        ogDescription: expect.stringMatching(/./),
        ogSiteName: brand.name,
        twitterCard: expect.stringMatching(/^summary/),
        ogImage: [expect.objectContaining({ url: expect.stringMatching(/^http/), alt: expect.anything() })],
      })
      const structuredData = new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(documentHtml)
      const validationIssues = await new Validator().validate(structuredData)
      expect(
        validationIssues.filter(({ severity }) => severity === 'ERROR'),
        urlPath,
      ).toEqual([])
    }
  })
