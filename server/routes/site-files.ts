import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { createCachedResponse } from '../http/read-cache.ts'
import type { SecurityHeaders } from '../http/security.ts'
import { sendCachedResponse } from '../http/send.ts'
import { encodeIco } from '../pages/ico.ts'
import { createManifest } from '../pages/manifest.ts'
import { iconPng, iconSvg, shortcutNames, shortcutPng } from '../services/brand-mark.ts'
import type { SiteSettings } from '../services/site-settings.ts'

const ICO_SIZE = 32
const APPLE_TOUCH_ICON_SIZE = 180
const ICON_SIZES = [192, 512]
const SHORTCUT_SIZE = 96
/** `Cache-Control` of icons, which change only with a release. */
const ICON_CACHE_CONTROL = 'public, max-age=86400'

/** Returns a function that creates a value per brand at the first call and returns the same value afterwards. */
function memoizePerBrand<T>(createValue: (brand: Brand) => Promise<T>): (brand: Brand) => Promise<T> {
  const values = new Map<string, Promise<T>>()
  return (brand) => {
    const value = values.get(brand.id) ?? createValue(brand)
    values.set(brand.id, value)
    return value
  }
}

/** Registers the files that differ by host: icons and the web app manifest. */
export function registerSiteFiles(app: FastifyInstance, headers: SecurityHeaders, site: SiteSettings): void {
  const getIco = memoizePerBrand(async (brand) => encodeIco(await iconPng(brand, ICO_SIZE), ICO_SIZE))
  const appleTouchIcon = memoizePerBrand((brand) => iconPng(brand, APPLE_TOUCH_ICON_SIZE, { maskable: true }))

  app.get('/icon.svg', (request, reply) => {
    const iconHeaders = { 'content-type': 'image/svg+xml', 'cache-control': ICON_CACHE_CONTROL }
    return sendCachedResponse(request, reply, createCachedResponse(200, iconSvg(request.site.brand), { ...headers.data, ...iconHeaders }))
  })
  app.get('/favicon.ico', async (request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', ICON_CACHE_CONTROL)
      .send(await getIco(request.site.brand)),
  )
  app.get('/apple-touch-icon.png', async (request, reply) =>
    reply
      .type('image/png')
      .header('cache-control', ICON_CACHE_CONTROL)
      .send(await appleTouchIcon(request.site.brand)),
  )

  const pngGetters = {
    ...Object.fromEntries(ICON_SIZES.map((size) => [String(size), memoizePerBrand((brand) => iconPng(brand, size))])),
    ...Object.fromEntries(
      ICON_SIZES.map((size) => [`maskable-${size}`, memoizePerBrand((brand) => iconPng(brand, size, { maskable: true }))]),
    ),
    ...Object.fromEntries(
      shortcutNames.map((name) => [`shortcut-${name}`, memoizePerBrand((brand) => shortcutPng(brand, name, SHORTCUT_SIZE))]),
    ),
  }
  for (const [name, getPng] of Object.entries(pngGetters)) {
    app.get(`/icons/${name}.png`, async (request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', ICON_CACHE_CONTROL)
        .send(await getPng(request.site.brand)),
    )
  }

  app.get('/manifest.webmanifest', async (request, reply) => {
    const { brand, hostClass } = request.site
    const manifest = createManifest(brand, hostClass, await site.settingsOf(brand))
    if (manifest === undefined) return reply.callNotFound()
    const manifestHeaders = { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'no-cache' }
    return sendCachedResponse(request, reply, createCachedResponse(200, JSON.stringify(manifest), { ...headers.data, ...manifestHeaders }))
  })
}
