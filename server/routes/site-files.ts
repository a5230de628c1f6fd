import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { createAnswer } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendAnswer } from '../http/send.ts'
import { icoOf } from '../pages/ico.ts'
import { manifestOf } from '../pages/manifest.ts'
import { iconPng, iconSvg, shortcutNames, shortcutPng } from '../services/brand-mark.ts'
import type { SiteSettings } from '../services/site-settings.ts'

const ICO_SIZE = 32
const TOUCH_SIZE = 180
const ICON_SIZES = [192, 512]
const SHORTCUT_SIZE = 96
/** Icons change with a release only. */
const ICON_CACHING = 'public, max-age=86400'

/** One value per brand, made when it is first asked for. */
function perBrand<T>(make: (brand: Brand) => Promise<T>): (brand: Brand) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return (brand) => {
    const value = made.get(brand.id) ?? make(brand)
    made.set(brand.id, value)
    return value
  }
}

/** Files that differ by host: the brand's icons, and what robots are told. */
export function registerSiteFiles(app: FastifyInstance, headers: SecurityHeaders, site: SiteSettings): void {
  const ico = perBrand(async (brand) => icoOf(await iconPng(brand, ICO_SIZE), ICO_SIZE))
  const touch = perBrand((brand) => iconPng(brand, TOUCH_SIZE, { maskable: true }))

  app.get('/icon.svg', (request, reply) => {
    const type = { 'content-type': 'image/svg+xml', 'cache-control': ICON_CACHING }
    return sendAnswer(request, reply, createAnswer(200, iconSvg(request.site.brand), { ...headers.data, ...type }))
  })
  app.get('/favicon.ico', async (request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', ICON_CACHING)
      .send(await ico(request.site.brand)),
  )
  app.get('/apple-touch-icon.png', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', ICON_CACHING)
      .send(await touch(request.site.brand)),
  )

  const pngs = {
    ...Object.fromEntries(ICON_SIZES.map((size) => [String(size), perBrand((brand) => iconPng(brand, size))])),
    ...Object.fromEntries(ICON_SIZES.map((size) => [`maskable-${size}`, perBrand((brand) => iconPng(brand, size, { maskable: true }))])),
    ...Object.fromEntries(shortcutNames.map((name) => [`shortcut-${name}`, perBrand((brand) => shortcutPng(brand, name, SHORTCUT_SIZE))])),
  }
  for (const [name, png] of Object.entries(pngs)) {
    app.get(`/icons/${name}.png`, async (request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', ICON_CACHING)
        .send(await png(request.site.brand)),
    )
  }

  app.get('/manifest.webmanifest', async (request, reply) => {
    const { brand, hostClass } = request.site
    const manifest = manifestOf(brand, hostClass, await site.settingsOf(brand))
    if (manifest === undefined) return reply.callNotFound()
    const type = { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'no-cache' }
    return sendAnswer(request, reply, createAnswer(200, JSON.stringify(manifest), { ...headers.data, ...type }))
  })

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(['User-agent: *', 'Disallow: /api/', 'Disallow: /account', 'Disallow: /go/', 'Allow: /', ''].join('\n')),
  )
}
